//@ args: --entry f
//@ paths: 4
//@ complete: yes
// memcpy, memmove and memset carry symbolic bytes.
#include <stdlib.h>
#include <string.h>

struct pair { int a, b; };

void f(struct pair p, int fill) {
  struct pair q;
  char raw[16];
  memcpy(&q, &p, sizeof q);
  memcpy(raw, &q, sizeof q);
  memmove(raw + 4, raw, 8);
  int b;
  memcpy(&b, raw + 8, sizeof b);
  if (b == 1234567)
    if (q.a == 42) {
      memset(&q, fill, sizeof q);
      if (q.a == 0x05050505)
        if (q.b == q.a) abort(); //! abort
    }
}
