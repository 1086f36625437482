/* Time, as it was when the order was recorded: sleeping takes none, and every look at a clock lets a little pass.
 *
 * Invariant. What a thread sees is what threads/clock.c gave it, as long as the order is kept; afterwards time is the system's, and sleeps take it. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "../common/system.h"
#include "replay.h"

#define GIVE(at) (void)(at)
#include "../common/clock.h"

static int ordered(void) { return xcr_me && !xcr_free; }

int xcr_timed_out(int error, const struct timespec *until) {
  if (xcr_me) reach(&xcr_me->clock, until);
  return error;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (!ordered()) return (int)with_errno(system_call(SYS_clock_gettime, (long[6]){clock, (long)now}));
  show(look(&xcr_me->clock, &xcr_me->looks), clock, now);
  return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *left) {
  if (wrong(time)) return EINVAL;
  if (!ordered()) return (int)-system_call(SYS_clock_nanosleep, (long[6]){clock, flags, (long)time, (long)left});
  if (flags & TIMER_ABSTIME) {
    xcr_timed_out(0, time);
  } else {
    pass(&xcr_me->clock, (u64)time->tv_sec, (u64)time->tv_nsec);
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
  if (!ordered()) system_call(SYS_sched_yield, (long[6]){0});
  return 0;
}
