/* Virtual time of programs with one thread that repeat cases, as runtimes/c/single/clock.c has it for their exploration.
 *
 * A loop that waits for an alarm without looking at a clock uses the processor: when it has used a little, the alarm rings.
 *
 * Invariant. Programs that are held to an order of their threads have the time of runtimes/c/replay/clock.c instead. */
#define _GNU_SOURCE
#include <string.h>
#include "native.h"

#define RUNNING 1
#define GIVE(at) (void)(at)
#include "../common/sleep.h"

enum { SOON = 200000000 /* nanoseconds of the processor */ };
static timer_t timer;
static int there;

static void on_time(int number) {
  (void)number;
  ring_alarm();
}

static void set_alarm_clock(void) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMAX};
  if (!there && timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer)) return;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = on_time;
  action.sa_flags = SA_NODEFER | SA_RESTART;
  sigaction(SIGRTMAX, &action, 0);
  there = 1;
  timer_settime(timer, 0, &(struct itimerspec){{0, 0}, {0, SOON}}, 0);
}

static void clear_alarm_clock(void) {
  if (there) timer_settime(timer, 0, &(struct itimerspec){{0, 0}, {0, 0}}, 0);
}
