//@ args: --entry f
//@ paths: 4
//@ complete: yes
// A switch is one decision; labels with one body are one arm.
#include <stdlib.h>

int f(long x) {
  switch (x) {
    case 1: return 10;
    case 7:
    case -1234567890123: return 20;
    case 100: abort(); //! abort
  }
  return 0;
}
