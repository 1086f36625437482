//@ args: --entry f
//@ complete: yes
// The one quotient that does not fit is a trap of the processor.
int f(int a, int b) {
  if (b == 0) return 0;
  return a / b; //! division-by-zero
}
