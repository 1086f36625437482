// Semaphores: permits are never more than they were, waits block, attempts fail.
//@ args: --entry main
//@ paths: 2
//@ complete: yes
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t free_slots, used_slots;
static int slot;

static void *produces(void *unused) {
  for (int i = 1; i <= 2; i++) {
    assert(sem_wait(&free_slots) == 0);
    slot = i;
    assert(sem_post(&used_slots) == 0);
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  int value = -1;
  assert(sem_init(&free_slots, 0, 1) == 0 && sem_init(&used_slots, 0, 0) == 0);
  assert(sem_getvalue(&free_slots, &value) == 0 && value == 1);
  assert(sem_trywait(&used_slots) == -1 && errno == EAGAIN);
  pthread_create(&thread, NULL, produces, NULL);
  assert(sem_wait(&used_slots) == 0);
  assert(slot == 1);
  assert(sem_post(&free_slots) == 0);
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec++;
  if (sem_timedwait(&used_slots, &until) == 0) assert(slot == 2);
  else assert(errno == ETIMEDOUT);
  pthread_join(thread, NULL);
  assert(sem_destroy(&free_slots) == 0 && sem_destroy(&used_slots) == 0);
  return 0;
}
