//@ args: --entry main
//@ complete: yes
//@ args: --entry main -- -DFIXED
//@ complete: yes
//@ args: --entry main --schedules sleep -- -DFIXED
//@ complete: yes
// Transfers between two accounts. The amount is an input; the balance is tested in one section and changed in another, so that two
// transfers may both see the same money.
#include <assert.h>
#include <pthread.h>
#include <xcute.h>

static struct account { pthread_mutex_t lock; int balance; } a = {PTHREAD_MUTEX_INITIALIZER, 100}, b = {PTHREAD_MUTEX_INITIALIZER, 0};
static int amount;

static int withdraw(struct account *from, int money) {
  pthread_mutex_lock(&from->lock);
  int enough = from->balance >= money;
#ifndef FIXED
  pthread_mutex_unlock(&from->lock);
  pthread_mutex_lock(&from->lock);
#endif
  if (enough) from->balance -= money;
  pthread_mutex_unlock(&from->lock);
  return enough;
}

static void *transfer(void *unused) {
  (void)unused;
  if (withdraw(&a, amount)) {
    pthread_mutex_lock(&b.lock);
    b.balance += amount;
    pthread_mutex_unlock(&b.lock);
  }
  return 0;
}

int main(void) {
  xcute_input(amount);
  xcute_assume(amount > 0 && amount < 1000);
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, transfer, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(a.balance + b.balance == 100);
  assert(a.balance >= 0); //! assertion unless FIXED
  return 0;
}
