// Threads of C11.
//@ args: --entry main
//@ complete: yes
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static mtx_t mutex, again;
static cnd_t ready;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t own;
static thread_local int local = 5;
static int there, calls;

static void once(void) { calls++; }

static int works(void *argument) {
  call_once(&flag, once);
  assert(!tss_get(own));
  tss_set(own, malloc(1));
  assert(local == 5);
  local = 6;
  mtx_lock(&mutex);
  there = 1;
  cnd_signal(&ready);
  mtx_unlock(&mutex);
  thrd_yield();
  if (*(int *)argument) thrd_exit(41);
  return 42;
}

int main(void) {
  thrd_t thread;
  int exits = 1, result = 0;
  assert(mtx_init(&mutex, mtx_plain) == thrd_success && mtx_init(&again, mtx_plain | mtx_recursive) == thrd_success);
  assert(cnd_init(&ready) == thrd_success && tss_create(&own, free) == thrd_success);
  assert(thrd_create(&thread, works, &exits) == thrd_success);
  call_once(&flag, once);
  mtx_lock(&mutex);
  assert(mtx_trylock(&again) == thrd_success && mtx_trylock(&again) == thrd_success);
  mtx_unlock(&again);
  mtx_unlock(&again);
  while (!there) cnd_wait(&ready, &mutex);
  mtx_unlock(&mutex);
  assert(thrd_join(thread, &result) == thrd_success && result == 41);
  assert(calls == 1 && local == 5);
  thrd_sleep(&(struct timespec){.tv_sec = 3600}, NULL);
  mtx_destroy(&mutex);
  cnd_destroy(&ready);
  tss_delete(own);
  return 0;
}
