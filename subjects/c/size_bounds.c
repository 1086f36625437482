//@ args: --entry last --array p=n
//@ complete: yes
//@ bound: n up to 8
//@ args: --entry last --array p=n --elements 16
//@ complete: yes
//@ bound: n up to 16
//@ args: --entry last --array p=3
//@ complete: yes
//@ bound: p of 3 elements
//@ args: --entry spelled
//@ complete: yes
//@ bound: strings of up to 8 characters
//@ args: --entry spelled --string 3
//@ complete: yes
//@ bound: strings of up to 3 characters
//@ args: --entry main
//@ complete: yes
//@ bound: main without arguments
// Inputs are made up to a size, which the verdict names. What only larger ones reach is not found.
#include <stdlib.h>
#include <string.h>
#include "xcute.h"

int last(const int *p, int n) {
  if (n >= 15 && p[14] == 3) abort(); //! abort if --elements 16
  return 0;
}

int spelled(const char *s) {
  if (s && strlen(s) == 5) abort(); //! abort if spelled unless --string 3
  return 0;
}

int main(int argc, char **argv) {
  int x;
  xcute_input(x);
  if (argc == 1 && x == 9) abort(); //! abort if main
  return argv[0][0] == 0;
}
