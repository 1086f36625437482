//@ args: --entry main --schedules dpor -- -DLOOK -DATOMIC
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DLOOK -DATOMIC
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules dpor
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 2
//@ complete: yes
//@ args: --entry main -- -DLOOK
//@ paths: 3
//@ args: --entry main --schedules dpor -- -DLOOK -DPLAIN
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DLOOK -DPLAIN
//@ paths: 3
//@ complete: yes
// A message and its flag, which is looked at once, or waited for. Who does not wait races for the message.
#include "run.h"

#ifdef ATOMIC
_Atomic
#endif
int data;
#ifndef PLAIN
_Atomic
#endif
int flag;

THREAD(sender) {
  data = 1;
  flag = 1;
  return 0;
}

THREAD(receiver) {
#ifdef LOOK
  int f = flag; //! data-race if PLAIN
  (void)f;
#else
  while (!flag) {}
#endif
  int d = data; //! data-race if LOOK unless ATOMIC
  (void)d;
  return 0;
}

int main(void) { RUN(sender, receiver); }
