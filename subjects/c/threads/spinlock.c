//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// Two spinlocks for one value: each thread takes its own, and neither excludes the other.
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock[2];
static int value;

static void *thread(void *number) {
#ifdef FIXED
  int mine = (int)(long)number & 0;
#else
  int mine = (int)(long)number;
#endif
  pthread_spin_lock(&lock[mine]);
  int old = value; //! data-race unless FIXED
  value = old + 1;
  pthread_spin_unlock(&lock[mine]);
  return 0;
}

int main(void) {
  for (int i = 0; i < 2; i++) pthread_spin_init(&lock[i], 0);
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(value == 2); //! assertion unless FIXED
  return 0;
}
