//@ args: --entry label --string 3
//@ complete: yes
// With _FORTIFY_SOURCE other functions are called, which keep symbolic values as well.
#define _FORTIFY_SOURCE 2
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int label(const char *name, unsigned char n) {
  char text[16];
  if (!name) return 0;
  strcpy(text, "<");
  strcat(text, name);
  if (!strcmp(text, "<ok")) abort(); //! abort
  sprintf(text, "%x", n);
  if (!strcmp(text, "c4")) abort(); //! abort
  printf("%d\n", n);
  return 1;
}
