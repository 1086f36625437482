//@ args: --entry upper_half --array p=n
//@ complete: yes
//@ args: --entry beyond
//@ complete: yes
//@ args: --entry of_the_heap
//@ complete: yes
// Pointers that are computed from inputs and kept in variables: p + n / 2.
#include <stdlib.h>

int upper_half(const int *p, unsigned n) {
  if (!p || n > 6) return 0;
  const int *q = p + n / 2;
  int found = 0;
  for (; q != p + n; q++) found += *q == 77;
  if (found == 3) abort(); //! abort if upper_half
  return found;
}

int beyond(const int *p, unsigned n, unsigned m) {
  if (!p || n > 2 || m > 2) return 0;
  const int *q = p + n;
  const int *r = q + m;
  return *r; //! out-of-bounds if beyond
}

void of_the_heap(unsigned n, int x) {
  int *p = malloc(40);
  if (!p || n > 19) return;
  for (int i = 0; i < 10; i++) p[i] = i;
  int *q = p + n / 2;
  if (*q == x && x == 4) abort(); //! abort if of_the_heap
  free(p);
}
