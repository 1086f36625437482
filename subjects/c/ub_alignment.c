//@ args: --entry number --array bytes=12 --check ub
//@ complete: yes
// A parser that reads numbers where they stand: the machine allows it, the language does not.
int number(const char *bytes, unsigned char at) {
  if (at > 8) return 0;
  return *(const int *)(bytes + at); //! misaligned-access
}
