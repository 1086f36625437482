//@ args: --entry main --runs 4
// More inputs than a list could be searched for: each is found at once.
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void) {
  int last = 0;
  for (int i = 0; i < 150000; i++) last = __VERIFIER_nondet_int();
  if (last == 77) abort(); //! abort
  return 0;
}
