/* Every kind of type that an input can have; the entry functions take one or more of them each. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef unsigned char byte;
typedef struct { int x, y; } point;
typedef point *point_ref;
typedef int (*compare)(const void *, const void *);
typedef int row[3];
typedef const int fixed;

enum color { RED = -1, GREEN, BLUE = 5 };
typedef enum { SMALL, LARGE = 200 } magnitude;

struct cell {
  int v;
  struct cell *next;
};

struct flags {
  unsigned a : 3;
  int b : 5;
  unsigned long wide : 40;
  bool on : 1;
};

struct nested {
  char tag;
  union {
    int i;
    double d;
  };
  struct {
    short lo, hi;
  } pair;
  struct flags flags;
};

union number {
  char c;
  float f;
  long l;
};

struct packet {
  uint32_t length;
  unsigned char data[];
};

struct opaque;

struct handlers {
  int (*on)(int);
  compare order;
  struct handlers *parent;
  struct opaque *hidden;
};

int global_counter = 3;
static struct cell *global_list;
int matrix[2][3];

void scalars(char c, signed char sc, unsigned char uc, short s, unsigned short us, int i, unsigned u, long l, unsigned long ul, long long ll,
             unsigned long long ull, _Bool b) {
  (void)c, (void)sc, (void)uc, (void)s, (void)us, (void)i, (void)u, (void)l, (void)ul, (void)ll, (void)ull, (void)b;
}

void floats(float f, double d, long double ld) { (void)f, (void)d, (void)ld; }

void enums(enum color c, magnitude m) { (void)c, (void)m; }

void records(point p, union number n, struct nested s, struct flags f) { (void)p, (void)n, (void)s, (void)f; }

int pointers(struct cell *p, const char *s, char **names, int *const q, void *any, point_ref r, const struct cell *restrict c) {
  (void)s, (void)names, (void)q, (void)any, (void)r, (void)c;
  return p && p->next == p ? p->v : 0;
}

void arrays(int a[4], row *rows, int (*grid)[2][3], struct packet *packet) { (void)a, (void)rows, (void)grid, (void)packet; }

int callbacks(compare order, int (*apply)(int), void (*nothing)(void), int (*(*maker)(char))(int), struct handlers *h) {
  (void)order, (void)nothing, (void)maker, (void)h;
  return apply ? apply(1) : 0;
}

int twice(int x) { return 2 * x; }
int thrice(int x) { return 3 * x; }
static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

void odd(volatile int v, fixed k, struct opaque *unknown, __int128 wide, struct { int inner; } *anonymous, _Atomic int atomic) {
  (void)v, (void)k, (void)unknown, (void)wide, (void)anonymous, (void)atomic;
}

int variadic(const char *format, ...) { return format != NULL; }

static int hidden(struct cell *p, int n) {
  void *xcute_input_7 = 0; /* not a typed one: a plain void */
  if (n > 2) {
    struct cell cells[2];
    __typeof__(cells) *xcute_input_12 = &cells;
    (void)xcute_input_12;
  }
  (void)xcute_input_7;
  return p == global_list && by_value(&n, &n) == global_counter;
}

int visible(struct cell *p) { return hidden(p, 3); }
