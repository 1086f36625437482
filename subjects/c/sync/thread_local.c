// Thread-local variables: everybody has their own, as it was initialised, also in a thread that begins later.
//@ args: --entry main
//@ paths: 1
//@ complete: yes
#include <assert.h>
#include <pthread.h>

static _Thread_local int number = 3, *where;
static _Thread_local char text[100];
static int *seen[2];

static void *works(void *me) {
  int i = *(int *)me;
  assert(number == 3 && !where && !text[99]);
  number = i;
  where = &number;
  text[99] = (char)i;
  seen[i] = where;
  assert(*where == i);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int zero = 0, one = 1;
  number = 9;
  pthread_create(&a, NULL, works, &zero);
  pthread_create(&b, NULL, works, &one);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(seen[0] != seen[1] && seen[0] != &number);
  assert(number == 9 && !where);
  return 0;
}
