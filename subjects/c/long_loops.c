//@ args: --entry f --array s=6
//@ complete: yes
// Runs are long: in the middle of the search the program is compiled again, to run fast.
#include <assert.h>
int f(unsigned n, unsigned char *s) {
  unsigned h = 0, k = 1;
  for (unsigned i = 0; i < 200000; i++) k = k * 31 + i;
  for (unsigned i = 0; i < 5000; i++) h = h * 31 + (i ^ n % 7);
  int c = 0;
  for (int i = 0; i < 6; i++)
    if (s[i] > 'a' + i) c++;
  if (c == 5) assert(n != 77); //! assertion
  return (h & 1) + (k & 1);
}
