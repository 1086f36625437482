//@ args: -- -DENDLESS
//@ complete: yes
//@ paths: 2
//@ args: -- -DABORTING
//@ complete: yes
//@ paths: 2
//@ args: --hang 500ms -- -DENDLESS -DTURNING
//@ complete: no
// The program has its own assumption, which ends in a loop that nothing leaves, or in abort. Neither is a failure.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_error(void);

#ifdef ENDLESS
void __VERIFIER_assume(int holds) {
  if (!holds) {
  LOOP:
    goto LOOP;
  }
}
#else
void __VERIFIER_assume(int holds) {
  if (!holds) abort();
}
#endif

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 3 && x < 100);
  if (x == 50) __VERIFIER_error(); //! assertion
#ifdef TURNING
  while (x == 60) __VERIFIER_assume(x); //! hang if TURNING
#endif
  return 0;
}
