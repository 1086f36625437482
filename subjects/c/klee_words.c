//@ complete: yes
// Functions of KLEE that a program only declares, the rarer ones too.
#include <stddef.h>
#include <stdint.h>

extern int klee_range(int begin, int end, const char *name);
extern void klee_make_symbolic(void *addr, size_t nbytes, const char *name);
extern void klee_assume(_Bool condition);
extern void klee_assert(_Bool condition);
extern void klee_prefer_cex(void *object, uintptr_t condition);
extern unsigned klee_is_symbolic(uintptr_t n);
extern long klee_get_valuel(long x);
extern int32_t klee_get_value_i32(int32_t x);
extern void klee_warning(const char *message);
extern void klee_print_expr(const char *message, ...);
extern void klee_silent_exit(int status);
extern void klee_report_error(const char *file, int line, const char *message, const char *suffix);

int main(void) {
  long wide;
  int narrow = klee_range(-5, 5, "narrow");
  klee_make_symbolic(&wide, sizeof wide, "wide");
  klee_prefer_cex(&wide, wide > 0);
  klee_assume(wide > 7);
  klee_warning("nothing happens");
  klee_print_expr("wide", wide);
  if (klee_is_symbolic((uintptr_t)wide)) klee_report_error("klee_words.c", 1, "never", "user.err");
  if (klee_get_value_i32(narrow) == 4) klee_assert(klee_get_valuel(wide) != 123456789012); //! assertion
  if (narrow == -5) klee_report_error("klee_words.c", 2, "the smallest", "user.err"); //! assertion
  if (narrow == 5) klee_assert(0);
  if (narrow == 3) klee_silent_exit(1);
  return 0;
}
