// Blank memory in allowed ways: copied, masked out, set in part, set by library functions, overwritten; nothing of it decides anything.
//@ args: --entry filled
//@ paths: 19
//@ complete: yes
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct padded { char c; int i; char d; };
struct flags { unsigned a : 3, b : 5, c : 9, d : 1; };
union word { char bytes[8]; long whole; };
struct pair { long a, b; };
struct small { char a; short b; };

static struct padded make(char c) {
  struct padded p;
  p.c = c;
  p.i = 7;
  p.d = 1;
  return p;
}

static int use(struct padded p) { return p.i == 7 && p.d ? p.c : -1; }
static short second(struct small s) { return s.b; }

static int total(int n, ...) {
  va_list list;
  va_start(list, n);
  int s = 0;
  for (int i = 0; i < n; i++) s += va_arg(list, int);
  va_end(list);
  return s;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int loop(int n) {
  int last;
  for (int i = 0; i < n; i++) {
    int square = i * i;
    if (i == 0 || square > last) last = square;
  }
  return n > 0 && last > 3;
}

int filled(unsigned how, int given) {
  int *p = malloc(4 * sizeof *p), r = 0, late;
  char text[32], *line = malloc(64);
  struct padded one, two;
  struct flags bits;
  union word w;
  struct small s;
  if (!p || !line) exit(1);
  switch (how) {
    case 1: late = given; if (late == 5) r = 1; break;
    case 2: one.c = 'a'; two = one; memcpy(line, &two, sizeof two); if (line[0] == 'a') r = 1; break;
    case 3: one = make('x'); if (use(one) == 'x') r = 1; break;
    case 4: bits.a = 2; bits.b = 3; bits.d = 1; if (bits.a == 2 && bits.b == 3 && bits.d) r = 1; break;
    case 5: bits.c = 300; bits.a = 1; if (bits.c > 200) r = bits.a; break;
    case 6: w.whole = 0; w.bytes[3] = 1; if (w.whole) r = 1; break;
    case 7: snprintf(text, sizeof text, "%d", 42); if (text[0] == '4' && strlen(text) == 2) r = 1; break;
    case 8: for (int i = 0; i < 4; i++) p[i] = 4 - i; qsort(p, 4, sizeof *p, compare); if (p[0] == 1) r = 1; break;
    case 9: r = total(9, 1, 2, 3, 4, 5, 6, 7, 8, 9) == 45; if (r) r = 2; break;
    case 10: p[1] = p[0] & 0; if (p[1] == 0) r = 1; break;
    case 11: p[0] = p[1] | -1; if (p[0] == -1) r = 1; break;
    case 12: s.b = 5; if (second(s) == 5) r = 1; break;
    case 13: if (loop(3)) r = 1; break;
    case 14: {
      struct tm when;
      time_t zero = 0;
      if (gmtime_r(&zero, &when) && when.tm_year == 70) r = 1;
      break;
    }
    case 15: {
      int ends[2];
      if (pipe(ends) == 0 && write(ends[1], "ab", 3) == 3 && read(ends[0], line, 3) == 3 && line[0] == 'a' && line[2] == 0) r = 1;
      break;
    }
    case 16: strcpy(line, "word"); strcat(line, "s"); if (strcmp(line, "words") == 0) r = 1; break;
    case 17: {
      struct pair v, *copy = malloc(sizeof *copy);
      if (!copy) exit(1);
      v.a = 1;
      *copy = v;
      if (copy->a) r = 1;
      free(copy);
      break;
    }
  }
  free(p);
  free(line);
  return r;
}
