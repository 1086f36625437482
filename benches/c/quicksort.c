/* Sorts N numbers: one path for each of the N! orders that its comparisons tell apart. */
#include "bench.h"
#ifndef N
#define N 7
#endif

static void swap(int *a, int *b) {
  int old = *a;
  *a = *b;
  *b = old;
}

static void sort(int *from, int *last) {
  int *small = from;
  if (from >= last)
    return;
  for (int *at = from; at < last; at++)
    if (*at < *last)
      swap(small++, at);
  swap(small, last);
  sort(from, small - 1);
  sort(small + 1, last);
}

int main(void) {
  int numbers[N];
  INPUT(numbers);
  sort(numbers, numbers + N - 1);
  for (int i = 1; i < N; i++)
    if (numbers[i - 1] > numbers[i])
      FAIL();
  return 0;
}
