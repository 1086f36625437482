//@ complete: yes
//@ paths: 11
// A correct binary search: nothing to find, and xcute says that it looked everywhere. 5 places to find the key, 6 gaps to miss it.
#include <xcute.h>

#define LENGTH 5

static int find(const int *sorted, int length, int key) {
  int low = 0, high = length - 1;
  while (low <= high) {
    int middle = low + (high - low) / 2;
    if (sorted[middle] == key)
      return middle;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return -1;
}

int main(void) {
  int sorted[LENGTH], key;
  xcute_input(sorted);
  xcute_input(key);
  for (int i = 0; i + 1 < LENGTH; i++)
    xcute_assume(sorted[i] < sorted[i + 1]);
  int at = find(sorted, LENGTH, key);
  if (at >= 0)
    xcute_assert(sorted[at] == key);
  else
    for (int i = 0; i < LENGTH; i++)
      xcute_assert(sorted[i] != key);
  return 0;
}
