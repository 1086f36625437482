//@ args: --entry locked
//@ complete: yes
//@ args: --entry exchanged
//@ complete: yes
//@ args: --entry fenced
//@ complete: yes
//@ args: --entry stores
//@ complete: yes
//@ args: --entry plain
//@ complete: no
//@ limit: unsupported
//@ args: --entry hidden
//@ complete: no
//@ limit: unsupported
// Operands of inline assembly in memory are accesses like others. A locked instruction is one step; what reads and writes without a lock is not,
// and what is behind a pointer in a register is not seen.
#include <assert.h>
#include <pthread.h>

static int n, seen;

static void run(void *(*first)(void *), void *(*second)(void *)) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}

static void *add_locked(void *unused) {
  (void)unused;
  __asm__ volatile("lock; incl %0" : "+m"(n) : : "memory");
  return 0;
}

void locked(void) {
  run(add_locked, add_locked);
  assert(n == 2);
}

static void *set(void *unused) {
  (void)unused;
  int one = 1;
  __asm__ volatile("xchgl %0, %1" : "+r"(one), "+m"(n) : : "memory");
  return 0;
}

static void *look(void *unused) {
  (void)unused;
  int v = 0;
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(n) : : "memory");
  seen = v;
  return 0;
}

void exchanged(void) {
  run(set, look);
  assert(seen == 0); //! assertion if exchanged
}

static void *add_fenced(void *unused) {
  (void)unused;
  __asm__ volatile("mfence" : : : "memory");
  __atomic_fetch_add(&n, 1, __ATOMIC_SEQ_CST);
  __asm__ volatile("pause");
  return 0;
}

void fenced(void) {
  run(add_fenced, add_fenced);
  assert(n == 2);
}

static void *store(void *unused) {
  (void)unused;
  __asm__ volatile("movl $1, %0" : "=m"(n)); //! data-race if stores
  return 0;
}

void stores(void) { run(store, store); }

static void *add_plain(void *unused) {
  (void)unused;
  __asm__ volatile("incl %0" : "+m"(n)); //! data-race if plain
  return 0;
}

void plain(void) { run(add_plain, add_plain); }

static void *add_hidden(void *unused) {
  (void)unused;
  int *p = &n;
  __asm__ volatile("movl (%0), %%eax; addl $1, %%eax; movl %%eax, (%0)" : : "r"(p) : "eax", "memory");
  return 0;
}

void hidden(void) {
  run(add_hidden, add_hidden);
  assert(n == 2);
}
