//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// A queue of work with two workers. Broken, whether there is work is asked outside of the lock: both workers see the one job that is left.
#include <assert.h>
#include <pthread.h>

#define JOBS 2

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int left = JOBS, done[JOBS];

static int take(int *job) {
#ifndef FIXED
  if (left == 0) return 0; //! data-race unless FIXED
#endif
  pthread_mutex_lock(&m);
#ifdef FIXED
  if (left == 0) {
    pthread_mutex_unlock(&m);
    return 0;
  }
#endif
  *job = --left;
  pthread_mutex_unlock(&m);
  return 1;
}

static void *worker(void *unused) {
  (void)unused;
  for (int job; take(&job);) {
    assert(job >= 0); //! assertion unless FIXED
    done[job]++;
  }
  return 0;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, worker, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  for (int i = 0; i < JOBS; i++) assert(done[i] == 1);
  return 0;
}
