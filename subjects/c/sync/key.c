// Data of threads by key: everybody has their own, and destructors are called at the end of a thread.
//@ args: --entry main
//@ paths: 1
//@ complete: yes
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key, plain;
static int destroyed;

static void destroys(void *value) {
  destroyed += *(int *)value;
  free(value);
}

static void *sets(void *value) {
  assert(!pthread_getspecific(key));
  int *own = malloc(sizeof *own);
  *own = *(int *)value;
  assert(pthread_setspecific(key, own) == 0);
  assert(pthread_setspecific(plain, own) == 0);
  if (*own == 2) pthread_exit(NULL);
  assert(pthread_getspecific(key) == own);
  return NULL;
}

int main(void) {
  pthread_t thread;
  int one = 1, two = 2;
  assert(pthread_key_create(&key, destroys) == 0 && pthread_key_create(&plain, NULL) == 0);
  assert(pthread_setspecific(key, &one) == 0);
  pthread_create(&thread, NULL, sets, &one);
  pthread_join(thread, NULL);
  pthread_create(&thread, NULL, sets, &two);
  pthread_join(thread, NULL);
  assert(destroyed == 3);
  assert(pthread_getspecific(key) == &one);
  assert(pthread_key_delete(key) == 0);
  assert(pthread_setspecific(key, &one) != 0);
  return 0;
}
