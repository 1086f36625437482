//@ args: --entry main --schedules dpor
//@ paths: 4
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ paths: 4
//@ complete: yes
// Two readers and a writer of a readers-writer lock: readers commute.
#include "run.h"

pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
int x;

THREAD(reader) {
  pthread_rwlock_rdlock(&l);
  int v = x;
  (void)v;
  pthread_rwlock_unlock(&l);
  return 0;
}

THREAD(writer) {
  pthread_rwlock_wrlock(&l);
  x = 1;
  pthread_rwlock_unlock(&l);
  return 0;
}

int main(void) { RUN(reader, reader, writer); }
