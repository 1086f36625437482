//@ args: --entry f
//@ paths: 2
//@ complete: yes
// The corrected form: no failure.
int f(int a, unsigned char b) { return b == 200 ? 0 : a / (2 * (b - 200)); }
