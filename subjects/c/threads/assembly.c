//@ args: --entry main
//@ complete: no
//@ limit: unsupported
// What happens between the instructions of inline assembly is not explored: the search is not complete.
#include <assert.h>
#include <pthread.h>

static int x;

static void *adds(void *unused) {
  __asm__ volatile("movl %0, %%eax; incl %%eax; movl %%eax, %0" : "+m"(x) : : "eax");
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, adds, 0);
  pthread_create(&b, 0, adds, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
