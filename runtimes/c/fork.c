/* Processes and threads that the subject asks for.
 *
 * A forked child runs on, for its parent's sake, with a private copy of the shared block: its trace is nobody's. What it does with inputs, and whether it
 * fails, is not known, and the run says so. Children that are left when the run ends are killed. In programs that are not known to have threads (threads/thread.c) they are refused, as a system without resources may
 * do, and the refusal is reported.
 *
 * Invariant. Only the process that the engine started writes to the shared block. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "threads.h"

static void copy_part(u64 block, u64 at, u64 bytes) {
  if (at <= XC->size && bytes <= XC->size - at) xc_copy((void *)(block + at), (void *)(XC_SHARED + at), bytes);
}

static int detach(void) {
  u64 size = XC->size;
  void *block = mmap(0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) return 0;
  u64 to = (u64)block;
  copy_part(to, 0, sizeof(struct xc_control));
  copy_part(to, XC->nodes_at, XC->n_nodes * sizeof(struct xc_node));
  copy_part(to, XC->aux_at, XC->n_aux * sizeof(struct xc_aux));
  copy_part(to, XC->vars_at, XC->n_vars * sizeof(struct xc_var));
  copy_part(to, XC->types_at, XC->n_types * sizeof(struct xc_type));
  copy_part(to, XC->fields_at, XC->n_fields * sizeof(struct xc_field));
  copy_part(to, XC->inputs_at, XC->n_inputs * sizeof(u32));
  return mremap(block, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)XC_SHARED) == (void *)XC_SHARED;
}

static void not_followed(void) {
  if (XC_P->running == XC_YES) xc_unsupported(XC_P->forks);
  XC_P->forks = XC_LOST_CHILD;
}

XC_WEAK int fork(void) {
  if (XC_P->n_children + XC_P->no_forks >= XC_CHILDREN) {
    not_followed();
    errno = EAGAIN;
    return -1;
  }
  int child = _Fork();
  if (child == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!detach()) syscall(SYS_exit_group, 126);
    XC_P->is_child = XC_YES;
    XC->concurrent = 0; /* the thread that forks is the only one here */
    XC_P->no_forks = XC_P->no_forks ? XC_CHILDREN : XC_CHILDREN - 4; /* four children of a child, and no more */
    XC_P->n_children = 0;
  } else if (child > 0) {
    XC_P->children[XC_P->n_children++] = child;
    not_followed();
  }
  return child;
}

XC_WEAK int vfork(void) { return fork(); }

void xc_end_children(void) {
  for (u32 i = 0; i < XC_P->n_children; i++) {
    syscall(SYS_kill, XC_P->children[i], SIGKILL);
    syscall(SYS_wait4, XC_P->children[i], 0, 0, 0);
  }
  XC_P->n_children = 0;
}

__attribute__((weak)) int xc_thread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *); /* threads/thread.c */

XC_WEAK int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  if (xc_thread_create && xc_threads_running()) return xc_thread_create(thread, attributes, start, argument);
  if (XC_P->running == XC_YES) xc_event(XC_EV_UNSUPPORTED, XC_LOST_THREAD, 0, 0, 0);
  return EAGAIN;
}
