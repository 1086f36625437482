/* Names, priorities, affinity and other attributes of threads: they change nothing that a schedule could not do anyway.
 *
 * Invariant. Nothing here is visible to other threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <time.h>
#include "life.h"

int pthread_setname_np(pthread_t thread, const char *name) { return (void)thread, (void)name, 0; }
int pthread_setschedprio(pthread_t thread, int priority) { return (void)thread, (void)priority, 0; }
int pthread_setconcurrency(int level) { return (void)level, 0; }
int pthread_getconcurrency(void) { return 0; }

int pthread_getname_np(pthread_t thread, char *name, size_t size) {
  (void)thread;
  if (size) name[0] = 0;
  xc_give(name, size != 0);
  return 0;
}

int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameters) {
  return (void)thread, (void)policy, (void)parameters, 0;
}

int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameters) {
  (void)thread;
  *policy = SCHED_OTHER;
  parameters->sched_priority = 0;
  xc_give(policy, sizeof *policy);
  xc_give(parameters, sizeof *parameters);
  return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set) { return (void)thread, (void)size, (void)set, 0; }

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  (void)thread;
  xc_zero(set, size);
  if (size) ((u8 *)set)[0] = 1;
  xc_give(set, size);
  return 0;
}

/* Of attributes that belong to a pthread_t or a pthread_attr_t of ours (attributes.c), the C library's functions must not know. */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes) {
  (void)thread;
  xc_born(attributes, sizeof *attributes);
  return 0;
}

int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *parameters) {
  return (void)attributes, (void)parameters, 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attributes, struct sched_param *parameters) {
  (void)attributes;
  parameters->sched_priority = 0;
  xc_give(parameters, sizeof *parameters);
  return 0;
}

int pthread_getcpuclockid(pthread_t thread, clockid_t *clock) {
  (void)thread;
  *clock = CLOCK_THREAD_CPUTIME_ID;
  xc_give(clock, sizeof *clock);
  return 0;
}
