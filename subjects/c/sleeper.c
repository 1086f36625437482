//@ args: --entry f
//@ paths: 2
//@ complete: yes
// Sleeping takes no time, and is not a hang.
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void f(int x) {
  time_t start = time(0);
  struct timespec nap = {100, 0};
  sleep(3);
  usleep(900000);
  nanosleep(&nap, 0);
  if (time(0) - start < 103) return;
  if (x == 5) abort(); //! abort
}
