//@ paths: 2
//@ complete: yes
// SV-COMP's words, with and without extern "C".
extern "C" int __VERIFIER_nondet_int(void);
extern bool __VERIFIER_nondet_bool();
extern "C" void reach_error(void);

int main() {
  int x = __VERIFIER_nondet_int();
  bool b = __VERIFIER_nondet_bool();
  if (x == 77 + b) reach_error();  //! assertion
}
