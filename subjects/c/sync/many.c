// Two hundred threads, created and joined.
//@ args: --entry main
//@ paths: 1
//@ complete: yes
#include <assert.h>
#include <pthread.h>

enum { MANY = 200 };
static int results[MANY];

static void *works(void *mine) {
  *(int *)mine = 1;
  return mine;
}

int main(void) {
  pthread_t threads[MANY];
  int sum = 0;
  for (int i = 0; i < MANY; i++) assert(pthread_create(&threads[i], NULL, works, &results[i]) == 0);
  for (int i = 0; i < MANY; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < MANY; i++) sum += results[i];
  assert(sum == MANY);
  return 0;
}
