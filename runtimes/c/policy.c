/* Random schedules, for programs that have too many: who runs next where the plan says nothing.
 *
 * The random walk takes any thread, each time. Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi & Nagarakatti 2010) gives
 * threads random priorities, and at a few random steps the one that would run falls below all others. Partial order sampling (Yuan, Yang & Gu
 * 2018) gives them to operations, and draws again for who ran and for all whose operation conflicts with what ran.
 *
 * Invariant. Same seed and same choices offered, same choices taken. Who sleeps is not chosen. */
#include "threads.h"

/* Above every priority that a change gives. */
#define DRAWN 0x8000000000000000ull

/* The finaliser of splitmix64. */
static u64 mix(u64 bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebull;
  return bits ^ (bits >> 31);
}

static u64 draw(void) {
  if (!XC_THREADS->n_steps) XC_T->random = XC_THREADS->seed;
  return mix(XC_T->random += 0x9e3779b97f4a7c15ull);
}

static u32 walk(const struct xc_next *all, u32 n) {
  u32 awake = 0;
  for (u32 i = 0; i < n; i++) awake += !XC_FIBERS[all[i].task].asleep;
  if (!awake) return n;
  u32 left = (u32)(draw() % awake);
  for (u32 i = 0; i < n; i++)
    if (!XC_FIBERS[all[i].task].asleep && !left--) return i;
  return n;
}

static u32 highest(const struct xc_next *all, u32 n) {
  u32 best = n;
  for (u32 i = 0; i < n; i++) {
    struct xc_fiber *fiber = &XC_FIBERS[all[i].task];
    if (!fiber->priority) fiber->priority = draw() | DRAWN;
    if (!fiber->asleep && (best == n || fiber->priority > XC_FIBERS[all[best].task].priority)) best = i;
  }
  return best;
}

static u32 changed(const struct xc_next *all, u32 n) {
  const struct xc_threads *threads = XC_THREADS;
  u32 best = highest(all, n);
  for (u32 i = 0; best < n && i < threads->changes; i++) {
    if (mix(threads->seed + i) % threads->expected != threads->n_steps) continue;
    XC_FIBERS[all[best].task].priority = i + 1;
    best = highest(all, n);
  }
  return best;
}

static u32 sampled(const struct xc_next *all, u32 n) {
  u32 best = highest(all, n);
  if (best == n) return n;
  for (u32 i = 0, at = 0; i < XC_T->n_order; i++) {
    struct xc_fiber *fiber = &XC_FIBERS[XC_T->order[i]];
    u32 offered = at < n && all[at].task == fiber->task; /* both are in the order of fork paths */
    if (!offered || at == best || xc_conflict(&all[at], &all[best], 0)) fiber->priority = 0;
    at += offered;
  }
  return best;
}

u32 xc_at_random(const struct xc_next *all, u32 n) {
  switch (XC_THREADS->choose) {
    case XC_PCT: return changed(all, n);
    case XC_POS: return sampled(all, n);
    default: return walk(all, n);
  }
}
