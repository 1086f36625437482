//@ args: --entry f
//@ paths: 3
//@ complete: yes
// Inputs in the middle of the code, an assumption and an assertion.
#include <xcute.h>

static int read_sensor(void) {
  int value;
  xcute_input(value);
  xcute_assume(value >= 0 && value <= 100);
  return value;
}

void f(void) {
  int a = read_sensor(), b = read_sensor();
  if (a > 90) xcute_assert(a + b != 150); //! assertion
}
