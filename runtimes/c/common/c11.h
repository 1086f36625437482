/* Threads of C11, over those of POSIX: what is the same when a subject is explored and when it is replayed. The structs differ in name only; the
 * results differ.
 *
 * Invariant. Nothing but names and results is changed here. Included by one file of each runtime. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <threads.h>

static int result_of(int error) {
  switch (error) {
  case 0: return thrd_success;
  case ENOMEM: return thrd_nomem;
  case ETIMEDOUT: return thrd_timedout;
  case EBUSY: return thrd_busy;
  default: return thrd_error;
  }
}

int thrd_detach(thrd_t thread) { return result_of(pthread_detach((pthread_t)thread)); }
void thrd_yield(void) { sched_yield(); }
int thrd_sleep(const struct timespec *time, struct timespec *left) { return clock_nanosleep(CLOCK_REALTIME, 0, time, left) ? -2 : 0; }

int mtx_init(mtx_t *mutex, int type) {
  pthread_mutexattr_t attributes;
  if (type & ~(mtx_recursive | mtx_timed)) return thrd_error;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
  return result_of(pthread_mutex_init((pthread_mutex_t *)mutex, &attributes));
}

int mtx_lock(mtx_t *mutex) { return result_of(pthread_mutex_lock((pthread_mutex_t *)mutex)); }
int mtx_trylock(mtx_t *mutex) { return result_of(pthread_mutex_trylock((pthread_mutex_t *)mutex)); }
int mtx_unlock(mtx_t *mutex) { return result_of(pthread_mutex_unlock((pthread_mutex_t *)mutex)); }
int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until) {
  return result_of(pthread_mutex_timedlock((pthread_mutex_t *)mutex, until));
}
void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy((pthread_mutex_t *)mutex); }

int cnd_init(cnd_t *condition) { return result_of(pthread_cond_init((pthread_cond_t *)condition, 0)); }
int cnd_signal(cnd_t *condition) { return result_of(pthread_cond_signal((pthread_cond_t *)condition)); }
int cnd_broadcast(cnd_t *condition) { return result_of(pthread_cond_broadcast((pthread_cond_t *)condition)); }
int cnd_wait(cnd_t *condition, mtx_t *mutex) { return result_of(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex)); }
int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until) {
  return result_of(pthread_cond_timedwait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex, until));
}
void cnd_destroy(cnd_t *condition) { pthread_cond_destroy((pthread_cond_t *)condition); }

void call_once(once_flag *flag, void (*routine)(void)) { pthread_once((pthread_once_t *)flag, routine); }
