/* Which memory more than one thread has touched: only accesses to it are steps.
 *
 * While threads run, an owner map holds for each byte the thread that touched it. A second one makes the bytes shared, for ever: they are added to
 * the table at shared_at, which survives runs and processes. A run in which that table grows was not recorded in full; the engine restarts.
 *
 * Invariant. XC_SHARED_MAP is the table, as a byte for each byte of memory. The owner map is 0 between runs. */
#include <stddef.h>
#include <sys/mman.h>
#include "memory.h"
#include "threads.h"

#define SHARED_MAP ((u8 *)0x200000000000ull)   /* 1: shared */
#define OWNERS ((u16 *)0x210000000000ull)      /* 1 + the task; 0: nobody */
#define LISTED ((u64 *)0x240000000000ull)      /* a bit for each page of the owner map */
#define PAGES ((u32 *)0x241000000000ull)       /* the n_pages of them that were written */
enum { PAGE_OWNERS = 2048, MOST = 1 << 16 /* bytes of an access that are looked at */ };

static int map(u64 at, u64 size, int access) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  if (mmap((void *)at, size, access, flags, -1, 0) != (void *)at) return 0;
  madvise((void *)at, size, MADV_DONTDUMP);
  return 1;
}

int xc_threads_map(void) {
  int use = PROT_READ | PROT_WRITE;
  u64 all = XC_LOW + 1, pages = all / PAGE_OWNERS;
  return map(XC_THREADS_PRIVATE, XC_THREADS_PRIVATE_END - XC_THREADS_PRIVATE, use) && map((u64)SHARED_MAP, all + 4096, use) &&
         map((u64)OWNERS, 2 * all + 4096, use) && map((u64)LISTED, pages / 8, use) && map((u64)PAGES, pages * 4, use) &&
         map(XC_FIBER_STACKS, XC_FIBER_STACKS_END - XC_FIBER_STACKS, PROT_NONE) && map(XC_ARENAS, XC_ARENAS_END - XC_ARENAS, PROT_NONE) &&
         map(XC_TLS_BLOCKS, XC_TLS_BLOCKS_END - XC_TLS_BLOCKS, use);
}

static struct xc_range *ranges(void) { return (struct xc_range *)(XC_SHARED + XC_THREADS->shared_at); }

static void mark(const struct xc_range *range) {
  for (u64 i = 0; i < range->bytes && i < MOST; i++) SHARED_MAP[(range->at + i) & XC_LOW] = 1;
}

/* What other processes found. */
void xc_shared_learn(void) {
  struct xc_threads *threads = XC_THREADS;
  for (; XC_T->shared_known < threads->n_shared && XC_T->shared_known < threads->max_shared; XC_T->shared_known++)
    mark(&ranges()[XC_T->shared_known]);
  XC_T->first_shared = threads->n_shared;
}

void xc_share(u64 at, u64 bytes) {
  struct xc_threads *threads = XC_THREADS;
  u32 n = threads->n_shared;
  struct xc_range range = {at, bytes};
  mark(&range);
  /* One that was found in this run may still grow. */
  if (n > XC_T->first_shared && ranges()[n - 1].at + ranges()[n - 1].bytes == at) {
    ranges()[n - 1].bytes += bytes;
  } else if (n < threads->max_shared) {
    ranges()[n] = range;
    threads->n_shared = XC_T->shared_known = n + 1;
  }
}

int xc_shared(u64 at) { return SHARED_MAP[at & XC_LOW]; }

static void list_page(u64 at) {
  u64 page = (at & XC_LOW) / PAGE_OWNERS, bit = 1ull << page % 64;
  if (LISTED[page / 64] & bit) return;
  LISTED[page / 64] |= bit;
  PAGES[XC_T->n_pages++] = (u32)page;
}

void xc_shared_reset(void) {
  for (u32 i = 0; i < XC_T->n_pages; i++) {
    u64 page = PAGES[i];
    void *owners = &OWNERS[page * PAGE_OWNERS];
    if (i < 256) xc_zero(owners, PAGE_OWNERS * sizeof(u16));
    else madvise(owners, PAGE_OWNERS * sizeof(u16), MADV_DONTNEED);
    LISTED[page / 64] &= ~(1ull << page % 64);
  }
  XC_T->n_pages = 0;
}

