/* Models of stdlib.h: numbers in text, sorting and searching. */
#include "models.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What strtol and its family do. `most` is the largest value of the type, `bits` whether "0b" is read, as C23 wants it. */
static unsigned long long MODEL(integer)(const char *text, char **end, int given, int bits, unsigned long long most, int is_signed) {
  if (given < 0 || given == 1 || given > 36) {
    errno = EINVAL;
    return 0;
  }
  const char *s = text;
  unsigned base = (unsigned)given;
  int negative = 0;
  while (MODEL(space)(*s)) s++;
  if (*s == '-') {
    negative = 1;
    s++;
  } else if (*s == '+') {
    s++;
  }
  if ((base == 0 || base == 16) && s[0] == '0' && (s[1] | 32) == 'x' && MODEL(digit_value)(s[2], 16) < 16) {
    base = 16;
    s += 2;
  } else if (bits && (base == 0 || base == 2) && s[0] == '0' && (s[1] | 32) == 'b' && MODEL(digit_value)(s[2], 2) < 2) {
    base = 2;
    s += 2;
  } else if (base == 0) {
    base = *s == '0' ? 8 : 10;
  }
  if (is_signed) most += (unsigned)negative;
  struct MODEL(number) n = {0, 0, 0};
  const char *first = s;
  for (unsigned digit; (digit = MODEL(digit_value)(*s, base)) < base; s++) MODEL(push)(&n, digit, base, most);
  if (end) *end = (char *)(s == first ? text : s);
  if (n.over) {
    errno = ERANGE;
    n.value = most;
    if (!is_signed) negative = 0;
  }
  return negative ? 0 - n.value : n.value;
}

#define INTEGER(type, name, most, is_signed)                                                         \
  type MODEL(name)(const char *s, char **end, int base) {                                            \
    return (type)MODEL(integer)(s, end, base, 0, most, is_signed);                                   \
  }                                                                                                  \
  type MODEL(__isoc23_##name)(const char *s, char **end, int base) {                                 \
    return (type)MODEL(integer)(s, end, base, 1, most, is_signed);                                   \
  }

INTEGER(long, strtol, LONG_MAX, 1)
INTEGER(long long, strtoll, LLONG_MAX, 1)
INTEGER(unsigned long, strtoul, ULONG_MAX, 0)
INTEGER(unsigned long long, strtoull, ULLONG_MAX, 0)

/* Other names of the same. */
long MODEL(strtoimax)(const char *s, char **end, int base) { return MODEL(strtol)(s, end, base); }
unsigned long MODEL(strtoumax)(const char *s, char **end, int base) { return MODEL(strtoul)(s, end, base); }
long MODEL(__isoc23_strtoimax)(const char *s, char **end, int base) { return MODEL(__isoc23_strtol)(s, end, base); }
unsigned long MODEL(__isoc23_strtoumax)(const char *s, char **end, int base) { return MODEL(__isoc23_strtoul)(s, end, base); }
long long MODEL(strtoq)(const char *s, char **end, int base) { return MODEL(strtoll)(s, end, base); }
unsigned long long MODEL(strtouq)(const char *s, char **end, int base) { return MODEL(strtoull)(s, end, base); }

int MODEL(atoi)(const char *s) { return (int)MODEL(strtol)(s, NULL, 10); }

long MODEL(atol)(const char *s) { return MODEL(strtol)(s, NULL, 10); }

long long MODEL(atoll)(const char *s) { return MODEL(strtoll)(s, NULL, 10); }

int MODEL(abs)(int n) { return n < 0 ? -n : n; }

long MODEL(labs)(long n) { return n < 0 ? -n : n; }

long long MODEL(llabs)(long long n) { return n < 0 ? -n : n; }

#define DIVISION(kind, type, name)                                          \
  kind MODEL(name)(type a, type b) {                                        \
    type quotient = a / b;                                                  \
    return (kind){quotient, a - quotient * b};                              \
  }

DIVISION(div_t, int, div)
DIVISION(ldiv_t, long, ldiv)
DIVISION(lldiv_t, long long, lldiv)

typedef int (*MODEL(order))(const void *, const void *);

/* Merge sort, with the comparisons of the GNU C library in the same order. */
static void MODEL(merge_sort)(char *from, size_t n, size_t size, MODEL(order) compare, char *room) {
  if (n <= 1) return;
  size_t left = n / 2, right = n - left;
  char *a = from, *b = from + left * size, *to = room;
  MODEL(merge_sort)(a, left, size, compare, room);
  MODEL(merge_sort)(b, right, size, compare, room);
  for (; left > 0 && right > 0; to += size) {
    if (compare(a, b) <= 0) {
      memcpy(to, a, size);
      a += size;
      left--;
    } else {
      memcpy(to, b, size);
      b += size;
      right--;
    }
  }
  if (left > 0) memcpy(to, a, left * size);
  memcpy(from, room, (n - right) * size);
}

/* For want of memory: neighbours are exchanged until all are in order. */
void MODEL(exchange_sort)(char *from, size_t n, size_t size, MODEL(order) compare) {
  for (size_t i = 1; i < n; i++)
    for (char *b = from + i * size; b > from && compare(b - size, b) > 0; b -= size)
      for (size_t k = 0; k < size; k++) {
        char kept = b[k];
        b[k] = b[(ptrdiff_t)k - (ptrdiff_t)size];
        b[(ptrdiff_t)k - (ptrdiff_t)size] = kept;
      }
}

void MODEL(qsort)(void *from, size_t n, size_t size, MODEL(order) compare) {
  if (n <= 1 || size == 0) return;
  char small[1024], *room = n * size < sizeof small ? small : malloc(n * size);
  if (room)
    MODEL(merge_sort)(from, n, size, compare, room);
  else
    MODEL(exchange_sort)(from, n, size, compare);
  if (room != small) free(room);
}

void *MODEL(bsearch)(const void *key, const void *in, size_t n, size_t size, MODEL(order) compare) {
  size_t low = 0, high = n;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const char *at = (const char *)in + middle * size;
    int order = compare(key, at);
    if (order == 0) return (void *)at;
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}
