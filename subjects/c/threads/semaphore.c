//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// A semaphore with a permit too many lets two threads into the section.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#ifdef FIXED
#define PERMITS 1
#else
#define PERMITS 2
#endif

static sem_t room;
static int inside;

static void *thread(void *unused) {
  (void)unused;
  sem_wait(&room);
  int others = inside++; //! data-race unless FIXED
  assert(others == 0); //! assertion unless FIXED
  inside--;
  sem_post(&room);
  return 0;
}

int main(void) {
  sem_init(&room, 0, PERMITS);
  pthread_t t[2];
  for (long i = 0; i < 2; i++) pthread_create(&t[i], 0, thread, (void *)i);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  sem_destroy(&room);
  return 0;
}
