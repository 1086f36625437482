/* Attributes of threads, as far as they matter: whether a thread is detached. Sizes and places of stacks are ours.
 *
 * They keep what they are told in the memory of the pthread_attr_t, as the C library's do: all but the flag of detachment is ignored.
 *
 * Invariant. The word at offset 0 holds the state of detachment; the rest is 0. */
#include <errno.h>
#include <pthread.h>
#include "threads.h"

int pthread_attr_init(pthread_attr_t *attributes) {
  xc_zero(attributes, sizeof *attributes);
  return 0;
}

int pthread_attr_destroy(pthread_attr_t *attributes) {
  xc_zero(attributes, sizeof *attributes);
  return 0;
}

int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state) {
  if (state != PTHREAD_CREATE_DETACHED && state != PTHREAD_CREATE_JOINABLE) return EINVAL;
  *(int *)attributes = state;
  return 0;
}

int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state) {
  *state = *(const int *)attributes;
  return 0;
}
