//@ args: --entry f --runs 40
//@ complete: no
//@ limit: cut
// An endless loop over an input: what it does is recorded until there is no more room, and goes on.
int f(unsigned x) {
  int steps = 0;
  if (x > 2) return 0;
  while (x != 1) { //! hang
    x = x % 2 ? 3 * x + 1 : x / 2;
    steps++;
  }
  return steps;
}
