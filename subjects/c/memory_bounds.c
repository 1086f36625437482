// Accesses that miss their object by one element: on the heap, on the stack, in globals, through an input, by library functions.
//@ args: --entry miss --array given=3
//@ paths: 17
//@ complete: yes
#include <stdlib.h>
#include <string.h>

static short table[5];
static const char word[] = "word";

static int sum(const short *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += p[i]; //! out-of-bounds
  return s;
}

int miss(unsigned where, int *given) {
  char small[8] = "small", *p = malloc(6), *big = calloc(64, 1);
  static int count[3];
  int r = 0;
  if (!p || !big) exit(1);
  memset(p, 0, 6);
  switch (where) {
    case 1: r = p[6]; break;                 //! out-of-bounds
    case 2: p[6] = 1; break;                 //! out-of-bounds
    case 3: r = p[-1]; break;                //! out-of-bounds
    case 4: p[-1] = 1; break;                //! out-of-bounds
    case 5: r = *(volatile char *)(small + 8); break; //! out-of-bounds
    case 6: *(volatile char *)(small - 1) = 1; break; //! out-of-bounds
    case 7: r = sum(table, 6); break;
    case 8: *(volatile int *)(count + 3) = 1; break;  //! out-of-bounds
    case 9: r = *(volatile const char *)(word + 5); break; //! out-of-bounds
    case 10: strcpy(small, "too long"); break; //! out-of-bounds
    case 11: memcpy(p, big, 7); break;       //! out-of-bounds
    case 12: memcpy(big, p, 7); break;       //! out-of-bounds
    case 13: memset(small, 0, 9); break;     //! out-of-bounds
    case 14: r = (int)strlen(memset(p, 'x', 6)); break; //! out-of-bounds
    case 15: r = given[3]; break;            //! out-of-bounds
    case 16: *(int *)(p + 3) = 1; break;     //! out-of-bounds
  }
  free(p);
  free(big);
  return r;
}
