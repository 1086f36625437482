//@ args: --entry f
//@ paths: 3
//@ complete: yes
// Globals, statics and the C library's state are fresh in each run: nothing of an earlier run is seen.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int calls;
static char text[] = "a,b";

void f(int x) {
  static int more = 7;
  calls++;
  more++;
  if (calls != 1 || more != 8) abort();
  if (rand() != 1804289383) abort();
  if (strcmp(strtok(text, ","), "a") != 0) abort();
  printf("%d", calls);
  if (x > 10) exit(0);
  if (x < -10) exit(1);
}
