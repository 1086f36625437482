/* free and realloc: where the program itself calls them, they are operations that others may see, as a write to all of the object.
 *
 * Invariant. What libraries free does not count, here as in runtimes/c/heap.c. */
#include <errno.h>
#include <malloc.h>
#include "replay.h"

extern const char __executable_start[], etext[];
void __libc_free(void *at);
void *__libc_realloc(void *at, size_t bytes);
void ___interceptor_free(void *at) __attribute__((weak));
void *___interceptor_realloc(void *at, size_t bytes) __attribute__((weak));

void xcr_release(void *at) {
  if (___interceptor_free) ___interceptor_free(at);
  else __libc_free(at);
}

static void frees(void *at, const char *caller) {
  /* How large it is matters only where it races; who frees what is none finds out below. */
  int races = xcr_me && XCR_UNLIKELY(xcr_me->hooks + 1 == xcr_me->race);
  if (at && caller >= __executable_start && caller < etext) xcr_access((u64)at, races ? (u32)malloc_usable_size(at) : 1, 1);
}

void free(void *at) {
  frees(at, __builtin_return_address(0));
  /* A sanitizer that tells of it names the caller of what it sees, so that must not be us. */
  if (___interceptor_free) __attribute__((musttail)) return ___interceptor_free(at);
  __attribute__((musttail)) return __libc_free(at);
}

void *realloc(void *at, size_t bytes) {
  frees(at, __builtin_return_address(0));
  if (___interceptor_realloc) __attribute__((musttail)) return ___interceptor_realloc(at, bytes);
  __attribute__((musttail)) return __libc_realloc(at, bytes);
}

void *reallocarray(void *at, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return 0;
  }
  frees(at, __builtin_return_address(0));
  if (___interceptor_realloc) return ___interceptor_realloc(at, bytes);
  return __libc_realloc(at, bytes);
}
