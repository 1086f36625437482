/* Virtual time of subjects that cannot create threads; threads/clock.c has it for the others.
 *
 * Invariant. Time begins again with each run: it is static data, which is restored. */
#define _GNU_SOURCE
#include "rt.h"

#define RUNNING (XC_P->running == XC_YES)
#define GIVE(at) (void)(at)
#include "common/sleep.h"

/* A run that goes on without looking is noticed by its steps. */
static void set_alarm_clock(void) {}
static void clear_alarm_clock(void) {}

int xc_ring_alarm(void) { return ring_alarm(); }
