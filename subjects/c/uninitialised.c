// Values that nobody set decide a branch, a switch, an address: on the heap, on the stack, in registers, in parts of structs.
//@ args: --entry blank
//@ paths: 14
//@ complete: no
//@ limit: cut
#include <stdlib.h>
#include <string.h>

struct point { int x, y; };
struct flags { unsigned a : 3, b : 5, c : 9; };

static int larger(int a, int b) { return a > b ? a : b; } //! uninitialised

int blank(unsigned how, int given) {
  int *p = malloc(4 * sizeof *p), local, table[4], *q = malloc(16), *grown;
  char text[8];
  struct point here, there;
  struct flags bits;
  int *where, r = 0;
  if (!p || !q) exit(1);
  p[0] = 1;
  here.x = 1;
  bits.b = 3;
  text[0] = 'a';
  there = here;
  if (how == 1) local = given;
  switch (how) {
    case 1: if (local == 5) r = 1; break;
    case 2: if (local == 5) r = 1; break;                 //! uninitialised
    case 3: if (p[1] == 5) r = 1; break;                  //! uninitialised
    case 4: if (here.y > 0) r = 1; break;                 //! uninitialised
    case 5: if (there.y + here.x > 7) r = 1; break;       //! uninitialised
    case 6: if (bits.c == 2) r = 1; break;                //! uninitialised
    case 7: r = (int)strlen(text); break;                 //! uninitialised
    case 8: switch (p[2]) { case 3: r = 1; } break;       //! uninitialised
    case 9: table[0] = given; r = table[p[3] & 3]; break; //! uninitialised
    case 10: memcpy(q, p, 16); r = larger(q[0], q[2]); break;
    case 11:
      grown = realloc(p, 64);
      if (!grown) exit(1);
      p = grown;
      if (p[12]) r = 1;                                   //! uninitialised
      break;
    case 12: memcpy(&where, q, sizeof where); r = *where; break; //! uninitialised
  }
  free(p);
  free(q);
  return r;
}
