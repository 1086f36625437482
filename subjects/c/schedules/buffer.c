//@ args: --entry main --schedules dpor -- -DP=1 -DC=1
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DP=1 -DC=1
//@ paths: 2
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DP=1 -DC=1 -DPUTS=2 -DGETS=2
//@ paths: 8
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DP=1 -DC=1 -DPUTS=2 -DGETS=2
//@ paths: 8
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DP=2 -DC=2 -DONE
//@ paths: 80
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DP=2 -DC=2 -DONE
//@ paths: 80
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DP=2 -DC=2
//@ paths: 80
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DP=2 -DC=2
//@ paths: 80
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DP=1 -DC=2 -DPUTS=2 -DONE
//@ paths: 40
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DP=1 -DC=2 -DPUTS=2 -DONE
//@ paths: 40
//@ complete: yes
//@ args: --entry main --schedules dpor -- -DP=1 -DC=2 -DPUTS=2 -DIF -DONE
//@ paths: 40
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DP=1 -DC=2 -DPUTS=2 -DIF -DONE
//@ paths: 40
//@ complete: yes
//@ args: --entry main --schedules dpor --spurious 1 -- -DP=1 -DC=1
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep --spurious 1 -- -DP=1 -DC=1
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules dpor --spurious 1 -- -DP=1 -DC=1 -DIF
//@ paths: 3
//@ complete: yes
//@ args: --entry main --schedules sleep --spurious 1 -- -DP=1 -DC=1 -DIF
//@ paths: 3
//@ complete: yes
// A bounded buffer of one place in many forms: P producers and C consumers, one signal or all, `while` or the wrong `if`.
#include "run.h"

#ifndef PUTS
#define PUTS 1
#endif
#ifndef GETS
#define GETS 1
#endif
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int n;

static void turn(int blocked, int change) {
  pthread_mutex_lock(&m);
  while (n == blocked) {
    pthread_cond_wait(&changed, &m); //! lost-wakeup if ONE unless IF
#ifdef IF
    if (change < 0) break;
#endif
  }
  int left = n + change;
  if (left < 0) {
    pthread_mutex_unlock(&m);
    assert(!"the buffer is empty"); //! assertion if IF
  }
  n = left;
#ifndef ONE
  pthread_cond_broadcast(&changed);
#else
  pthread_cond_signal(&changed);
#endif
  pthread_mutex_unlock(&m);
}

THREAD(either) {
  if (NUMBER < P)
    for (int i = 0; i < PUTS; i++) turn(1, 1);
  else
    for (int i = 0; i < GETS; i++) turn(0, -1);
  return 0;
}

int main(void) { run_same(either, P + C); }
