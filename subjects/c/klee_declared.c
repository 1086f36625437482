//@ complete: yes
// The same words without a header: a program may just declare them.
#include <assert.h>
#include <stddef.h>

extern void klee_make_symbolic(void *addr, size_t nbytes, const char *name);
extern void klee_assume(unsigned long condition);
extern int klee_int(const char *name);

int main(void) {
  int a;
  klee_make_symbolic(&a, sizeof a, "a");
  int b = klee_int("b");
  klee_assume(a > 1000 && b > a);
  assert(a + b != 123456); //! assertion
  return 0;
}
