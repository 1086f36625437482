#include "ini.h"

#include <string.h>

int ini_line(const char *line, struct pair *to) {
  const char *sign = strchr(line, '=');
  if (!sign || sign == line) return 0;
  size_t n = (size_t)(sign - line), m = strcspn(sign + 1, "\n");
  if (n >= sizeof to->key || m >= sizeof to->value) return 0;
  memcpy(to->key, line, n);
  to->key[n] = 0;
  memcpy(to->value, sign + 1, m);
  to->value[m] = 0;
  return 1;
}
