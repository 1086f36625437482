//@ complete: yes
// A program for KLEE: its header is found without a flag, its inputs have their types.
#include <klee/klee.h>

struct message { short kind; int length; };

static int sum(const unsigned char *bytes, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += bytes[i];
  return s;
}

int main(void) {
  struct message m;
  unsigned char bytes[4];
  int limit = klee_range(0, 10, "limit");
  klee_make_symbolic(&m, sizeof m, "m");
  klee_make_symbolic(bytes, sizeof(bytes), "bytes");
  klee_prefer_cex(&m, m.length > 0);
  klee_assume(m.length > 2 && m.length <= 4);
  klee_assert(limit < 10);
  if (m.kind == 77 && limit == 7) klee_assert(sum(bytes, m.length) != 500); //! assertion
  if (m.kind == 78) klee_report_error(__FILE__, __LINE__, "a message of kind 78", "user.err"); //! assertion
  if (m.kind == 79) klee_silent_exit(1);
  return 0;
}
