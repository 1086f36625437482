//@ args: --entry stored
//@ complete: no
//@ limit: unsupported
//@ args: --entry operand
//@ complete: no
//@ limit: unsupported
//@ args: --entry deeper
//@ complete: no
//@ limit: unsupported
//@ args: --entry by_name
//@ complete: no
//@ limit: unsupported
//@ args: --entry called
//@ complete: no
//@ limit: unsupported
//@ args: --entry barriers
//@ complete: yes
//@ args: --entry opaque
//@ complete: yes
// Inline assembly can look at all that its operands lead to, and at variables that it names. An empty text does nothing.
#include <stdlib.h>
#include <unistd.h>

void stored(int x) {
  int y = 0;
  __asm__ volatile("movl %0, %%eax; movl %%eax, (%1)" : : "m"(x), "r"(&y) : "eax", "memory");
  if (y == 7) abort();
}

void operand(int x) {
  int y = 0;
  __asm__("movl %1, %%eax; movl %%eax, %0" : "=m"(y) : "m"(x) : "eax");
  if (y == 7) abort();
}

void deeper(int x) {
  int y = 0, *p = &x, **q = &p;
  __asm__ volatile("movq (%1), %%rax; movl (%%rax), %%eax; movl %%eax, %0" : "=m"(y) : "r"(q) : "rax");
  if (y == 7) abort();
}

int number;

void by_name(int x) {
  int y;
  number = x;
  __asm__ volatile("movl number(%%rip), %0" : "=r"(y));
  if (y == 7) abort();
}

void called(char c) {
  int ends[2];
  long written;
  char d = 0;
  if (pipe(ends)) return;
  __asm__ volatile("syscall" : "=a"(written) : "a"(1), "D"((long)ends[1]), "S"(&c), "d"(1L) : "rcx", "r11", "memory");
  if (written == 1 && read(ends[0], &d, 1) == 1 && d == 7) abort();
}

void barriers(int x) {
  unsigned low, high;
  __asm__ volatile("" : : : "memory");
  __asm__ volatile("mfence" : : : "memory");
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  if (x == 7) abort(); //! abort if barriers
}

void opaque(int x) {
  int y = x, *p = &y;
  __asm__ volatile("" : "+r"(y));
  __asm__ volatile("" : "+r"(p) : : "memory");
  if (*p == 7) abort(); //! abort if opaque
}
