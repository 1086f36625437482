//@ args: --entry f --steps 40000
//@ complete: yes
// An endless loop for one value.
int f(unsigned x) {
  while (x == 77) //! hang
    ;
  return 0;
}
