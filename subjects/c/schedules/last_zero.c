//@ args: --entry main --schedules dpor -- -DN=1
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=1
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=2
//@ paths: 5
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=2
//@ paths: 5
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=3
//@ paths: 12
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=3
//@ paths: 12
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=4
//@ paths: 28
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=4
//@ paths: 28
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=5
//@ paths: 64
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=5
//@ paths: 64
//@ complete: yes
// The last element that is zero, while others write: (N+3) * 2^(N-2) executions that differ.
#include "run.h"

SHARED int a[N + 1];

THREAD(either) {
  int j = NUMBER;
  if (j == 0) {
    int i = N;
    while (a[i] != 0) i--;
  } else a[j] = a[j - 1] + 1; //! data-race
  return 0;
}

int main(void) { run_same(either, N + 1); }
