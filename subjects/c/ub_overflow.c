//@ args: --entry arithmetic --check ub
//@ complete: yes
// Every operation on signed integers may leave its type.
int arithmetic(int op, int a, int b, long wide) {
  switch (op) {
  case 0: return a + b; //! signed-overflow
  case 1: return a - b; //! signed-overflow
  case 2: return a * 3; //! signed-overflow
  case 3: return -a; //! signed-overflow
  case 4: a++; return a; //! signed-overflow
  case 5: a -= 7; return a; //! signed-overflow
  case 6: return (int)(wide + 1); //! signed-overflow
  case 7: return a / b; //! division-by-zero
  default: return 0;
  }
}
