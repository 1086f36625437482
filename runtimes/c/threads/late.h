/* Time limits. What a timed function does not get at once it gives up, for time passes as it likes; so a schedule decides.
 *
 * A loop around it would never end, so a thread may time out XC_TIMEOUTS times in a run as it likes. From then on it waits, and its time
 * is over only when nobody else can run (XC_LATE; xc_late).
 *
 * Invariant. A timed function of a thread that can be served at once is served. */
#ifndef XCUTE_LATE_H
#define XCUTE_LATE_H
#include <errno.h>
#include <time.h>
#include "threads.h"

struct xc_timed { u32 op, flags; };

static inline int xc_wrong_time(const struct timespec *until) { return until->tv_nsec < 0 || until->tv_nsec >= 1000000000; }

/* How to do it: as the one that tries, or as the one that waits. */
static inline struct xc_timed xc_timed(u32 waits, u32 tries) {
  if (xc_threads_running() && XC_SELF->timeouts >= XC_TIMEOUTS) return (struct xc_timed){waits, XC_LATE};
  return (struct xc_timed){tries, 0};
}

/* Notes that time has passed, if the result says so. */
static inline int xc_timed_out(int result, const struct timespec *until) {
  if (result == ETIMEDOUT && xc_threads_running()) {
    XC_SELF->timeouts++;
    xc_clock_reach(until);
  }
  return result;
}
#endif
