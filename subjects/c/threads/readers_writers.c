//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// Readers and writers by hand (Courtois, Heymans, Parnas, first solution): the number of readers needs a lock of its own. Without it two readers both take themselves for the first.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;
static int readers;
static int value;

static void enter(void) {
#ifdef FIXED
  pthread_mutex_lock(&counting);
#endif
  int now = readers + 1; //! data-race unless FIXED
  readers = now;
  if (now == 1) sem_wait(&room);
#ifdef FIXED
  pthread_mutex_unlock(&counting);
#endif
}

static void leave(void) {
#ifdef FIXED
  pthread_mutex_lock(&counting);
#endif
  int left = readers - 1; //! data-race unless FIXED
  readers = left;
  if (left == 0) sem_post(&room);
#ifdef FIXED
  pthread_mutex_unlock(&counting);
#endif
}

static void *reader(void *unused) {
  (void)unused;
  enter();
  int before = value, after = value;
  assert(before == after); //! assertion unless FIXED
  leave();
  return 0;
}

static void *writer(void *unused) {
  (void)unused;
  sem_wait(&room); //! lost-wakeup unless FIXED
  value++; //! data-race unless FIXED
  value++;
  sem_post(&room);
  return 0;
}

int main(void) {
  pthread_t t[3];
  sem_init(&room, 0, 1);
  pthread_create(&t[0], 0, reader, 0);
  pthread_create(&t[1], 0, reader, 0);
  pthread_create(&t[2], 0, writer, 0);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  (void)counting;
  return 0;
}
