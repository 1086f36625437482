#include "ini.h"

#include <string.h>

static struct pair stored[MOST];
static int used;

int ini_store(const struct pair *pair) {
  if (used == MOST) return 0;
  stored[used++] = *pair;
  return 1;
}

const char *ini_find(const char *key) {
  for (int i = 0; i < used; i++)
    if (strcmp(stored[i].key, key) == 0) return stored[i].value;
  return NULL;
}
