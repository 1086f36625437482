//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// Treiber's stack with nodes that are used again. One thread is interrupted in pop; meanwhile the other one pops both nodes and pushes the first one
// back: the compare-exchange takes A for what it was (ABA) and brings B back, which somebody owns. Corrected, the top carries a version.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static struct node { _Atomic int next; } nodes[3]; /* nodes 1 and 2; 0 is none */
static _Atomic uint32_t top; /* the node in the low half, the version in the high half */

#ifdef FIXED
#define NEXT_VERSION(t) (((t) & 0xffff0000u) + 0x10000u)
#else
#define NEXT_VERSION(t) 0u
#endif

static int pop(void) {
  for (;;) {
    uint32_t old = top;
    int node = (int)(old & 0xffff);
    if (node == 0) return 0;
    uint32_t next = (uint32_t)nodes[node].next;
    if (atomic_compare_exchange_strong(&top, &old, NEXT_VERSION(old) | next)) return node;
  }
}

static void push(int node) {
  for (;;) {
    uint32_t old = top;
    nodes[node].next = (int)(old & 0xffff);
    if (atomic_compare_exchange_strong(&top, &old, NEXT_VERSION(old) | (uint32_t)node)) return;
  }
}

static int owned[3];

static void *once(void *unused) {
  (void)unused;
  int a = pop();
  if (a) push(a);
  return 0;
}

static void *twice(void *unused) {
  (void)unused;
  int a = pop(), b = pop();
  if (a) push(a);
  owned[b] = b != 0;
  return 0;
}

int main(void) {
  pthread_t t[2];
  push(2);
  push(1);
  pthread_create(&t[0], 0, once, 0);
  pthread_create(&t[1], 0, twice, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  for (int n = (int)(top & 0xffff), i = 0; n && i < 3; n = nodes[n].next, i++) assert(!owned[n]); //! assertion unless FIXED
  return 0;
}
