//@ args: --entry show --string 3
//@ complete: yes
// What goes out does not come back: writing symbolic values hides no path.
#include <stdio.h>
#include <stdlib.h>

void show(int n, const char *name) {
  char text[8];
  if (n < 0 || n > 99) return;
  printf("n is %d, %5.2f\n", n, n / 2.0);
  snprintf(text, sizeof text, "%d", n);
  puts(text);
  fputs(text, stderr);
  putchar('0' + n % 10);
  if (n == 77) abort(); //! abort
}
