//@ args: --entry main
//@ complete: yes
// realloc frees what it is given, as others may find out.
#include <pthread.h>
#include <stdlib.h>

static int *values;

static void *writer(void *unused) {
  int *mine = values;
  mine[0] = 1; //! use-after-free
  return unused;
}

static void *grower(void *unused) {
  int *more = realloc(values, 4000); //! data-race
  free(more);
  return unused;
}

int main(void) {
  pthread_t t[2];
  values = malloc(4);
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, grower, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  return 0;
}
