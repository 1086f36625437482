// Time is virtual: an hour of sleep takes no time, and clocks go forward.
//@ args: --entry main
//@ paths: 1
//@ complete: yes
#include <assert.h>
#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static void *sleeps(void *unused) {
  struct timespec before, after;
  clock_gettime(CLOCK_MONOTONIC, &before);
  assert(sleep(3600) == 0);
  clock_gettime(CLOCK_MONOTONIC, &after);
  assert(after.tv_sec >= before.tv_sec + 3600);
  return unused;
}

int main(void) {
  pthread_t thread;
  struct timeval now;
  time_t start = time(NULL);
  pthread_create(&thread, NULL, sleeps, NULL);
  usleep(2000000);
  gettimeofday(&now, NULL);
  assert(now.tv_sec >= start + 2);
  pthread_join(thread, NULL);
  return 0;
}
