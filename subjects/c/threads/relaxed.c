//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main -- -DFENCES
//@ complete: yes
// Data that a flag announces: a relaxed flag orders nothing, so the read of the data is a race. A releasing store and an acquiring load order it, and so do
// fences around relaxed ones.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

#ifdef FIXED
enum { STORE = memory_order_release, LOAD = memory_order_acquire };
#else
enum { STORE = memory_order_relaxed, LOAD = memory_order_relaxed };
#endif

static void *writes(void *unused) {
  data = 42;
#ifdef FENCES
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&flag, 1, STORE);
  return unused;
}

int main(void) {
  pthread_t t;
  int seen = 42;
  pthread_create(&t, 0, writes, 0);
  if (atomic_load_explicit(&flag, LOAD)) {
#ifdef FENCES
    atomic_thread_fence(memory_order_acquire);
#endif
    seen = data; //! data-race unless F
  }
  pthread_join(t, 0);
  return seen != 42;
}
