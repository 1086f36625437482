//@ args: --entry sorts --array a=4
//@ complete: yes
// Array quick sort (Hoare's partition): the result is in order and holds every item once.
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

static void quicksort(struct item *a, int low, int high) {
  while (low < high) {
    int pivot = a[low + (high - low) / 2].key, i = low - 1, j = high + 1;
    for (;;) {
      do i++; while (a[i].key < pivot);
      do j--; while (a[j].key > pivot);
      if (i >= j) break;
      swap(&a[i], &a[j]);
    }
    quicksort(a, low, j);
    low = j + 1;
  }
}

void sorts(struct item *a) {
  int places = 0;
  for (int i = 0; i < N; i++) a[i].place = i;
  quicksort(a, 0, N - 1);
  for (int i = 1; i < N; i++) assert(a[i - 1].key <= a[i].key);
  for (int i = 0; i < N; i++) places |= 1 << a[i].place;
  assert(places == (1 << N) - 1);
}
