// The accesses of memory_bounds.c, within their objects; and programs that come close to the edge in allowed ways.
//@ args: --entry hit --array given=3
//@ paths: 17
//@ complete: yes
#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static short table[5];
static const char word[] = "word";
struct named { int length; char text[]; };
union both { char bytes[8]; double number; };
struct by_value { char c; int i; char tail[19]; };
static jmp_buf back;

static int sum(const short *p, int n) {
  int s = 0;
  for (int i = 0; i < n; i++) s += p[i];
  return s;
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int add(int n, ...) {
  va_list list;
  va_start(list, n);
  int s = 0;
  for (int i = 0; i < n; i++) s += va_arg(list, int);
  va_end(list);
  return s;
}

static void deep(int n) {
  char frame[40];
  memset(frame, n, sizeof frame);
  if (n == 0) longjmp(back, 1);
  deep(n - 1);
}

static int swapped(struct by_value v) {
  struct by_value w = v;
  return w.i + w.c + w.tail[18];
}

/* Frames that were left, then arrays of variable length in their place. */
static int again(int n) {
  int s = 0;
  for (int i = 1; i <= n; i++) {
    char row[i];
    memset(row, 1, (size_t)i);
    s += row[i - 1];
  }
  char *more = __builtin_alloca((size_t)n + 1);
  more[n] = 2;
  return s + more[n];
}

int hit(unsigned where, int *given) {
  char small[8] = "small", *p = malloc(6), *big = calloc(64, 1);
  static int count[3];
  int numbers[9] = {9, 8, 7, 6, 5, 4, 3, 2, 1}, r = 0;
  if (!p || !big) exit(1);
  memset(p, 0, 6);
  switch (where) {
    case 1: r = p[5]; break;
    case 2: p[5] = 1; break;
    case 3: r = *(volatile char *)(small + 7); break;
    case 4: r = sum(table, 5); break;
    case 5: *(volatile int *)(count + 2) = 1; break;
    case 6: r = *(volatile const char *)(word + 4); break;
    case 7: strcpy(small, "fitting"); break;
    case 8: memcpy(p, big, 6); memcpy(big, p, 6); memset(small, 0, 8); break;
    case 9: r = given[2]; break;
    case 10: *(int *)(p + 2) = 1; break;
    case 11: qsort(numbers, 9, sizeof *numbers, compare); assert(numbers[0] == 1); break;
    case 12: r = add(9, 1, 2, 3, 4, 5, 6, 7, 8, 9); assert(r == 45); break;
    case 13:
      if (!setjmp(back)) deep(30);
      r = again(20);
      assert(r == 22);
      break;
    case 14: {
      struct named *n = malloc(sizeof *n + 6);
      if (!n) exit(1);
      strcpy(n->text, "named");
      r = n->text[5];
      free(n);
      break;
    }
    case 15: {
      union both b = {.number = 1};
      r = b.bytes[7];
      break;
    }
    case 16: r = swapped((struct by_value){1, 2, "eighteen letters.."}); break;
  }
  free(p);
  free(big);
  return r;
}
