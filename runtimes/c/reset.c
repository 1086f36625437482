/* Fresh globals, thread-local variables, heap, stack, library state, descriptors and signal handlers for each run.
 *
 * Small parts of memory are copied back. Parts beyond XC_BIG become private mappings of a file that holds the first state: MADV_DONTNEED then
 * drops what a run wrote, at a cost in proportion to the pages it wrote.
 *
 * Invariant. What the runtime itself needs (XC_PRIVATE, the shared block) is never part of a snapshot. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include "threads.h"

enum { XC_BIG = 1 << 16, PAGE = 4096, MANY = 1024, KEPT = 1000 /* first of three descriptors that keep the standard ones */ };

struct snapshot { u64 at, size, copy; /* 0: mapped */ };
#define SNAPSHOTS ((struct snapshot *)XC_SNAPSHOTS)

static _Noreturn void too_big(void) {
  XC->ready = XC_START_TOO_BIG;
  syscall(SYS_exit_group, XC_START_NOTHING_MAPPED);
  __builtin_unreachable();
}

static void keep_copy(u64 at, u64 size) {
  if (!size) return;
  u64 copy = XC_P->snapshot_top;
  if (copy + size > XC_INPUTS) too_big();
  XC_P->snapshot_top = (copy + size + 63) & ~63ull;
  xc_open(&XC_P->snapshots_open, XC_P->snapshot_top);
  xc_copy((void *)copy, (void *)at, size);
  SNAPSHOTS[XC_P->n_snapshots++] = (struct snapshot){at, size, copy};
}

/* Whole pages [at, at + size) become a private mapping of a file with their contents. */
static int keep_mapped(u64 at, u64 size) {
  long file = syscall(SYS_memfd_create, "xcute-data", 1 /* close on exec */);
  if (file < 0) return 0;
  u64 done = 0;
  while (done < size) {
    long n = syscall(SYS_write, file, at + done, size - done);
    if (n <= 0) break;
    done += (u64)n;
  }
  int ok = done == size && mmap((void *)at, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, (int)file, 0) == (void *)at;
  syscall(SYS_close, file);
  if (ok) SNAPSHOTS[XC_P->n_snapshots++] = (struct snapshot){at, size, 0};
  return ok;
}

static void keep(u64 from, u64 to) {
  if (from >= to || XC_P->n_snapshots + 4 >= MANY) return;
  u64 first = (from + PAGE - 1) & ~(u64)(PAGE - 1), last = to & ~(u64)(PAGE - 1);
  if (to - from <= XC_BIG || first >= last || !keep_mapped(first, last - first)) {
    keep_copy(from, to - from);
    return;
  }
  keep_copy(from, first - from);
  keep_copy(last, to - last);
}

int xc_root(u32 i, u64 *from, u64 *to) {
  if (i >= XC_P->n_snapshots) return 0;
  *from = SNAPSHOTS[i].at;
  *to = SNAPSHOTS[i].at + SNAPSHOTS[i].size;
  return 1;
}

static int ends_with_loader(const char *name) {
  const char *base = name;
  for (const char *c = name; *c; c++) {
    if (*c == '/') base = c + 1;
  }
  return (base[0] == 'l' && base[1] == 'd' && base[2] == '-') || (base[0] == 'l' && base[1] == 'd' && base[2] == '.') || !*name;
}

static int keep_object(struct dl_phdr_info *object, size_t size, void *first) {
  int executable = *(int *)first;
  (void)size;
  *(int *)first = 0;
  if (!executable && (!(XC->flags & XC_FLAG_SNAPSHOT_LIBC) || ends_with_loader(object->dlpi_name))) return 0;
  u64 relro_from = 0, relro_to = 0;
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    u64 at = object->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_GNU_RELRO) relro_from = at & ~(u64)(PAGE - 1), relro_to = (at + part->p_memsz) & ~(u64)(PAGE - 1);
    if (part->p_type == PT_TLS && object->dlpi_tls_data) keep_copy((u64)object->dlpi_tls_data, part->p_memsz);
  }
  for (int i = 0; i < object->dlpi_phnum; i++) {
    const ElfW(Phdr) *part = &object->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_W)) continue;
    u64 from = object->dlpi_addr + part->p_vaddr, to = from + part->p_memsz;
    if (relro_from < to && relro_to > from) {
      keep(from, relro_from);
      keep(relro_to, to);
    } else {
      keep(from, to);
    }
  }
  return 0;
}

