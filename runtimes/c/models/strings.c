/* Models of strings.h. */
#include "models.h"

int MODEL(strncasecmp)(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int x = MODEL(lower)((unsigned char)a[i]), y = MODEL(lower)((unsigned char)b[i]);
    if (x != y) return x - y;
    if (!b[i]) return 0;
  }
  return 0;
}

int MODEL(strcasecmp)(const char *a, const char *b) { return MODEL(strncasecmp)(a, b, (size_t)-1); }

int MODEL(bcmp)(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return 1;
  return 0;
}
