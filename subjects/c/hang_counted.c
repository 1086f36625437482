//@ args: --entry f --steps 20000 --hang 50ms --ignore-unconfirmed
//@ complete: no
//@ paths: 2
//@ limit: steps
//@ unconfirmed: yes
// A loop that takes long, and ends: no state of it comes back, so nobody can say that it hangs.
int f(int x) {
  unsigned long i = 0;
  if (x == 77)
    while (i < 40000000000) i++;
  return 0;
}
