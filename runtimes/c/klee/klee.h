/* klee/klee.h: KLEE's words for programs under test, in terms of xcute.h. What has no meaning here (hints to KLEE's own search) does nothing. */
#ifndef XCUTE_KLEE_H
#define XCUTE_KLEE_H
#include <stddef.h>
#include <stdint.h>
#ifndef XCUTE_H
#include <xcute.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif
void klee_make_symbolic(void *addr, size_t nbytes, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);
uintptr_t klee_choose(uintptr_t n);
__attribute__((noreturn)) void klee_silent_exit(int status);
__attribute__((noreturn)) void klee_abort(void);
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message, const char *suffix);
unsigned klee_is_symbolic(uintptr_t n);
unsigned klee_is_replay(void);
float klee_get_valuef(float x);
double klee_get_valued(double x);
long klee_get_valuel(long x);
long long klee_get_valuell(long long x);
int32_t klee_get_value_i32(int32_t x);
int64_t klee_get_value_i64(int64_t x);
#ifdef __cplusplus
}
#endif

/* A name that is not a literal is not known when the program is compiled. */
#define XCUTE_NAME_(name) (__builtin_constant_p(name) ? (name) : "input")

#ifndef __cplusplus
/* What addr points to: an array as a whole, bytes behind a void pointer. */
#define XCUTE_ELEMENT_(addr) *_Generic((addr), void *: (unsigned char *)0, const void *: (unsigned char *)0, default: (addr))
#define XCUTE_IS_ARRAY_(addr) \
  (!__builtin_types_compatible_p(__typeof__(addr), __typeof__(&*(addr))) && __builtin_constant_p(sizeof(addr)))
#define XCUTE_POINTEE_(addr) \
  __typeof__(*__builtin_choose_expr(XCUTE_IS_ARRAY_(addr), (__typeof__(addr) *)0, (__typeof__(XCUTE_ELEMENT_(addr)) *)0))

/* Typed where the size is that of whole elements, else bytes. */
#define klee_make_symbolic(addr, nbytes, name)                                                                      \
  do {                                                                                                              \
    if ((nbytes) % sizeof(XCUTE_POINTEE_(addr)) == 0)                                                               \
      XCUTE_INPUT_((void *)(addr), XCUTE_POINTEE_(addr), (nbytes), XCUTE_NAME_(name), __COUNTER__);                 \
    else                                                                                                            \
      XCUTE_INPUT_((void *)(addr), unsigned char, (nbytes), XCUTE_NAME_(name), __COUNTER__);                        \
  } while (0)
#define klee_int(name)                                                                      \
  __extension__({                                                                           \
    int xcute_value;                                                                        \
    XCUTE_INPUT_(&xcute_value, int, sizeof(int), XCUTE_NAME_(name), __COUNTER__);           \
    xcute_value;                                                                            \
  })
#define klee_range(begin, end, name)                                                        \
  __extension__({                                                                           \
    int xcute_value;                                                                        \
    XCUTE_INPUT_(&xcute_value, int, sizeof(int), XCUTE_NAME_(name), __COUNTER__);           \
    xcute_assume(xcute_value >= (begin));                                                   \
    xcute_assume(xcute_value < (end));                                                      \
    xcute_value;                                                                            \
  })
#endif

#define klee_assume(condition) xcute_assume(condition)
#define klee_assert(condition) xcute_assert(condition)
#define klee_prefer_cex(object, condition) ((void)0)
#define klee_posix_prefer_cex(object, condition) ((void)0)
#define klee_warning(message) ((void)0)
#define klee_warning_once(message) ((void)0)
#define klee_print_expr(message, ...) ((void)0)
#define klee_print_range(message, value) ((void)0)
#define klee_stack_trace() ((void)0)
#define klee_mark_global(object) ((void)0)
#define klee_set_forking(enable) ((void)0)
#define klee_open_merge() ((void)0)
#define klee_close_merge() ((void)0)
#endif
