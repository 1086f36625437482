/* Models of string.h. memcpy, memmove and memset need none: the instrumenter knows them. */
#include "models.h"

#include <stdlib.h>
#include <string.h>

size_t MODEL(strnlen)(const char *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) n++;
  return n;
}

size_t MODEL(strlen)(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

/* The end is looked for in the second string, which is often a literal: then it is not a decision. */
int MODEL(strcmp)(const char *a, const char *b) {
  for (;; a++, b++) {
    if (*a != *b) return (unsigned char)*a - (unsigned char)*b;
    if (!*b) return 0;
  }
}

int MODEL(strncmp)(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return (unsigned char)a[i] - (unsigned char)b[i];
    if (!b[i]) return 0;
  }
  return 0;
}

int MODEL(memcmp)(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++)
    if (x[i] != y[i]) return x[i] - y[i];
  return 0;
}

void *MODEL(memchr)(const void *from, int c, size_t n) {
  const unsigned char *p = from;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (unsigned char)c) return (void *)(p + i);
  return NULL;
}

void *MODEL(memrchr)(const void *from, int c, size_t n) {
  const unsigned char *p = from;
  while (n-- > 0)
    if (p[n] == (unsigned char)c) return (void *)(p + n);
  return NULL;
}

char *MODEL(strchrnul)(const char *s, int c) {
  while (*s != (char)c && *s) s++;
  return (char *)s;
}

char *MODEL(strchr)(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c) return (char *)s;
    if (!*s) return NULL;
  }
}

char *MODEL(strrchr)(const char *s, int c) {
  const char *last = NULL;
  for (;; s++) {
    if (*s == (char)c) last = s;
    if (!*s) return (char *)last;
  }
}

char *MODEL(strstr)(const char *in, const char *what) {
  for (;; in++) {
    size_t n = 0;
    while (what[n] && in[n] == what[n]) n++;
    if (!what[n]) return (char *)in;
    if (!*in) return NULL;
  }
}

char *MODEL(strcasestr)(const char *in, const char *what) {
  for (;; in++) {
    size_t n = 0;
    while (what[n] && MODEL(lower)((unsigned char)in[n]) == MODEL(lower)((unsigned char)what[n])) n++;
    if (!what[n]) return (char *)in;
    if (!*in) return NULL;
  }
}

void *MODEL(memmem)(const void *in, size_t room, const void *what, size_t size) {
  const char *at = in;
  if (!size) return (void *)at;
  for (; room >= size; at++, room--)
    if (MODEL(memcmp)(at, what, size) == 0) return (void *)at;
  return NULL;
}

/* Whether `c` is in `set`: no decision for each member, but one for all. */
static unsigned MODEL(member)(char c, const char *set) {
  unsigned found = 0;
  for (; *set; set++) found |= c == *set;
  return found;
}

size_t MODEL(strspn)(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && MODEL(member)(s[n], set)) n++;
  return n;
}

size_t MODEL(strcspn)(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] && !MODEL(member)(s[n], set)) n++;
  return n;
}

char *MODEL(strpbrk)(const char *s, const char *set) {
  s += MODEL(strcspn)(s, set);
  return *s ? (char *)s : NULL;
}

char *MODEL(strsep)(char **rest, const char *set) {
  char *token = *rest;
  if (!token) return NULL;
  char *end = token + MODEL(strcspn)(token, set);
  if (*end) {
    *end = 0;
    *rest = end + 1;
  } else {
    *rest = NULL;
  }
  return token;
}

char *MODEL(strtok_r)(char *from, const char *set, char **rest) {
  if (!from) from = *rest;
  if (!from) return NULL;
  from += MODEL(strspn)(from, set);
  char *end = from + MODEL(strcspn)(from, set);
  *rest = end;
  if (end == from) return NULL;
  if (*end) {
    *end = 0;
    *rest = end + 1;
  }
  return from;
}

/* As new for each run, as all data of the program. */
static char *MODEL(strtok_rest);

char *MODEL(strtok)(char *from, const char *set) { return MODEL(strtok_r)(from, set, &MODEL(strtok_rest)); }

char *MODEL(stpcpy)(char *to, const char *from) {
  while ((*to = *from)) to++, from++;
  return to;
}

char *MODEL(strcpy)(char *to, const char *from) {
  MODEL(stpcpy)(to, from);
  return to;
}

char *MODEL(strncpy)(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}

char *MODEL(stpncpy)(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  char *end = to + i;
  for (; i < n; i++) to[i] = 0;
  return end;
}

void *MODEL(memccpy)(void *to, const void *from, int c, size_t n) {
  const unsigned char *p = from;
  unsigned char *q = to;
  for (size_t i = 0; i < n; i++) {
    q[i] = p[i];
    if (p[i] == (unsigned char)c) return q + i + 1;
  }
  return NULL;
}

size_t MODEL(strlcpy)(char *to, const char *from, size_t size) {
  size_t length = MODEL(strlen)(from), n = length < size ? length : size - 1;
  if (size) {
    memcpy(to, from, n);
    to[n] = 0;
  }
  return length;
}

size_t MODEL(strlcat)(char *to, const char *from, size_t size) {
  size_t used = MODEL(strnlen)(to, size);
  if (used == size) return used + MODEL(strlen)(from);
  return used + MODEL(strlcpy)(to + used, from, size - used);
}

char *MODEL(strcat)(char *to, const char *from) {
  MODEL(stpcpy)(to + MODEL(strlen)(to), from);
  return to;
}

char *MODEL(strncat)(char *to, const char *from, size_t n) {
  char *end = to + MODEL(strlen)(to);
  size_t i = 0;
  for (; i < n && from[i]; i++) end[i] = from[i];
  end[i] = 0;
  return to;
}

char *MODEL(strndup)(const char *s, size_t n) {
  size_t length = MODEL(strnlen)(s, n);
  char *copy = malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, s, length);
  copy[length] = 0;
  return copy;
}

char *MODEL(strdup)(const char *s) {
  size_t size = MODEL(strlen)(s) + 1;
  char *copy = malloc(size);
  return copy ? memcpy(copy, s, size) : NULL;
}
