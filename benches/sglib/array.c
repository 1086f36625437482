/* Sorting arrays with SGLIB. */
#include <assert.h>
#include "sglib.h"

enum { N = 6 };

static int compare(int x, int y) { return x < y ? -1 : x > y; }

static void check(const int *a) {
  for (int i = 1; i < N; i++) assert(a[i - 1] <= a[i]);
}

void quick_sort(int *a) {
  SGLIB_ARRAY_SINGLE_QUICK_SORT(int, a, N, compare);
  check(a);
}

void heap_sort(int *a) {
  SGLIB_ARRAY_SINGLE_HEAP_SORT(int, a, N, compare);
  check(a);
}