static void keep_descriptors(void) {
  for (int i = 0; i < 3; i++) syscall(SYS_dup3, i, KEPT + i, O_CLOEXEC);
}

void xc_save_state(void) {
  int first = 1;
  XC_P->snapshot_top = XC_SNAPSHOTS + MANY * sizeof(struct snapshot);
  xc_open(&XC_P->snapshots_open, XC_P->snapshot_top);
  XC_P->heap.first = XC_P->heap.top;
  XC_P->heap.n_first = XC_P->heap.n;
  XC_P->n_atexit_first = XC_P->n_atexit;
  if (XC->flags & XC_FLAG_FILES) keep_descriptors();
  dl_iterate_phdr(keep_object, &first);
  keep_copy(XC_HEAP, XC_P->heap.first - XC_HEAP);
  keep_copy((u64)XC_HEAP_OBJECTS, XC_P->heap.n * sizeof(struct xc_global)); /* which of them are freed */
  mprotect((void *)XC_SNAPSHOTS, XC_P->snapshots_open - XC_SNAPSHOTS, PROT_READ);
}

/* The lowest of the objects that were pushed to the object stack in this run; popped entries are still there. */
static u64 lowest_object(u64 from, u64 low, u64 first) {
  for (struct xc_named *object = &XC_STACK_OBJECTS[first]; object->base; object++) {
    if (object->base < low && object->base >= from) low = object->base;
    object->base = 0;
  }
  return low;
}

/* What uninitialised locals see must not depend on earlier runs. The used part ends where, below all objects, two pages are all zero. */
void xc_clear_stack(u64 from, u64 to, u64 first) {
  u64 page = to - PAGE, low = lowest_object(from, to, first);
  for (int clean = 0, used = 0; (clean < 2 || page >= low) && page >= from; page -= PAGE) {
    const u64 *words = (const u64 *)page;
    u64 any = 0;
    for (int i = 0; i < PAGE / 8; i += 8) {
      for (int j = 0; j < 8; j++) any |= words[i + j];
    }
    if (!any) {
      clean++;
    } else if (++used > 256) {
      madvise((void *)from, page + PAGE - from, MADV_DONTNEED);
      return;
    } else {
      clean = 0;
      xc_zero((void *)page, PAGE);
    }
  }
}

static void restore_signals(void) {
  struct itimerval never = {{0, 0}, {0, 0}};
  for (int timer = 0; timer < 3; timer++) syscall(SYS_setitimer, timer, &never, 0);
  for (int i = SIGRTMIN; i <= SIGRTMAX; i++) signal(i, SIG_DFL);
  signal(SIGCHLD, SIG_DFL);
  xc_catch_signals();
}

static void restore_descriptors(void) {
  for (int i = 0; i < 3; i++) {
    if (syscall(SYS_dup2, KEPT + i, i) < 0) { /* the subject closed it */
      long null = syscall(SYS_open, "/dev/null", O_RDWR);
      if (null != i) syscall(SYS_dup2, null, i);
      if (null > 2) syscall(SYS_close, null);
      syscall(SYS_dup3, i, KEPT + i, O_CLOEXEC);
    }
  }
  syscall(SYS_close_range, 3, KEPT - 1, 0);
  syscall(SYS_close_range, KEPT + 3, ~0u, 0);
}

void xc_restore_state(void) {
  u32 flags = XC_P->flags;
  if (XC_P->n_children) xc_end_children();
  if ((flags & (XC_FLAG_OUTPUT | XC_FLAG_SNAPSHOT_LIBC)) == (XC_FLAG_OUTPUT | XC_FLAG_SNAPSHOT_LIBC)) fflush(0);
  if (flags & XC_FLAG_SIGNALS) restore_signals();
  if (flags & XC_FLAG_FILES) restore_descriptors();
  for (u32 i = 0; i < XC_P->n_snapshots; i++) {
    struct snapshot *s = &SNAPSHOTS[i];
    if (s->copy) xc_copy((void *)s->at, (void *)s->copy, s->size);
    else madvise((void *)s->at, s->size, MADV_DONTNEED);
  }
  XC_P->n_atexit = XC_P->n_atexit_first;
  XC_P->n_stack = 0;
  errno = 0;
  xc_clear_stack(XC_STACK, XC_STACK + XC_STACK_SIZE, 0);
  if (XC->threads_at) xc_threads_reset();
  xc_heap_reset(&XC_P->heap);
  xc_inputs_reset();
  xc_memory_reset();
}
