//@ args: --entry moved
//@ complete: yes
//@ args: --entry unused
//@ complete: yes
//@ args: --entry after
//@ complete: yes
//@ args: --entry before
//@ complete: yes
//@ args: --entry bits
//@ complete: yes
//@ args: --entry copied
//@ complete: yes
//@ args: --entry chosen
//@ complete: yes
//@ args: --entry constant
//@ complete: yes
//@ args: --entry promised
//@ complete: yes
//@ args: --entry written
//@ complete: yes
//@ args: --entry compared
//@ complete: yes
// An access that the language does not define happens all the same, whether or not somebody uses what it reads.
#include <stdlib.h>
#include <string.h>

int moved(int k) {
  char s[3] = "ab";
  char *d = s;
  if (k) d += 5;
  char e = *d; //! out-of-bounds if moved
  return e;
}

struct node { int key; struct node *next; };

int unused(int x) {
  struct node *none = 0;
  int key;
  if (x == 5) key = none->key; //! null-access if unused
  return x;
}

int after(int x) {
  int a[3] = {1, 2, 3};
  if (x == 9) a[3] = 7; //! out-of-bounds if after
  return a[0];
}

struct text { char letters[4]; int length; };

int before(int k) {
  struct text t = {"abc", 3};
  char *p = t.letters;
  if (k == 3) p = p - 1;
  *p = 0; //! out-of-bounds if before
  return t.length;
}

struct packed { int a : 3, b : 5; };

int bits(int k) {
  struct packed v[2] = {{1, 2}, {3, 4}}, *p = v;
  if (k == 2) p += 2;
  p->b = 3; //! out-of-bounds if bits
  return v[1].b;
}

int copied(struct node *n, int k) {
  struct node copy;
  if (k == 3) copy = *n; //! null-access if copied
  return k;
}

int chosen(int x) {
  int a[2] = {1, 2}, b[2] = {3, 4};
  int *p = x == 1 ? a : x == 2 ? b + 2 : b;
  return *p; //! out-of-bounds if chosen
}

int constant(int k) {
  static const int powers[4] = {1, 2, 4, 8};
  const int *p = powers;
  if (k == 6) p += 4;
  int unused = *p; //! out-of-bounds if constant
  return 0;
}

__attribute__((returns_nonnull)) static char *same(char *p) { return p; }

void promised(int k) {
  char c;
  char *p = same(k == 4 ? 0 : &c);
  if (!p) abort(); //! abort if promised
}

void written(int k) {
  int *p = 0;
  if (k == 4) *p = 1; //! null-access if written
}

/* A function that is promised to have no effect. */
void compared(int k) {
  const char *s = k == 7 ? 0 : "a";
  int order = strcoll(s, "b"); //! null-access if compared
}
