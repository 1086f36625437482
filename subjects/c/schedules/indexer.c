//@ args: --entry main --schedules dpor -- -DN=2 -DSIZE=8
//@ paths: 1
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=2 -DSIZE=8
//@ paths: 1
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=2 -DSIZE=4
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=2 -DSIZE=4
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DN=3 -DSIZE=8
//@ paths: 1
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DN=3 -DSIZE=8
//@ paths: 1
//@ complete: yes
// The indexer: threads insert into a hash table by compare and exchange. They meet only where their hashes do.
#include <stdatomic.h>
#include "run.h"

_Atomic int table[SIZE];

THREAD(insert) {
  for (int m = 1; m <= 2; m++) {
    int w = 11 * m + NUMBER, h = 7 * w % SIZE, free = 0;
    while (!atomic_compare_exchange_strong(&table[h], &free, w)) {
      h = (h + 1) % SIZE;
      free = 0;
    }
  }
  return 0;
}

int main(void) { run_same(insert, N); }
