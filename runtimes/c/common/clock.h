/* Virtual time: what is the same when a subject is explored and when it is replayed.
 *
 * The time of a thread counts nanoseconds from the beginning of the run. GIVE(at) tells that the subject gets the number there.
 *
 * Invariant. Included by one file of each runtime, which defines GIVE and clock_gettime. A function of the program with such a name is the one that counts. */
#include <sys/time.h>
#include <time.h>

#define SECOND 1000000000ull
#define EPOCH 1700000000ull /* when runs begin, in seconds of the calendar */
#define BOOT 10000ull       /* the same for the other clocks */

static int is_calendar(clockid_t clock) { return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI; }

/* The k-th look takes k microseconds: loops that wait for a time end soon. */
static u64 look(u64 *time, u64 *looks) { return *time += 1000 * ++*looks; }

static void show(u64 time, clockid_t clock, struct timespec *now) {
  now->tv_sec = (time_t)(time / SECOND + (is_calendar(clock) ? EPOCH : BOOT));
  now->tv_nsec = (long)(time % SECOND);
}

/* It is at least this late now. */
static void reach(u64 *time, const struct timespec *until) {
  u64 seconds = (u64)until->tv_sec, from = seconds >= EPOCH ? EPOCH : BOOT;
  if (until->tv_sec < 0 || seconds < from || seconds - from >= 1u << 30) return;
  u64 at = (seconds - from) * SECOND + (u64)until->tv_nsec;
  if (at > *time) *time = at;
}

static void pass(u64 *time, u64 seconds, u64 nanoseconds) { *time += (seconds < 1u << 30 ? seconds : 1u << 30) * SECOND + nanoseconds; }

static int wrong(const struct timespec *time) { return time->tv_sec < 0 || time->tv_nsec < 0 || (u64)time->tv_nsec >= SECOND; }

__attribute__((weak)) int timespec_get(struct timespec *now, int base) { return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, now) ? base : 0; }

__attribute__((weak)) int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  struct timespec time;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &time)) return -1;
  now->tv_sec = time.tv_sec;
  now->tv_usec = time.tv_nsec / 1000;
  GIVE(now);
  return 0;
}

__attribute__((weak)) time_t time(time_t *to) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
  if (to) {
    *to = now.tv_sec;
    GIVE(to);
  }
  return now.tv_sec;
}

__attribute__((weak)) clock_t clock(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)) return -1;
  return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / 1000;
}
