//@ args: --entry f
//@ complete: yes
// Inputs whose types are known only inside the function that asks for them.
#include <stdlib.h>
#include <xcute.h>

int f(void) {
  struct local { int k; struct local *next; short tail[2]; } x, *p;
  xcute_input(x);
  xcute_input(p);
  if (x.k == 3 && x.tail[1] == -4 && x.next && x.next->k == 8 && p == x.next) abort(); //! abort
  return 0;
}
