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
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include "life.h"

#define SECOND 1000000000ull
#define EPOCH 1700000000ull /* when runs begin, in seconds of the calendar */
#define BOOT 10000ull       /* the same for the other clocks */

static int is_calendar(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI; }

static u64 look(void) {
  struct xc_fiber *self = XC_SELF;
  return self->clock += 1000ull * ++self->looks;
}

static void pass(u64 seconds, u64 nanoseconds) {
  if (xc_threads_running()) XC_SELF->clock += (seconds < 1u << 30 ? seconds : 1u << 30) * SECOND + nanoseconds;
}

void xc_clock_reach(const struct timespec *until) {
  u64 seconds = (u64)until->tv_sec, from = seconds >= EPOCH ? EPOCH : BOOT;
  if (until->tv_sec < 0 || seconds < from || seconds - from >= 1u << 30) return;
  u64 at = (seconds - from) * SECOND + (u64)until->tv_nsec;
  if (at > XC_SELF->clock) XC_SELF->clock = at;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!xc_threads_running()) return (int)syscall(SYS_clock_gettime, clock, now);
  u64 time = look();
  now->tv_sec = (time_t)(time / SECOND + (is_calendar(clock) ? EPOCH : BOOT));
  now->tv_nsec = (long)(time % SECOND);
  xc_give(now, sizeof *now);
  return 0;
}

int timespec_get(struct timespec *now, int base) { return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, now) ? base : 0; }

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &time)) return -1;
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  xc_give(now, sizeof *now);
  return 0;
}

time_t time(time_t *to) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  if (to) *to = now.tv_sec;
  if (to) xc_give(to, sizeof *to);
  return now.tv_sec;
}

clock_t clock(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)) return -1;
  return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / 1000;
}

/* Sleeps are cancellation points. */
static void sleep_for(u64 seconds, u64 nanoseconds) {
  if (!xc_threads_running()) return;
  pthread_testcancel();
  pass(seconds, nanoseconds);
}

unsigned sleep(unsigned seconds) {
  sleep_for(seconds, 0);
  return 0;
}

int usleep(useconds_t microseconds) {
  sleep_for(microseconds / 1000000, microseconds % 1000000 * 1000ull);
  return 0;
}

static int wrong(const struct timespec *time) { return time->tv_sec < 0 || time->tv_nsec < 0 || (u64)time->tv_nsec >= SECOND; }

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
