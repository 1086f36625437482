//@ args: --entry main --schedules dpor -- -DN=2
//@ paths: 4
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=2
//@ paths: 4
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=3
//@ paths: 8
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=3
//@ paths: 8
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=4
//@ paths: 16
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=4
//@ paths: 16
//@ complete: yes
// N readers and a writer: each reader is before or after it, 2^N ways.
#include "run.h"

int x;

THREAD(either) {
  if (NUMBER < N) {
    int v = x;
    (void)v;
  } else x = 1; //! data-race
  return 0;
}

int main(void) { run_same(either, N + 1); }
