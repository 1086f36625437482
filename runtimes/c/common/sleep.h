/* Virtual time of a program with one thread: sleeping takes none, every look at a clock lets a little pass, and an alarm rings when its time has come.
 *
 * RUNNING says whether time is ours; outside of that it is the system's. What would wait for a time waits for nothing: the time is over.
 * A program that neither sleeps nor looks lets no time pass: who knows that it goes on for ever rings the alarm (ring_alarm).
 *
 * Invariant. Included by one file of each runtime, which defines RUNNING, GIVE, set_alarm_clock and clear_alarm_clock. What a program sees is the same when it is explored and
 * when it is repeated. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "clock.h"

#define LIBRARY __attribute__((weak)) /* the program may have a function of this name itself */

static u64 now, looks;
static u64 rings, every; /* when the alarm rings, and how often after that; 0: never */

static void set_alarm_clock(void);   /* an alarm is set: it must ring though no time passes */
static void clear_alarm_clock(void);

LIBRARY int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!RUNNING) return (int)syscall(SYS_clock_gettime, clock, time);
  show(look(&now, &looks), clock, time);
  GIVE(time);
  return 0;
}

/* The alarm rings now. */
static void ring(void) {
  if (now < rings) now = rings;
  rings = every ? now + every : 0;
  if (rings) set_alarm_clock();
  else clear_alarm_clock();
  raise(SIGALRM);
}

/* Time passes; 1: the alarm rang before all of it was over, and `left` of it is left. */
static int wait_for(u64 nanoseconds, u64 *left) {
  u64 until = now + nanoseconds;
  if (rings && rings <= until) {
    *left = until - (rings > now ? rings : now);
    ring();
    return 1;
  }
  now = until;
  *left = 0;
  return 0;
}

static u64 length(const struct timespec *time) {
  u64 all = 0;
  pass(&all, (u64)time->tv_sec, (u64)time->tv_nsec);
  return all;
}

LIBRARY int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest) {
  if (!RUNNING) return syscall(SYS_clock_nanosleep, clock, flags, time, rest) ? errno : 0;
  if (wrong(time)) return EINVAL;
  u64 left, until = now;
  if (flags & TIMER_ABSTIME) reach(&until, time);
  else until += length(time);
  if (!wait_for(until - now, &left)) return 0;
  if (rest && !(flags & TIMER_ABSTIME)) {
    *rest = (struct timespec){(time_t)(left / SECOND), (long)(left % SECOND)};
    GIVE(rest);
  }
  return EINTR;
}

LIBRARY int nanosleep(const struct timespec *time, struct timespec *rest) {
  int error = clock_nanosleep(CLOCK_REALTIME, 0, time, rest);
  if (error) errno = error;
  return error ? -1 : 0;
}

LIBRARY unsigned sleep(unsigned seconds) {
  struct timespec rest = {0, 0};
  int error = clock_nanosleep(CLOCK_REALTIME, 0, &(struct timespec){seconds, 0}, &rest);
  return error ? (unsigned)rest.tv_sec + (rest.tv_nsec > 0) : 0;
}

LIBRARY int usleep(useconds_t microseconds) { return nanosleep(&(struct timespec){microseconds / 1000000, microseconds % 1000000 * 1000}, 0); }

/* Alarms. What is left of the one before is rounded up, as the system does. */
static u64 set(u64 after, u64 interval) {
  u64 before = rings > now ? rings - now : 0;
  rings = after ? now + after : 0;
  every = after ? interval : 0;
  if (rings) set_alarm_clock();
  else clear_alarm_clock();
  return before;
}

LIBRARY unsigned alarm(unsigned seconds) {
  if (!RUNNING) return (unsigned)syscall(SYS_alarm, seconds);
  return (unsigned)((set(seconds * SECOND, 0) + SECOND - 1) / SECOND);
}

LIBRARY useconds_t ualarm(useconds_t after, useconds_t interval) { return (useconds_t)(set(after * 1000ull, interval * 1000ull) / 1000); }

static u64 microseconds(const struct timeval *time) { return (u64)time->tv_sec * SECOND + (u64)time->tv_usec * 1000; }
static struct timeval in_parts(u64 time) { return (struct timeval){(time_t)(time / SECOND), (suseconds_t)(time % SECOND / 1000)}; }

LIBRARY int getitimer(__itimer_which_t which, struct itimerval *to) {
  if (!RUNNING || which != ITIMER_REAL) return (int)syscall(SYS_getitimer, which, to);
  *to = (struct itimerval){in_parts(every), in_parts(rings > now ? rings - now : 0)};
  GIVE(to);
  return 0;
}

LIBRARY int setitimer(__itimer_which_t which, const struct itimerval *restrict from, struct itimerval *restrict before) {
  if (!RUNNING || which != ITIMER_REAL) return (int)syscall(SYS_setitimer, which, from, before);
  if (before) getitimer(which, before);
  set(from ? microseconds(&from->it_value) : 0, from ? microseconds(&from->it_interval) : 0);
  return 0;
}

LIBRARY int pause(void) {
  if (!RUNNING || !rings) return (int)syscall(SYS_pause);
  ring();
  errno = EINTR;
  return -1;
}

/* Waiting for something or for a time: what is not there now will not come, so the time is over. Without a time it is waited for. */
static int waited(u64 nanoseconds) {
  u64 left;
  if (!wait_for(nanoseconds, &left)) return 0;
  errno = EINTR;
  return -1;
}

LIBRARY int poll(struct pollfd *all, nfds_t n, int milliseconds) {
  if (!RUNNING || milliseconds < 0) return (int)syscall(SYS_poll, all, n, milliseconds);
  int there = (int)syscall(SYS_poll, all, n, 0);
  return there ? there : waited(milliseconds * 1000000ull);
}

LIBRARY int ppoll(struct pollfd *all, nfds_t n, const struct timespec *time, const sigset_t *mask) {
  struct timespec none = {0, 0};
  int there = (int)syscall(SYS_ppoll, all, n, RUNNING && time ? &none : time, mask, sizeof(u64));
  return there || !RUNNING || !time ? there : waited(length(time));
}

LIBRARY int select(int n, fd_set *restrict reads, fd_set *restrict writes, fd_set *restrict others, struct timeval *restrict time) {
  struct timeval none = {0, 0};
  int there = (int)syscall(SYS_select, n, reads, writes, others, RUNNING && time ? &none : time);
  return there || !RUNNING || !time ? there : waited(microseconds(time));
}

LIBRARY int epoll_wait(int in, struct epoll_event *events, int most, int milliseconds) {
  int ours = RUNNING && milliseconds >= 0;
  int there = (int)syscall(SYS_epoll_wait, in, events, most, ours ? 0 : milliseconds);
  return there || !ours ? there : waited(milliseconds * 1000000ull);
}

/* For who knows that the program goes on without looking at a clock: 1 if an alarm rang. */
static int ring_alarm(void) {
  if (!RUNNING || !rings) return 0;
  ring();
  return 1;
}
