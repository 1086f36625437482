/* Threads of C11: what symbolic values need.
 *
 * Invariant. Nothing but names and results is changed here. */
#define _GNU_SOURCE
#include "common/c11.h"
#include "memory.h"
#include "threads.h"

/* What the caller told of its arguments is meant for the other function. */
static void tell(u64 told, u64 to, u32 from, u32 place) {
  if (XC->tag != told) return;
  XC->args[place] = XC->args[from];
  XC->tag = to;
}

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument) {
  tell((u64)thrd_create, (u64)pthread_create, 2, 3);
  /* The result is the low half of a register; thrd_join cuts it off. */
  int error = pthread_create((pthread_t *)thread, 0, (void *(*)(void *))(u64)start, argument);
  return error == EAGAIN ? thrd_nomem : result_of(error);
}

int thrd_join(thrd_t thread, int *result) {
  int error = pthread_join((pthread_t)thread, 0);
  const struct xc_fiber *fiber = (const struct xc_fiber *)thread;
  if (error) return result_of(error);
  if (!result) return thrd_success;
  if (XC->concurrent) xc_access_slow((u64)result, sizeof *result, 1);
  xc_check((u64)result, sizeof *result, XC_WRITE);
  *result = (int)(u64)fiber->result;
  xc_shadow_set((u64)result, sizeof *result, fiber->result_handle, XC_NODES[fiber->result_handle].k);
  return thrd_success;
}

_Noreturn void thrd_exit(int result) {
  tell((u64)thrd_exit, (u64)pthread_exit, 0, 0);
  pthread_exit((void *)(u64)(u32)result);
}
thrd_t thrd_current(void) { return (thrd_t)pthread_self(); }
int thrd_equal(thrd_t a, thrd_t b) { return a == b; }

int tss_create(tss_t *key, tss_dtor_t destructor) { return result_of(pthread_key_create(key, destructor)); }
void tss_delete(tss_t key) { pthread_key_delete(key); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) {
  tell((u64)tss_set, (u64)pthread_setspecific, 1, 1);
  return result_of(pthread_setspecific(key, value));
}
