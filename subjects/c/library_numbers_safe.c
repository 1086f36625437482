//@ args: --entry port --string 3
//@ complete: yes
// The corrected form: what is read back is what was written.
#include <stdlib.h>

int port(const char *text) {
  if (!text) return 0;
  char *end;
  long n = strtol(text, &end, 10);
  if (n < -99 || n > 999 || end - text > 3) abort();
  if (atoi(text) != n || atoll(text) != n || abs((int)n) != labs(n)) abort();
  return 1;
}
