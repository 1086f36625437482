//@ args: --entry f
//@ paths: 3
//@ complete: yes
// The division is a decision of its own: can the divisor be zero?
int f(int a, unsigned char b) { return a / (b - 200); } //! division-by-zero
