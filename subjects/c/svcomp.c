//@ complete: yes
// A program of SV-COMP: nothing is included, everything is declared, and the bodies are the tool's.
extern void abort(void);
extern int __VERIFIER_nondet_int();
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

void assume_abort_if_not(int cond) {
  if (!cond) abort();
}

int main() {
  int n = __VERIFIER_nondet_int(), sum = 0;
  assume_abort_if_not(n >= 1 && n <= 3);
  for (int i = 0; i < n; i++) {
    unsigned char step = __VERIFIER_nondet_uchar();
    __VERIFIER_assume(step > 10);
    sum += step;
  }
  if (__VERIFIER_nondet_bool() && sum == 700) reach_error(); //! assertion
  return 0;
}
