//@ args: --entry copied
//@ complete: yes
//@ args: --entry moved
//@ complete: yes
//@ args: --entry appended
//@ complete: yes
//@ args: --entry filled
//@ complete: yes
//@ args: --entry swapped
//@ complete: yes
//@ args: --entry allocated
//@ complete: yes
//@ args: --entry resized
//@ complete: yes
//@ args: --entry raised
//@ complete: yes
//@ args: --entry chosen
//@ complete: yes
//@ args: --entry released
//@ complete: yes
//@ args: --entry found
//@ complete: no
//@ limit: uninstrumented
//@ args: --entry printed
//@ complete: no
//@ limit: uninstrumented
// Functions of the library that are called through pointers do what they do when they are called by name. Of one that only the dynamic linker
// knows, nothing is known.
#define _GNU_SOURCE
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct memory {
  void *(*copy)(void *, const void *, size_t);
  void *(*move)(void *, const void *, size_t);
  void *(*append)(void *, const void *, size_t);
  void *(*fill)(void *, int, size_t);
  void *(*allocate)(size_t);
  void *(*resize)(void *, size_t);
  void (*release)(void *);
};
static struct memory memory = {memcpy, memmove, mempcpy, memset, malloc, realloc, free};

void copied(int x) {
  int y;
  memory.copy(&y, &x, sizeof y);
  if (y == 7) abort(); //! abort if copied
}

void moved(long x) {
  long y[2] = {x, 0};
  memory.move(y + 1, y, sizeof x);
  if (y[1] == 1234567890123) abort(); //! abort if moved
}

void appended(short x) {
  short y[2];
  char *end = memory.append(y, &x, sizeof x);
  memory.append(end, &x, sizeof x);
  if (y[1] == 5) abort(); //! abort if appended
}

void filled(char c) {
  char y[4];
  memory.fill(y, c, sizeof y);
  if (y[2] == 'q') abort(); //! abort if filled
}

static void (*const swap)(const void *, void *, ssize_t) = swab;

void swapped(unsigned short x) {
  unsigned short y;
  swap(&x, &y, sizeof x);
  if (y == 0x0102) abort(); //! abort if swapped
}

void allocated(unsigned n) {
  if (n > 20) return;
  char *p = memory.allocate(n);
  if (!p) return;
  p[3] = 1; //! out-of-bounds if allocated
  memory.release(p);
}

void resized(unsigned char n) {
  char *p = malloc(2);
  if (!p) return;
  p = memory.resize(p, n);
  if (p) p[5] = 1; //! out-of-bounds if resized
  free(p);
}

static int (*upper)(int) = toupper;

void raised(unsigned char c) {
  if (upper(c) == 'Q' && c != 'Q') abort(); //! abort if raised
}

typedef void *(*copier)(void *, const void *, size_t);
static copier pick(int k) { return k ? memcpy : memmove; }

void chosen(int x, int k) {
  int y = 0;
  pick(k)(&y, &x, sizeof y);
  if (y == 7 && pick(k) == memcpy) abort(); //! abort if chosen
}

static void each(void (*f)(void *), void *one) { f(one); }

void released(int x) {
  void *p = malloc(4);
  each(free, p);
  if (x == 9) memory.release(p); //! double-free if released
}

void found(int x) {
  copier copy = (copier)dlsym(RTLD_DEFAULT, "memcpy");
  int y = 0;
  if (copy) copy(&y, &x, sizeof y);
  if (y == 7) abort();
}

void printed(char c) {
  int (*print)(const char *, ...) = printf;
  char text[2] = {c, 0};
  if (print(text) == 0) abort(); //! abort if printed
}
