/* Programs that give a library what it can look at. Each aborts for one value that only the library could tell it. */
#include <stdlib.h>
#include <sys/mman.h>
#include "library.h"

static void check(int seen) {
  if (seen == 77) abort();
}

void behind_pointer(char c) {
  char text[2] = {c, 0}, *words[2] = {text, 0};
  check(first_letter(words));
}

void behind_many(int c) {
  struct node d = {0, c}, e = {&d, 0}, f = {&e, 0}, g = {&f, 0};
  check(last_of(&g));
}

void remembered(char c) {
  int x = 0;
  keep(&x);
  x = c;
  check(kept());
}

void remembered_inside(int c) {
  struct node y = {0, 0}, x = {&y, 0};
  keep_next(&x);
  x.next = 0;
  y.value = c;
  check(kept_next());
}

int shared;

void by_name(int c) {
  shared = c;
  check(named());
}

void of_library(char c) {
  buffer()[0] = c;
  check(buffered());
}

void linked_to_library(int c) {
  struct node x = {0, 0};
  anchor()->next = &x;
  x.value = c;
  check(anchored());
}

static int secret;
static int is_secret(void) { return secret; }
static void tell_secret(int *number) { *number = secret; }

void result_of_callback(int c) {
  secret = c == 77;
  if (ask(is_secret) == 5) abort();
}

int answer(void) { return secret; }

void result_by_name(int c) {
  secret = c == 77;
  if (ask_by_name() == 5) abort();
}

void memory_of_callback(int c) {
  int x = 0;
  secret = c;
  check(fill(&x, tell_secret));
}

void number_as_address(int c) { check(at_address((uintptr_t)&c)); }

void unknown_function(int c) { check(reader()(&c)); }

void by_value(int c) {
  int x = 0;
  check(second_of((struct pair){&x, &c}));
}

static _Thread_local int own;

void thread_local_variable(int c) {
  own = c;
  check(at_address((uintptr_t)&own));
}

void large(char c) {
  static char text[200000];
  text[150000] = c;
  check(letter(text, 150000));
}

void mapped(int c) {
  int *map = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return;
  map[9] = c;
  check(at_address((uintptr_t)(map + 9)));
}

/* What the library wrote is no longer the input. */
void overwritten(int c) {
  int x = c, *p = &x;
  set_behind(&p);
  if (x != 77) exit(1);
  if (c == 5) abort();
}

/* Nothing that is symbolic can be seen there. */
void unseen(int c) {
  int x = 3;
  keep(&x);
  if (nothing(&x) || kept() != 3) exit(1);
  if (c == 77) abort();
}

/* An object that is gone is not looked at. */
void gone(int c) {
  int *x = malloc(sizeof *x);
  if (!x) return;
  *x = 0;
  keep(x);
  keep(0);
  *x = c;
  int y = *x;
  free(x);
  kept();
  if (y == 77) abort();
}

/* Memory that a library fills is initialised. */
void filled(int c) {
  struct { int *p; } box;
  int *x = malloc(sizeof *x);
  if (!x) return;
  box.p = x;
  set_behind(&box.p);
  if (*x == 77 && c == 77) abort();
  free(x);
}
