//@ complete: yes
// Declarations with other types than usual: what is given has the range that the word's name says.
extern void reach_error();
extern int __VERIFIER_nondet_bool();
extern unsigned __VERIFIER_nondet_uchar();
extern void __VERIFIER_assume(_Bool);

int main() {
  int b = __VERIFIER_nondet_bool();
  unsigned u = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(u > 3);
  if (b > 1 || u > 255) reach_error();
  if (b == 1 && u == 77) reach_error(); //! assertion
  return 0;
}
