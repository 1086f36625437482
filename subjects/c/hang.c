//@ args: --entry f --steps 40000 --hang 500ms
//@ complete: no
//@ limit: cut
// An endless loop for one value. Nobody knows what would come after it.
int f(unsigned x) {
  while (x == 77) //! hang
    ;
  return 0;
}
