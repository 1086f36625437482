/* Models of unistd.h: what only moves bytes. */
#include "models.h"

#include <sys/types.h>

void MODEL(swab)(const void *restrict from, void *restrict to, ssize_t n) {
  const char *in = from;
  char *out = to;
  for (ssize_t i = 0; i + 1 < n; i += 2) {
    char first = in[i];
    out[i] = in[i + 1];
    out[i + 1] = first;
  }
}
