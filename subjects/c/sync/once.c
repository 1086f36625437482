// pthread_once: the routine is called once, and is done when anybody goes on.
//@ args: --entry main
//@ paths: 4
//@ complete: yes
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int calls, made;

static void makes(void) {
  calls++;
  made = 7;
}

static void *uses(void *unused) {
  pthread_once(&control, makes);
  assert(made == 7 && calls == 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, uses, NULL);
  pthread_create(&b, NULL, uses, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
