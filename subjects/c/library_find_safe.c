//@ args: --entry split --string 4
//@ complete: yes
// The corrected form, and what must hold of what is found.
#include <stdlib.h>
#include <string.h>

void split(const char *line) {
  if (!line) return;
  size_t n = strlen(line), before = strcspn(line, "=;");
  const char *mark = strpbrk(line, "=;");
  if (mark ? (size_t)(mark - line) != before : before != n) abort();
  const char *first = memchr(line, '=', n);
  if (first != strchr(line, '=')) abort();
  if (first && first < mark) abort();
}
