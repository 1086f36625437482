//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// A bounded buffer whose consumers test with `if` what they must test with `while`: a thread that is woken may come too late.
#include <assert.h>
#include <pthread.h>

#define SIZE 2
#ifdef FIXED
#define UNTIL while
#else
#define UNTIL if
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t not_empty = PTHREAD_COND_INITIALIZER, not_full = PTHREAD_COND_INITIALIZER;
static int items[SIZE], count;

static void put(int item) {
  pthread_mutex_lock(&m);
  while (count == SIZE) pthread_cond_wait(&not_full, &m);
  items[count++] = item;
  pthread_cond_signal(&not_empty);
  pthread_mutex_unlock(&m);
}

static int get(void) {
  pthread_mutex_lock(&m);
  UNTIL (count == 0) pthread_cond_wait(&not_empty, &m);
  assert(count > 0); //! assertion unless FIXED
  int item = items[--count];
  pthread_cond_signal(&not_full);
  pthread_mutex_unlock(&m);
  return item;
}

static void *producer(void *unused) {
  (void)unused;
  put(1);
  put(2);
  return 0;
}

static void *consumer(void *unused) {
  (void)unused;
  get();
  return 0;
}

int main(void) {
  pthread_t p, c[2];
  pthread_create(&c[0], 0, consumer, 0);
  pthread_create(&c[1], 0, consumer, 0);
  pthread_create(&p, 0, producer, 0);
  pthread_join(p, 0);
  pthread_join(c[0], 0);
  pthread_join(c[1], 0);
  return 0;
}
