/* Data of threads by key, and what is called when a thread ends: destructors of C++'s thread_local objects, then those of keys.
 *
 * Invariant. The table of keys and the values of the first thread are plain variables: what constructors put there is there in every run. */
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include "threads.h"

enum { KEYS = XC_KEYS, DESTRUCTORS = 64 };

static struct { u32 used; void (*destructor)(void *); } keys[KEYS];
static struct value { const void *value; u32 handle, pad; } first[KEYS]; /* handle: of a symbolic value, in this run */
_Static_assert(sizeof(struct value) == XC_KEY_BYTES, "threads.h says so");

/* Of threads other than the first. */
#define VALUES(task) ((struct value *)XC_FIBER_KEYS + (task) * KEYS)
struct ends { u32 run, n; struct { void (*function)(void *); void *object; } at[DESTRUCTORS]; };
#define ENDS ((struct ends *)XC_FIBER_ENDS)

static struct value *value_of(pthread_key_t key) {
  if (!xc_threads_running() || !XC_SELF->task) return &first[key];
  struct xc_fiber *self = XC_SELF;
  while (self->n_keys <= key) VALUES(self->task)[self->n_keys++] = (struct value){0, 0, 0};
  return &VALUES(self->task)[key];
}

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
  for (u32 i = 0; i < KEYS; i++) {
    if (keys[i].used) continue;
    keys[i].used = 1;
    keys[i].destructor = destructor;
    first[i] = (struct value){0, 0, 0};
    for (u32 j = 0; xc_threads_running() && j < XC_T->n_order; j++) VALUES(XC_T->order[j])[i] = first[i];
    *key = i;
    if (XC_P->running == XC_YES) xc_shadow_clear((u64)key, sizeof *key);
    return 0;
  }
  return EAGAIN;
}

int __pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) { return pthread_key_create(key, destructor); }

int pthread_key_delete(pthread_key_t key) {
  if (key >= KEYS || !keys[key].used) return EINVAL;
  keys[key].used = 0;
  return 0;
}

void *pthread_getspecific(pthread_key_t key) {
  struct value none = {0, 0, 0}, *value = key < KEYS && keys[key].used ? value_of(key) : &none;
  if (xc_threads_running()) XC->ret = value->handle;
  return (void *)value->value;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
  if (key >= KEYS || !keys[key].used) return EINVAL;
  u32 handle = xc_threads_running() && XC->tag == (u64)pthread_setspecific ? XC->args[1] : 0;
  XC->tag = 0;
  *value_of(key) = (struct value){value, handle, 0};
  return 0;
}

int __cxa_thread_atexit(void (*function)(void *), void *object, void *library) {
  (void)library;
  if (!xc_threads_running() || !XC_SELF->task) return 0; /* objects of the first thread stay, as those of static storage do */
  struct ends *ends = &ENDS[XC_SELF->task];
  if (ends->run != XC->run) ends->run = XC->run, ends->n = 0;
  if (ends->n == DESTRUCTORS) return -1;
  ends->at[ends->n].function = function;
  ends->at[ends->n++].object = object;
  return 0;
}

void xc_key_destructors(void) {
  struct ends *ends = &ENDS[XC_SELF->task];
  while (ends->run == XC->run && ends->n) {
    u32 last = --ends->n;
    ends->at[last].function(ends->at[last].object);
  }
  for (int round = 0, again = 1; again && round < PTHREAD_DESTRUCTOR_ITERATIONS; round++) {
    again = 0;
    for (u32 i = 0; i < KEYS; i++) {
      if (!keys[i].used || !keys[i].destructor) continue;
      struct value *value = value_of(i), was = *value;
      if (!was.value) continue;
      *value = (struct value){0, 0, 0};
      again = 1;
      XC->args[0] = was.handle;
      XC->tag = (u64)keys[i].destructor;
      keys[i].destructor((void *)was.value);
    }
  }
}
