//@ args: --entry cleanup
//@ paths: 4
//@ complete: yes
// Destructors run while an exception passes; afterwards locals are where they were.
#include <cassert>

static int open_files;

struct file {
  int numbers[4];
  file() { open_files++; }
  ~file() { open_files--; }
};

static int read(int x) {
  file f;
  f.numbers[x & 3] = x;
  if (x > 10) throw x;
  return f.numbers[x & 3];
}

int cleanup(int x) {
  int counts[4] = {0, 1, 2, 3};
  try {
    file outer;
    read(x);
  } catch (int thrown) {
    assert(thrown == x && open_files == 0);
    assert(counts[thrown & 3] != 3 || thrown != 1003);  //! assertion
  }
  return counts[x & 3];
}
