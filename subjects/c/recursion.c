//@ args: --entry f
//@ complete: yes
// Recursion over an input: which Fibonacci number is 21?
#include <stdlib.h>

static unsigned fib(unsigned n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

void f(unsigned char n) {
  if (n > 9) return;
  if (fib(n) == 21) abort(); //! abort
}
