#include "ini.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  FILE *file = fopen(argc > 1 ? argv[1] : "settings.ini", "r");
  if (!file) return 2;
  char line[64];
  while (fgets(line, sizeof line, file)) {
    struct pair pair;
    if (ini_line(line, &pair) && !ini_store(&pair)) break;
  }
  fclose(file);
  const char *size = ini_find("n");
  /* A file without the key: atoi(NULL). */
  int n = atoi(size);
  printf("%d %u\n", n, checksum("ini"));
  return 0;
}
