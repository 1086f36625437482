/* Models of wchar.h: strings of wide characters. */
#include "models.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

size_t MODEL(wcsnlen)(const wchar_t *s, size_t most) {
  size_t n = 0;
  while (n < most && s[n]) n++;
  return n;
}

size_t MODEL(wcslen)(const wchar_t *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

int MODEL(wcsncmp)(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    if (!b[i]) return 0;
  }
  return 0;
}

int MODEL(wcscmp)(const wchar_t *a, const wchar_t *b) { return MODEL(wcsncmp)(a, b, (size_t)-1); }

int MODEL(wmemcmp)(const wchar_t *a, const wchar_t *b, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

wchar_t *MODEL(wcschr)(const wchar_t *s, wchar_t c) {
  for (;; s++) {
    if (*s == c) return (wchar_t *)s;
    if (!*s) return NULL;
  }
}

wchar_t *MODEL(wcsrchr)(const wchar_t *s, wchar_t c) {
  const wchar_t *last = NULL;
  for (;; s++) {
    if (*s == c) last = s;
    if (!*s) return (wchar_t *)last;
  }
}

wchar_t *MODEL(wmemchr)(const wchar_t *s, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (s[i] == c) return (wchar_t *)(s + i);
  return NULL;
}

wchar_t *MODEL(wcsstr)(const wchar_t *in, const wchar_t *what) {
  for (;; in++) {
    size_t n = 0;
    while (what[n] && in[n] == what[n]) n++;
    if (!what[n]) return (wchar_t *)in;
    if (!*in) return NULL;
  }
}

wchar_t *MODEL(wmemcpy)(wchar_t *to, const wchar_t *from, size_t n) { return memcpy(to, from, n * sizeof *to); }

wchar_t *MODEL(wmemmove)(wchar_t *to, const wchar_t *from, size_t n) { return memmove(to, from, n * sizeof *to); }

wchar_t *MODEL(wmemset)(wchar_t *to, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++) to[i] = c;
  return to;
}

wchar_t *MODEL(wcscpy)(wchar_t *to, const wchar_t *from) {
  size_t i = 0;
  for (; from[i]; i++) to[i] = from[i];
  to[i] = 0;
  return to;
}

wchar_t *MODEL(wcsncpy)(wchar_t *to, const wchar_t *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}

wchar_t *MODEL(wcscat)(wchar_t *to, const wchar_t *from) {
  MODEL(wcscpy)(to + MODEL(wcslen)(to), from);
  return to;
}

wchar_t *MODEL(wcsncat)(wchar_t *to, const wchar_t *from, size_t n) {
  wchar_t *end = to + MODEL(wcslen)(to);
  size_t i = 0;
  for (; i < n && from[i]; i++) end[i] = from[i];
  end[i] = 0;
  return to;
}

wchar_t *MODEL(wcsdup)(const wchar_t *s) {
  size_t size = (MODEL(wcslen)(s) + 1) * sizeof *s;
  wchar_t *copy = malloc(size);
  return copy ? memcpy(copy, s, size) : NULL;
}
