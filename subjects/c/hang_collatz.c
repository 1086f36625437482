//@ args: --entry f --runs 40 --hang 500ms
//@ complete: no
//@ limit: cut
// An endless loop over an input: what it does is recorded until there is no more room, and goes on. It comes back to a state that it was in, so it never ends.
int f(unsigned x) {
  if (x > 2) return 0;
  while (x != 1) { //! hang
    x = x % 2 ? 3 * x + 1 : x / 2;
  }
  return 1;
}
