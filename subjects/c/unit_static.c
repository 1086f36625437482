//@ args: --entry f
//@ complete: yes
// Nobody outside of the file sees its entry, nor the types that it needs.
#include <assert.h>

enum colour { RED, GREEN = 5, BLUE };
union word { int number; unsigned char bytes[4]; };
struct pair { enum colour first; union word second; unsigned low : 3, high : 5; };

static void f(struct pair pair) {
  if (pair.first != BLUE || pair.high != 17) return;
  assert(pair.second.bytes[2] != 9); //! assertion
}

void (*used)(struct pair) = f;
