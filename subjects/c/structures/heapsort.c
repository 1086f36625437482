//@ args: --entry sorts --array a=4
//@ complete: yes
// Array heap sort: the result is in order and holds every item once.
#include <assert.h>

#ifndef N
#define N 4
#endif

struct item {
  int key, place;
};

static void swap(struct item *a, struct item *b) {
  struct item kept = *a;
  *a = *b;
  *b = kept;
}

static void sift(struct item *a, int from, int n) {
  for (int child; (child = 2 * from + 1) < n; from = child) {
    if (child + 1 < n && a[child].key < a[child + 1].key) child++;
    if (a[from].key >= a[child].key) return;
    swap(&a[from], &a[child]);
  }
}

static void heapsort(struct item *a, int n) {
  for (int i = n / 2 - 1; i >= 0; i--) sift(a, i, n);
  for (int i = n - 1; i > 0; i--) {
    swap(&a[0], &a[i]);
    sift(a, 0, i);
  }
}

void sorts(struct item *a) {
  int places = 0;
  for (int i = 0; i < N; i++) a[i].place = i;
  heapsort(a, N);
  for (int i = 1; i < N; i++) assert(a[i - 1].key <= a[i].key);
  for (int i = 0; i < N; i++) places |= 1 << a[i].place;
  assert(places == (1 << N) - 1);
}
