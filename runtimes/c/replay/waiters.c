/* Those who wait for a condition variable, or for a word as futexes do: the order says whom a call wakes.
 *
 * Invariant. A waiter is in the list from the first half of its wait until somebody wakes it, or it gives up. All is done under xcr_lock. */
#include "replay.h"

static struct xcr_waiter *waiters; /* in the order in which they began to wait */

void xcr_waiter_add(struct xcr_waiter *waiter) {
  struct xcr_waiter **end = &waiters;
  while (*end) end = &(*end)->next;
  *end = waiter;
}

void xcr_waiter_drop(struct xcr_waiter *waiter) {
  struct xcr_waiter **link = &waiters;
  while (*link && *link != waiter) link = &(*link)->next;
  if (*link) *link = waiter->next;
}

int xcr_waited(const void *on) {
  const struct xcr_waiter *waiter = waiters;
  while (waiter && waiter->on != on) waiter = waiter->next;
  return waiter != 0;
}

int xcr_waiter_wake(const void *on, u32 number) {
  struct xcr_waiter *waiter = waiters;
  for (; waiter; waiter = waiter->next)
    if (waiter->on == on && number-- == 0) break;
  if (!waiter) return 0;
  xcr_waiter_drop(waiter);
  __atomic_store_n(&waiter->woken, 1, __ATOMIC_RELEASE);
  xcr_wake(&waiter->woken);
  return 1;
}

int xcr_waiter_sleep(struct xcr_waiter *waiter, const struct timespec *until) {
  u32 arm;
  if (!xcr_turn(&arm)) {
    while (!__atomic_load_n(&waiter->woken, __ATOMIC_ACQUIRE))
      if (!xcr_sleep(&waiter->woken, 0, until)) break;
  }
  xcr_lock();
  xcr_waiter_drop(waiter);
  xcr_unlock();
  return waiter->woken;
}