/* The current thread touches these bytes. Those that are another's become shared. Whether some byte is shared now. */
static int touch(u64 at, u64 bytes) {
  u16 self = (u16)(XC_SELF->task + 1);
  u32 shared = 0;
  u64 from = 0, n = 0; /* bytes that become shared */
  for (u64 i = at; i < at + bytes; i++) {
    u64 k = i & XC_LOW;
    u16 owner = OWNERS[k];
    shared |= SHARED_MAP[k];
    if (owner == self || SHARED_MAP[k]) continue;
    if (!owner) {
      list_page(i);
      OWNERS[k] = self;
      continue;
    }
    shared = 1;
    if (n && from + n == i) n++;
    else {
      if (n) xc_share(from, n);
      from = i, n = 1;
    }
  }
  if (n) xc_share(from, n);
  return shared;
}

/* errno is each thread's own, though they all have it at one place. */
static int is_own(u64 at) {
  u64 self;
  __asm__("mov %%fs:0, %0" : "=r"(self));
  return at < 0x10000 || at >> 47 || (at > self - 0x4000 && at < self + 0x1000);
}

void xc_spin_share(u64 at, u64 bytes) {
  for (u64 i = 0; i < bytes; i++)
    if (!SHARED_MAP[(at + i) & XC_LOW]) xc_share(at + i, 1);
}

/* What is all shared, or was all touched by this thread alone, is seen at once. */
static int is_shared(u64 at, u64 bytes) {
  u64 k = at & XC_LOW, self = XC_SELF->task + 1;
  if (bytes <= 8) {
    u64 all = 0x0101010101010101ull >> (64 - 8 * bytes), shared, owners;
    __builtin_memcpy(&shared, &SHARED_MAP[k], 8);
    if ((shared & all) == all) return 1;
    __builtin_memcpy(&owners, &OWNERS[k], 8);
    if (bytes == 4 && !(shared & all) && owners == self * 0x0001000100010001ull) return 0;
  }
  return touch(at, bytes < MOST ? bytes : MOST);
}

XC_SLOW void xc_access_slow(u64 at, u64 bytes, u32 access) {
  struct xc_fiber *self = XC_SELF;
  self->hooks++;
  if (is_own(at) || !bytes) return;
  if (XC_UNLIKELY(self->ahead)) {
    is_shared(at, bytes);
    xc_ahead_read(at, (u32)bytes, XC_DO_READ, 0, (u64)__builtin_frame_address(0));
    return;
  }
  if (!is_shared(at, bytes)) {
    if (self->spins) xc_spin_read(at, (u32)bytes);
    return;
  }
  struct xc_next next = {.op = access == XC_READ ? XC_DO_READ : XC_DO_WRITE, .arms = 1, .bytes = (u32)bytes, .object = at};
  if (access == XC_FREE) next.flags = XC_DESTROYS;
  xc_spin_next(&next);
  xc_announce(&next, (u64)__builtin_frame_address(0));
  self->await.bytes = 0;
  if (self->spins) xc_spin_read(at, (u32)bytes);
}

XC_SLOW void xc_atomic_slow(u64 at, u32 bytes, u32 op, u64 expected) {
  struct xc_fiber *self = XC_SELF;
  self->hooks++;
  if (is_own(at)) return;
  (void)*(volatile u8 *)at; /* where there is no memory it is this thread that fails */
  is_shared(at, bytes);
  if (XC_UNLIKELY(self->ahead)) {
    xc_ahead_read(at, bytes, op & 0xffff, op >> 16, (u64)__builtin_frame_address(0));
    return;
  }
  struct xc_next next = {.op = (u16)op, .flags = (u16)(op >> 16), .arms = 1, .bytes = bytes, .object = at, .other = expected};
  op &= 0xffff;
  xc_spin_next(&next);
  xc_announce(&next, (u64)__builtin_frame_address(0));
  self->await.bytes = 0;
  if (self->spins) {
    self->spin_writes |= op != XC_DO_LOAD;
    xc_spin_read(at, bytes);
  }
}

/* As an atomic operation, if others do the like. */
XC_SLOW void xc_outside_slow(u64 at, u64 bytes, u32 how) {
  struct xc_fiber *self = XC_SELF;
  xc_ahead_stop();
  self->hooks++;
  if (is_own(at) || !bytes || !is_shared(at, bytes)) return;
  struct xc_next next = {.op = how & XC_GIVEN_WRITES ? XC_DO_UPDATE : XC_DO_LOAD, .flags = XC_FULL_ORDER | XC_ELSEWHERE, .arms = 1, .bytes = (u32)bytes, .object = at};
  xc_announce(&next, (u64)__builtin_frame_address(0));
}

XC_SLOW void xc_fence_slow(u32 flags) {
  struct xc_next next = {.op = XC_DO_FENCE, .flags = (u16)flags, .arms = 1};
  xc_ahead_stop();
  XC_SELF->hooks++;
  xc_announce(&next, (u64)__builtin_frame_address(0));
}
