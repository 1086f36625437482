//@ args: --entry half
//@ complete: yes
// An exception must not leave a function that is noexcept, even if the caller would catch it.
static int exact(int x) {
  if (x % 2) throw x;
  return x / 2;
}

static int promised(int x) noexcept {
  return exact(x);  //! uncaught-exception
}

int half(int x, bool careful) {
  if (careful && x % 2) return 0;
  try {
    return promised(x);
  } catch (int) {
    return -1;
  }
}
