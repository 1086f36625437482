//@ args: --entry main
//@ complete: yes
//@ args: --entry main --schedules sleep
//@ complete: yes
//@ args: --entry main --schedules races
//@ complete: yes
// What two threads write to one pipe comes in the order in which they write it.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writes(void *letter) {
  if (write(ends[1], letter, 1) != 1) return 0;
  return letter;
}

int main(void) {
  pthread_t a, b;
  char first = 0;
  if (pipe(ends) != 0) return 1;
  pthread_create(&a, 0, writes, "a");
  pthread_create(&b, 0, writes, "b");
  if (read(ends[0], &first, 1) == 1) assert(first == 'a'); //! assertion
  pthread_join(a, 0);
  pthread_join(b, 0);
  close(ends[0]);
  close(ends[1]);
  return 0;
}
