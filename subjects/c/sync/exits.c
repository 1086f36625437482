// A thread ends before its function returns: handlers run from the innermost on.
//@ args: --entry main
//@ paths: 1
//@ complete: yes
#include <assert.h>
#include <pthread.h>

static int order;

static void handles(void *number) { order = order * 10 + *(int *)number; }

static void leaves(void) {
  int two = 2;
  pthread_cleanup_push(handles, &two);
  pthread_exit(&order);
  pthread_cleanup_pop(0);
}

static void *works(void *unused) {
  int one = 1, three = 3;
  pthread_cleanup_push(handles, &one);
  pthread_cleanup_push(handles, &three);
  pthread_cleanup_pop(1);
  leaves();
  pthread_cleanup_pop(0);
  return unused;
}

int main(void) {
  pthread_t thread;
  void *result;
  pthread_create(&thread, NULL, works, NULL);
  pthread_join(thread, &result);
  assert(result == &order && order == 321);
  return 0;
}
