/* Threads of C11, over those of POSIX. The structs differ in name only; the results differ.
 *
 * Invariant. Nothing but names and results is changed here. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <threads.h>
#include "memory.h"
#include "threads.h"

static int result_of(int error) {
  switch (error) {
  case 0: return thrd_success;
  case ENOMEM: return thrd_nomem;
  case ETIMEDOUT: return thrd_timedout;
  case EBUSY: return thrd_busy;
  default: return thrd_error;
  }
}

/* What the caller told of its arguments is meant for the other function. */
static void tell(u64 told, u64 to, u32 from, u32 place) {
  if (XC->tag != told) return;
  XC->args[place] = XC->args[from];
  XC->tag = to;
}

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  tell((u64)thrd_create, (u64)pthread_create, 2, 3);
  /* The result is the low half of a register; thrd_join cuts it off. */
  int error = pthread_create((pthread_t *)thread, 0, (void *(*)(void *))(u64)start, argument);
  return error == EAGAIN ? thrd_nomem : result_of(error);
}

int thrd_join(thrd_t thread, int *result) {
  int error = pthread_join((pthread_t)thread, 0);
  const struct xc_fiber *fiber = (const struct xc_fiber *)thread;
  if (error) return result_of(error);
  if (!result) return thrd_success;
  if (XC->concurrent) xc_access_slow((u64)result, sizeof *result, 1);
  xc_check((u64)result, sizeof *result, XC_WRITE);
  *result = (int)(u64)fiber->result;
  xc_shadow_set((u64)result, sizeof *result, fiber->result_handle);
  return thrd_success;
}

int thrd_detach(thrd_t thread) { return result_of(pthread_detach((pthread_t)thread)); }
_Noreturn void thrd_exit(int result) {
  tell((u64)thrd_exit, (u64)pthread_exit, 0, 0);
  pthread_exit((void *)(u64)(u32)result);
}
thrd_t thrd_current(void) { return (thrd_t)pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
void thrd_yield(void) { sched_yield(); }

int thrd_sleep(const struct timespec *time, struct timespec *left) {
  int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
  return error ? -2 : 0;
}

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

int tss_create(tss_t *key, tss_dtor_t destructor) { return result_of(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) {
  tell((u64)tss_set, (u64)pthread_setspecific, 1, 1);
  return result_of(pthread_setspecific(key, value));
}

void call_once(once_flag *flag, void (*routine)(void)) { pthread_once((pthread_once_t *)flag, routine); }
