//@ args: --entry thrown
//@ complete: yes
//@ args: --entry zero
//@ complete: yes
//@ args: --entry computed
//@ complete: yes
//@ args: --entry relative
//@ complete: yes
// The value that longjmp hands over, and labels that are chosen by a number.
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;

static void deep(int x, int n) {
  if (n) deep(x, n - 1);
  longjmp(back, x);
}

void thrown(int x) {
  int value = setjmp(back);
  if (value == 0) deep(x, 3);
  if (value == 77) abort(); //! abort if thrown
}

/* 0 arrives as 1. */
void zero(int x) {
  sigjmp_buf here;
  int value = sigsetjmp(here, 0);
  if (value == 0) siglongjmp(here, x);
  if (value == 0) abort();
  if (value == 1 && x == 0) abort(); //! abort if zero
}

void computed(unsigned n, unsigned m) {
  static void *const steps[] = {&&add, &&take, &&stop};
  int sum = 0;
  unsigned code[3] = {n % 3, m % 3, 2};
  int at = 0;
  goto *steps[code[at++]];
add:
  sum += 3;
  goto *steps[code[at++]];
take:
  sum -= 1;
  goto *steps[code[at++]];
stop:
  if (at == 3 && sum == 2) abort(); //! abort if computed
}

void relative(unsigned char n) {
  static const int steps[] = {&&one - &&one, &&two - &&one, &&three - &&one};
  if (n > 2) return;
  goto *(&&one + steps[n]);
one:
  return;
two:
  return;
three:
  abort(); //! abort if relative
}
