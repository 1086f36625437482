//@ args: --entry f
//@ paths: 4
//@ complete: yes
// The cases of a switch over an enumeration.
#include <stdlib.h>

enum colour { RED, GREEN = 5, BLUE };

int f(enum colour c) {
  switch (c) {
    case RED: return 1;
    case GREEN: return 2;
    case BLUE: abort(); //! abort
    default: return 3;
  }
}
