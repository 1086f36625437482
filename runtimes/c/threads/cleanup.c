/* What is called when a thread ends before its function returns: cleanup handlers of C, destructors and handlers of C++.
 *
 * The macros of pthread.h leave a jmp_buf for each handler of C, in a list; with exceptions they are destructors, and the stack is unwound as the C
 * library does it: _Unwind_ForcedUnwind, which stops at the frame of the innermost jmp_buf, or at the end of the stack.
 *
 * Invariant. What is needed while the stack is unwound is in the fiber, for the frames below are gone. */
#include <pthread.h>
#include <setjmp.h>
#include <unwind.h>
#include "threads.h"

_Unwind_Reason_Code _Unwind_ForcedUnwind(struct _Unwind_Exception *, _Unwind_Stop_Fn, void *) __attribute__((weak));
_Unwind_Word _Unwind_GetCFA(struct _Unwind_Context *) __attribute__((weak));

/* As pthread.h has it; the first word of its private part links to the one before. */
static void **link_of(__pthread_unwind_buf_t *buffer) { return &buffer->__pad[0]; }

void __pthread_register_cancel(__pthread_unwind_buf_t *buffer) {
  if (!xc_threads_running()) return;
  *link_of(buffer) = XC_SELF->cleanup;
  XC_SELF->cleanup = buffer;
}

void __pthread_unregister_cancel(__pthread_unwind_buf_t *buffer) {
  if (xc_threads_running()) XC_SELF->cleanup = *link_of(buffer);
}

void __pthread_register_cancel_defer(__pthread_unwind_buf_t *buffer) {
  __pthread_register_cancel(buffer);
  if (!xc_threads_running()) return;
  buffer->__pad[1] = (void *)(u64)XC_SELF->cancel_asynchronous;
  XC_SELF->cancel_asynchronous = 0;
}

void __pthread_unregister_cancel_restore(__pthread_unwind_buf_t *buffer) {
  __pthread_unregister_cancel(buffer);
  if (xc_threads_running()) XC_SELF->cancel_asynchronous = (u32)(u64)buffer->__pad[1];
}

static _Noreturn void call_handler(__pthread_unwind_buf_t *buffer) {
  struct __jmp_buf_tag *jump = (struct __jmp_buf_tag *)buffer->__cancel_jmp_buf;
  XC_SELF->cleanup = *link_of(buffer);
  longjmp(jump, 1);
}

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class, struct _Unwind_Exception *exception,
                                struct _Unwind_Context *context, void *unused) {
  (void)version, (void)class, (void)exception, (void)unused;
  __pthread_unwind_buf_t *buffer = XC_SELF->cleanup;
  int end = actions & _UA_END_OF_STACK;
  if (buffer && (end || (u64)_Unwind_GetCFA(context) > (u64)buffer)) call_handler(buffer);
  if (!end) return _URC_NO_REASON;
  XC_SELF->unwound = 1;
  xc_fiber_exit(XC_SELF->result);
}

static void caught(_Unwind_Reason_Code reason, struct _Unwind_Exception *exception) {
  (void)reason, (void)exception;
  xc_fail_abort("the end of a thread is caught as an exception and not thrown again");
}

void xc_cleanup_handlers(void) {
  struct xc_fiber *self = XC_SELF;
  if (self->unwound) return;
  self->cancel_disabled = 1;
  if (_Unwind_ForcedUnwind && _Unwind_GetCFA) {
    struct _Unwind_Exception *exception = (struct _Unwind_Exception *)(((u64)self->unwind + 15) & ~15ull);
    xc_zero(exception, sizeof *exception);
    exception->exception_cleanup = caught;
    _Unwind_ForcedUnwind(exception, stop, 0);
  }
  if (self->cleanup) call_handler(self->cleanup);
  self->unwound = 1;
}

_Noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *buffer) {
  (void)buffer;
  xc_fiber_exit(XC_SELF->result);
}
