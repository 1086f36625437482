/* Threads: each gets the name that it had when the order was recorded, its creator's name and the number of its creation.
 *
 * Invariant. A thread is over when its function, its cleanup handlers and the destructors of its keys are: only then it hands on. */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "replay.h"

struct start {
  void *(*function)(void *);
  void *argument;
  struct xcr_task *task;
};

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Destructors are called in rounds as long as somebody sets a key again: the last round is the end. */
static void destroyed(void *round) {
  if ((u64)round < PTHREAD_DESTRUCTOR_ITERATIONS) {
    pthread_setspecific(key, (char *)round + 1);
  } else {
    xcr_end();
  }
}

static void first(void) {
  pthread_key_create(&key, destroyed);
  pthread_setspecific(key, (void *)1); /* the creator's: the first thread may end with pthread_exit */
}

static void *begin(void *at) {
  struct start start = *(struct start *)at;
  xcr_release(at);
  pthread_setspecific(key, (void *)1);
  xcr_begin(start.task);
  return start.function(start.argument);
}

static struct xcr_task *child_of(struct xcr_task *parent) {
  char name[512];
  snprintf(name, sizeof name, "%s.%u", parent->name, parent->forks + 1);
  return xcr_task_at(xcr_task_named(name));
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument) {
  REAL(pthread_once)(&once, first);
  struct xcr_task *me = xcr_me;
  struct start *start = me ? malloc(sizeof *start) : 0;
  if (!start) return REAL(pthread_create)(thread, attributes, function, argument);
  xcr_access((u64)thread, sizeof *thread, 1);
  xcr_lock();
  struct xcr_task *task = child_of(me);
  xcr_unlock();
  *start = (struct start){function, argument, task};
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes) pthread_attr_getdetachstate(attributes, &state);
  task->detached = state == PTHREAD_CREATE_DETACHED;
  task->clock = me->clock;
  me->forks++;
  task->created = 1;
  u32 before = xcr_concurrent;
  xcr_concurrent = 1;
  int held = xcr_fork_begin();
  int error = REAL(pthread_create)(thread, attributes, begin, start);
  if (error) {
    xcr_release(start);
    me->forks--;
    task->created = 0;
    xcr_concurrent = before;
  }
  xcr_fork_end(held, error);
  return error;
}

/* The thread that was given this handle last: the C library uses them again. */
static struct xcr_task *task_of(pthread_t thread) {
  struct xcr_task *found = 0;
  for (u32 i = 0; i < xcr_n_tasks(); i++) {
    struct xcr_task *task = xcr_task_at(i);
    if (task->thread == thread && (!found || !task->joined)) found = task;
  }
  return found;
}

static void check(struct xcr_task *task) {
  const char *what = 0;
  if (task && task == xcr_me) what = "a thread joins itself";
  if (task && task->detached) what = "a thread is joined that was detached";
  if (task && task->joined) what = "a thread is joined a second time";
  if (what) xcr_misuse("bad-join", what);
}

/* When all other threads are over and were joined, accesses do not count. */
static void joined(struct xcr_task *task) {
  xcr_lock();
  if (task) task->joined = 1;
  if (task && xcr_me && xcr_me->clock < task->clock) xcr_me->clock = task->clock;
  u32 alive = 0, left = 0;
  for (u32 i = 0; i < xcr_n_tasks(); i++) {
    const struct xcr_task *other = xcr_task_at(i);
    alive += other->created && !other->ended;
    left += other->created && other->ended && !other->joined;
  }
  if (alive == 1 && !left) xcr_concurrent = 0;
  xcr_unlock();
}

static int take(int error, struct xcr_task *task, void *to, u32 bytes) {
  if (error) return error;
  joined(task);
  if (to) xcr_access((u64)to, bytes, 1);
  return 0;
}

int xcr_join(pthread_t thread, void **value, void *to, u32 bytes) {
  u32 arm;
  struct xcr_task *task = task_of(thread);
  check(task);
  xcr_turn(&arm);
  check(task);
  return take(REAL(pthread_join)(thread, value), task, to, bytes);
}

/* Where the order holds it, the answer is whether the thread has come to its end; the time is over if not. */
#define JOIN_NOW(name, busy, ...) \
  u32 arm; \
  struct xcr_task *task = task_of(thread); \
  check(task); \
  int ordered = xcr_turn(&arm); \
  check(task); \
  if (ordered && !(task && task->ended)) return busy; \
  return take(ordered ? REAL(pthread_join)(thread, value) : REAL(name)(thread, value, ##__VA_ARGS__), task, value, sizeof *value)

int pthread_tryjoin_np(pthread_t thread, void **value) { JOIN_NOW(pthread_tryjoin_np, EBUSY); }

int pthread_timedjoin_np(pthread_t thread, void **value, const struct timespec *until) { JOIN_NOW(pthread_timedjoin_np, ETIMEDOUT, until); }

int pthread_clockjoin_np(pthread_t thread, void **value, clockid_t clock, const struct timespec *until) {
  JOIN_NOW(pthread_clockjoin_np, ETIMEDOUT, clock, until);
}

int pthread_join(pthread_t thread, void **value) { return xcr_join(thread, value, value, sizeof *value); }

int pthread_detach(pthread_t thread) {
  struct xcr_task *task = task_of(thread);
  if (task && task->joined) xcr_misuse("bad-join", "a thread is detached that was joined");
  if (task && task->detached) return EINVAL;
  int error = REAL(pthread_detach)(thread);
  if (!error && task) task->detached = 1;
  return error;
}
