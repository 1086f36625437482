//@ args: --entry f
//@ paths: 5
//@ complete: yes
// Each operand of && and || is a decision.
int f(int a, int b, int c) { return (a > 0 && b > 0) || c > 0; }
