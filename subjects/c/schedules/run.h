/* RUN(f, g, …): runs functions as threads, all of them at once, and waits for their ends. Each gets its number, from 0. */
#include <assert.h>
#include <pthread.h>

/* With -DSHARED=_Atomic there are the same executions, but no data races. */
#ifndef SHARED
#define SHARED
#endif

#define RUN(...) run((void *(*const[])(void *)){__VA_ARGS__}, sizeof((void *(*const[])(void *)){__VA_ARGS__}) / sizeof(void *))
#define THREAD(name) static void *name(void *number)
#define NUMBER ((int)(long)number)

static inline void run(void *(*const f[])(void *), unsigned long n) {
  pthread_t t[8];
  for (unsigned long i = 0; i < n; i++) pthread_create(&t[i], 0, f[i], (void *)i);
  for (unsigned long i = 0; i < n; i++) pthread_join(t[i], 0);
}

/* The same function n times. */
static inline void run_same(void *(*f)(void *), unsigned long n) {
  pthread_t t[8];
  for (unsigned long i = 0; i < n; i++) pthread_create(&t[i], 0, f, (void *)i);
  for (unsigned long i = 0; i < n; i++) pthread_join(t[i], 0);
}
