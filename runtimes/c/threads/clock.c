/* Virtual time: sleeping takes none, and every look at a clock lets a little pass.
 *
 * Each thread has its own time, so that what a thread sees depends on nothing but what it did; a thread begins at the time of the one that
 * created it, and who joins it comes after its end. The k-th look takes k microseconds: loops that wait for a time end soon. Who yields or sleeps does nothing that others could
 * see; schedules let others run anywhere.
 *
 * Invariant. Outside of runs time is the system's. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "life.h"

#define GIVE(at) xc_give(at, sizeof *(at))
#include "common/clock.h"

void xc_clock_reach(const struct timespec *until) { reach(&XC_SELF->clock, until); }

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!xc_threads_running()) return (int)syscall(SYS_clock_gettime, clock, now);
  show(look(&XC_SELF->clock, &XC_SELF->looks), clock, now);
  GIVE(now);
  return 0;
}

/* Sleeps are cancellation points. */
static void sleep_for(u64 seconds, u64 nanoseconds) {
  if (!xc_threads_running()) return;
  pthread_testcancel();
  pass(&XC_SELF->clock, seconds, nanoseconds);
}

unsigned sleep(unsigned seconds) {
  sleep_for(seconds, 0);
  return 0;
}

int usleep(useconds_t microseconds) {
  sleep_for(microseconds / 1000000, microseconds % 1000000 * 1000ull);
  return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
  (void)left; /* nothing interrupts it */
  if (wrong(time)) {
    errno = EINVAL;
    return -1;
  }
  sleep_for((u64)time->tv_sec, (u64)time->tv_nsec);
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  (void)clock, (void)left;
  if (wrong(time)) return EINVAL;
  if (!(flags & TIMER_ABSTIME)) {
    sleep_for((u64)time->tv_sec, (u64)time->tv_nsec);
  } else if (xc_threads_running()) {
    pthread_testcancel();
    xc_clock_reach(time);
  }
  return 0;
}

int sched_yield(void) { return 0; }
/* The header gives pthread_yield the name of the other. */
int xc_yield(void) __asm__("pthread_yield");
int xc_yield(void) { return 0; }
