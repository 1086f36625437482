//@ args: --entry bar
//@ paths: 3
//@ complete: yes
// CUTE's section 4.3.1: the field is overwritten through a cast pointer; no alias analysis is needed to see it.
#include <stddef.h>
#include <stdlib.h>

struct foo {
  int i;
  char c;
};

static void *set(void *s, char c, size_t n) {
  for (size_t i = 0; i < n; i++) ((char *)s)[i] = c;
  return s;
}

void bar(struct foo *a) {
  if (a && a->c == 1) {
    set(a, 0, sizeof(struct foo));
    if (a->c != 1) abort(); //! abort
  }
}
