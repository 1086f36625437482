//@ complete: no
//@ limit: cut
//@ paths: 5
// Uninitialised values in what a program says to xcute decide something, too.
#include "xcute.h"

extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

int main(void) {
  int how, late;
  xcute_input(how);
  switch (how) {
    case 1: xcute_assume(late > 3); break;      //! uninitialised
    case 2: xcute_assert(late > 3); break;      //! uninitialised
    case 3: __VERIFIER_assume(late > 3); break; //! uninitialised
    case 4: __VERIFIER_assert(late > 3); break; //! uninitialised
    default: break;
  }
  return 0;
}
