// What a function without source does is not a step if its address comes from elsewhere: the other order is not run, and that is said.
//@ args: --entry main
//@ complete: no
//@ limit: unsupported
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

static int (*put)(const char *, const char *, int);
static char *(*get)(const char *);

static void *set(void *unused) {
  put("BY_POINTER", "1", 1);
  return unused;
}

int main(void) {
  pthread_t thread;
  put = (int (*)(const char *, const char *, int))dlsym(RTLD_DEFAULT, "setenv");
  get = (char *(*)(const char *))dlsym(RTLD_DEFAULT, "getenv");
  unsetenv("BY_POINTER");
  pthread_create(&thread, 0, set, 0);
  if (!get("BY_POINTER")) abort();
  pthread_join(thread, 0);
}
