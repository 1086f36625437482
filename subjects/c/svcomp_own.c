//@ complete: yes
// The program has its own bodies of reach_error and __VERIFIER_assert.
extern void abort(void);
extern void __assert_fail(const char *, const char *, unsigned int, const char *) __attribute__((__nothrow__, __leaf__, __noreturn__));
extern long __VERIFIER_nondet_long(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_error(void);

void reach_error() { __assert_fail("0", "svcomp_own.c", 9, "reach_error"); } //! assertion
void __VERIFIER_assert(int cond) {
  if (!cond) {
    abort(); //! assertion
  }
}

int main(void) {
  long x = __VERIFIER_nondet_long(), y = __VERIFIER_nondet_long();
  if (x > 0 && x < 100 && y == x * x && y == 1521) reach_error();
  if (x == 5000) __VERIFIER_error(); //! assertion
  __VERIFIER_assert(__VERIFIER_nondet_double() != 2.5);
  return 0;
}
