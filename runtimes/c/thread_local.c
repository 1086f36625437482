/* Thread-local variables: every thread but the first has its own copy of those of the executable, made at its first use of one.
 *
 * Those of libraries are one for all threads: code that is not instrumented finds them through the processor's register. What of them matters
 * across switches (errno, exceptions, what std::call_once calls) a switch saves.
 *
 * Invariant. The copy of a task is at the same address in every run. */
#define _GNU_SOURCE
#include <link.h>
#include "threads.h"

/* The executable's part of the first thread's block, and what it began as. */
struct image { u64 at, bytes, from, copied; };
#define IMAGE ((struct image *)XC_TLS_IMAGE)

static int find(struct dl_phdr_info *object, size_t size, void *unused) {
  (void)size, (void)unused;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_TLS) continue;
    *IMAGE = (struct image){(u64)object->dlpi_tls_data, part->p_memsz, object->dlpi_addr + part->p_vaddr, part->p_filesz};
  }
  if (!IMAGE->at) IMAGE->at = 1; /* there are none */
  return 1; /* the executable comes first */
}

/* Where the current fiber has the variable that the first thread has at p. */
u64 xc_thread_local(u64 p) {
  if (!IMAGE->at) dl_iterate_phdr(find, 0);
  u64 offset = p - IMAGE->at;
  if (offset >= IMAGE->bytes || IMAGE->bytes > XC_TLS_BLOCK) return p;
  struct xc_fiber *self = XC_SELF;
  if (!self->thread_local_at) {
    /* Aligned as the first thread's is. */
    u64 at = XC_TLS_BLOCKS + self->task * XC_TLS_BLOCK + (IMAGE->at & 4095);
    xc_copy((void *)at, (void *)IMAGE->from, IMAGE->copied);
    xc_zero((void *)(at + IMAGE->copied), IMAGE->bytes - IMAGE->copied);
    self->thread_local_at = at;
  }
  return self->thread_local_at + offset;
}

/* By turns the thread-local variables of a thread, and its data by key (threads/key.c). */
int xc_own_at(u32 i, u64 *from, u64 *to) {
  *from = *to = 0;
  if (!XC->threads_at || i / 2 >= XC_T->n_made) return 0;
  const struct xc_fiber *fiber = &XC_FIBERS[XC_T->made[i / 2]];
  if (fiber->state >= XC_FIBER_ENDED) return 1;
  *from = i % 2 ? XC_FIBER_KEYS + fiber->task * XC_KEYS * XC_KEY_BYTES : fiber->thread_local_at;
  *to = *from + (i % 2 ? fiber->n_keys * XC_KEY_BYTES : fiber->thread_local_at ? IMAGE->bytes : 0);
  return 1;
}
