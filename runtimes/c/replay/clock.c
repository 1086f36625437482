/* Time, as it was when the order was recorded: sleeping takes none, and every look at a clock lets a little pass.
 *
 * Invariant. What a thread sees is what threads/clock.c gave it, as long as the order is kept; afterwards time is the system's, and sleeps take it. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include "replay.h"

#define SECOND 1000000000ull
#define EPOCH 1700000000ull
#define BOOT 10000ull

static int ordered(void) { return xcr_me && !xcr_free; }
static int is_calendar(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI; }

int xcr_timed_out(int error, const struct timespec *until) {
  u64 seconds = (u64)until->tv_sec, from = seconds >= EPOCH ? EPOCH : BOOT;
  if (!xcr_me || until->tv_sec < 0 || seconds < from || seconds - from >= 1u << 30) return error;
  u64 at = (seconds - from) * SECOND + (u64)until->tv_nsec;
  if (at > xcr_me->clock) xcr_me->clock = at;
  return error;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!ordered()) {
    long result = xcr_system(SYS_clock_gettime, (long[6]){clock, (long)now});
    if (result >= 0) return 0;
    errno = (int)-result;
    return -1;
  }
  u64 time = xcr_me->clock += 1000 * ++xcr_me->looks;
  now->tv_sec = (time_t)(time / SECOND + (is_calendar(clock) ? EPOCH : BOOT));
  now->tv_nsec = (long)(time % SECOND);
  return 0;
}

int timespec_get(struct timespec *now, int base) { return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, now) ? base : 0; }

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &time)) return -1;
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *to) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  if (to) *to = now.tv_sec;
  return now.tv_sec;
}

clock_t clock(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)) return -1;
  return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / 1000;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  if (time->tv_sec < 0 || time->tv_nsec < 0 || time->tv_nsec >= 1000000000) return EINVAL;
  if (!ordered()) return (int)-xcr_system(SYS_clock_nanosleep, (long[6]){clock, flags, (long)time, (long)left});
  if (flags & TIMER_ABSTIME) {
    xcr_timed_out(0, time);
  } else {
    u64 seconds = (u64)time->tv_sec;
    xcr_me->clock += (seconds < 1u << 30 ? seconds : 1u << 30) * SECOND + (u64)time->tv_nsec;
  }
  return 0;
}

int nanosleep(const struct timespec *time, struct timespec *left) {
  int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
  if (error) errno = error;
  return error ? -1 : 0;
}

unsigned sleep(unsigned seconds) {
  nanosleep(&(struct timespec){seconds, 0}, 0);
  return 0;
}

int usleep(useconds_t microseconds) { return nanosleep(&(struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000}, 0); }

/* Others run when it is their turn. */
int sched_yield(void) {
  if (!ordered()) xcr_system(SYS_sched_yield, (long[6]){0});
  return 0;
}
