// What memory_free.c does wrong, done right.
//@ args: --entry right
//@ paths: 5
//@ complete: yes
#include <stdlib.h>
#include <string.h>

static int *stays(void) {
  static int x[3] = {1, 2, 3};
  return x;
}

static void filled(int *to) { *to = 7; }

int right(unsigned how) {
  int *p = calloc(4, sizeof *p), *q = 0, r = 0;
  int here[4] = {0};
  if (!p) exit(1);
  switch (how) {
    case 1: r = p[2]; free(p); p = 0; break;
    case 2:
      q = realloc(p, 64);
      if (!q) exit(1);
      r = q[1];
      p = q;
      break;
    case 3: q = stays(); r = *q + q[2]; break;
    case 4: filled(here); r = here[0]; free(NULL); break;
  }
  free(p);
  return r;
}
