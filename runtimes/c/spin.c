/* Loops that only wait: `while (!ready) ;`.
 *
 * The instrumenter marks loops whose rounds only read. When a round is over and nothing that it read has changed, the next one would do the same: the
 * thread blocks until something of it has another value (XC_DO_AWAIT). So a wait is one step instead of any number, and a loop that waits
 * for ever is a thread that is stuck.
 *
 * Loops that try (`while (atomic_flag_test_and_set(&lock)) ;`) wait between two rounds: an attempt that wrote what was there changed nothing.
 *
 * Invariant. `spin` holds what was read since the beginning of the round; a round that reads more than XC_SPINS places, or two values of
 * one place, never blocks. */
#include "memory.h"
#include "threads.h"

static u64 digest(const struct xc_fiber *fiber, int now) {
  u64 sum = 0;
  for (u32 i = 0; i < fiber->n_spin; i++) {
    u64 value = now ? xc_peek(fiber->spin[i].at, fiber->spin[i].bytes) : fiber->spin[i].value;
    sum = fiber->n_spin == 1 ? value : (sum ^ value) * 0x9e3779b97f4a7c15ull;
  }
  return sum;
}

u64 xc_spin_value(const struct xc_fiber *fiber) {
  if (fiber->await.op) return xc_descriptor_ready((u32)fiber->await.at, fiber->await.op - 1);
  return fiber->await.bytes ? xc_peek(fiber->await.at, fiber->await.bytes) : digest(fiber, 1);
}

void xc_spin_read(u64 at, u32 bytes) {
  struct xc_fiber *self = XC_SELF;
  if (bytes > 8) bytes = 8;
  for (u32 i = 0; i < self->n_spin && i < XC_SPINS; i++)
    if (self->spin[i].at == at && self->spin[i].bytes == bytes) {
      /* It changed within the round, which was decided by both values: the next one may go another way even if the first comes back. */
      if (self->spin[i].value != xc_peek(at, bytes)) self->n_spin = XC_SPINS + 1, self->spins = 0;
      return;
    }
  if (self->n_spin < XC_SPINS) self->spin[self->n_spin] = (struct xc_spin){.at = at, .value = xc_peek(at, bytes), .bytes = bytes};
  if (++self->n_spin > XC_SPINS) self->spins = 0; /* perhaps the loop was left long ago */
}

/* The access of the next round: if the loop looks at one place only, it is that which waits. */
void xc_spin_next(struct xc_next *next) {
  struct xc_spin *await = &XC_SELF->await;
  if (!await->bytes) return;
  if (await->at != next->object || await->bytes != next->bytes || (next->op != XC_DO_READ && next->op != XC_DO_LOAD)) {
    await->bytes = 0;
    return;
  }
  next->op = XC_DO_AWAIT;
  next->other = await->value;
  next->flags |= await->flags;
}

XC_SLOW void xc_spin_begin(void) {
  XC_SELF->spins = 1;
  XC_SELF->n_spin = XC_SELF->spin_writes = 0;
}

/* The round is over and begins again. */
XC_SLOW void xc_spin_end(void) {
  struct xc_fiber *self = XC_SELF;
  self->spins = 0;
  if (self->n_spin && self->n_spin <= XC_SPINS) xc_spin_wait(0);
}

void xc_spin_share_all(void) {
  const struct xc_fiber *self = XC_SELF;
  for (u32 i = 0; i < self->n_spin; i++) xc_spin_share(self->spin[i].at, self->spin[i].bytes);
}

void xc_spin_wait(u32 flags) {
  struct xc_fiber *self = XC_SELF;
  u64 from = ~0ull, to = 0;
  xc_spin_share_all();
  for (u32 i = 0; i < self->n_spin; i++) {
    const struct xc_spin *read = &self->spin[i];
    if (read->at < from) from = read->at;
    if (read->at + read->bytes > to) to = read->at + read->bytes;
  }
  if (self->n_spin == 1 && !self->spin_writes) {
    self->await = self->spin[0];
    self->await.flags = (u16)flags;
    return;
  }
  struct xc_next next = {.op = XC_DO_AWAIT, .flags = (u16)flags, .arms = 1, .bytes = (u32)(to - from), .object = from, .other = digest(self, 0)};
  self->await.bytes = 0;
  xc_announce(&next, (u64)__builtin_frame_address(0));
}
