//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// Atomic sections as verification tasks write them: between calls, and functions by their names.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

#ifdef FIXED
#define add __VERIFIER_atomic_add
#define begin __VERIFIER_atomic_begin
#define end __VERIFIER_atomic_end
#else
static void begin(void) {}
static void end(void) {}
#endif

void add(void) { x = x + 1; } //! data-race unless FIXED

static void *twice(void *unused) {
  begin();
  x++; //! data-race unless FIXED
  end();
  add();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, twice, 0);
  pthread_create(&b, 0, twice, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 4); //! assertion unless FIXED
  return 0;
}
