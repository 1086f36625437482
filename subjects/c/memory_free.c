// Memory that is used after it was freed or left, and wrong calls of free.
//@ args: --entry wrong
//@ paths: 11
//@ complete: yes
#include <stdlib.h>
#include <string.h>

static int fixed[4];

static int *left(void) {
  int x[3] = {1, 2, 3};
  int *volatile p = x;
  return p;
}

int wrong(unsigned how) {
  int *p = calloc(4, sizeof *p), *q = 0, r = 0;
  int here[4] = {0};
  if (!p) exit(1);
  switch (how) {
    case 1: free(p); r = p[2]; p = 0; break;                  //! use-after-free
    case 2: free(p); p[0] = 1; p = 0; break;                  //! use-after-free
    case 3: q = realloc(p, 64); r = p[1]; p = q; break;       //! use-after-free
    case 4: free(p); memcpy(here, p, sizeof here); p = 0; break; //! use-after-free
    case 5: q = left(); r = *q; break;                        //! use-after-return
    case 6: q = left(); q[1] = 5; break;                      //! use-after-return
    case 7: free(p); free(p); p = 0; break;                   //! double-free
    case 8: free(p + 1); break;                               //! invalid-free
    case 9: free(here); break;                                //! invalid-free
    case 10: q = fixed; free(q); break;                       //! invalid-free
  }
  free(p);
  return r;
}
