/* A program that divides by zero for one argument: -n42. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  if (argc < 2 || strncmp(argv[1], "-n", 2) != 0) return 2;
  int n = atoi(argv[1] + 2);
  printf("%d\n", 100 / (n - 42)); //! division-by-zero
  return 0;
}
