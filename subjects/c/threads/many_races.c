//@ args: --entry main --runs 60
//@ complete: no
//@ args: --entry main --runs 60 --races off
//@ complete: no
//@ args: --entry main --runs 60 --races only
//@ complete: no
// Two functions race in 144 pairs of places: that is one data race, and the assertion is found as well.
#include <assert.h>
#include <pthread.h>

static int x;

static void *up(void *unused) {
  x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++;
  return unused;
}

static void *more(void *unused) {
  x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; x++; //! data-race unless off
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, up, 0);
  pthread_create(&b, 0, more, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 24); //! assertion unless only
  return 0;
}
