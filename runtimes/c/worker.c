/* The subject process: main, the loop that waits for cases and runs them, and the switch between its stack and the subject's.
 *
 * Each run happens on the subject's own stack at XC_STACK. It ends by returning from the harness or by xc_resume, from wherever it is
 * (also from a signal handler). The engine is told before the clean-up, so that both work at once: nothing in the shared block changes
 * between the bell and the next command.
 *
 * Invariant. Between two runs there is no difference to a fresh process, or `ready` is cleared and the engine takes a fresh process. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "threads.h"

/* The largest file that a subject may write: a write beyond it fails, as on a full disk. */
#define XC_FILE_LIMIT (256ull << 20)

/* The callee-saved registers and the floating-point modes go to the old stack; rbp = 0 ends the chain of frames. */
__asm__(".text\n.globl xc_enter\n.type xc_enter,@function\nxc_enter:\n"
        "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
        "  sub $8, %rsp\n  stmxcsr (%rsp)\n  fnstcw 4(%rsp)\n"
        "  mov %rsp, (%rdi)\n  mov %rdi, %rbx\n  mov %rsi, %rsp\n  xor %ebp, %ebp\n  call *%rdx\n"
        "  mov (%rbx), %rdi\n"
        ".globl xc_resume\n.type xc_resume,@function\nxc_resume:\n"
        "  mov %rdi, %rsp\n  cld\n  ldmxcsr (%rsp)\n  fninit\n  fldcw 4(%rsp)\n  add $8, %rsp\n"
        "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n  ret\n");

static int map_at(u64 at, u64 size, int access) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  if (mmap((void *)at, size, access, flags, -1, 0) != (void *)at) return 0;
  madvise((void *)at, size, MADV_DONTDUMP);
  return 1;
}

void xc_open(u64 *opened, u64 to) {
  if (to <= *opened) return;
  to = (to + XC_CHUNK - 1) & -(u64)XC_CHUNK;
  mprotect((void *)*opened, to - *opened, PROT_READ | PROT_WRITE);
  *opened = to;
}

void xc_map(void) {
  static int mapped; /* set before the snapshot, so a reset does not clear it */
  if (mapped) return;
  int use = PROT_READ | PROT_WRITE;
  if (!map_at(XC_PRIVATE, XC_SNAPSHOTS - XC_PRIVATE, use) || !map_at(XC_SNAPSHOTS, XC_INPUTS - XC_SNAPSHOTS, PROT_NONE) ||
      !map_at(XC_HEAP, XC_HEAP_END - XC_HEAP, PROT_NONE)) {
    static const char why[] = "xcute: cannot map the runtime's memory\n";
    syscall(SYS_write, 2, why, sizeof why - 1);
    syscall(SYS_exit_group, XC_START_NOTHING_MAPPED);
  }
  mapped = 1;
  XC_P->heap_limit = 1ull << 28;
  XC_P->heap = (struct xc_arena){XC_HEAP, XC_HEAP, XC_HEAP, XC_HEAP_END, 0, 0, XC_OBJECTS};
  XC_P->arena = &XC_P->heap;
  XC_P->inputs_open = XC_INPUTS;
  XC_P->snapshots_open = XC_SNAPSHOTS;
}

static void sleep_until_rung(u32 seen) {
  /* Spinning pays only if the engine runs at the same time, on another processor: as in an adaptive mutex we spin less where it was in
   * vain, and try again now and then. */
  u32 most = XC->spin, trial = ++XC_P->waits % 64 == 0, limit = trial ? most : XC_P->spin;
  for (u32 i = 0; i < limit; i++) {
    if (__atomic_load_n(&XC->bell_subject, __ATOMIC_ACQUIRE) != seen) {
      u32 more = trial && XC_P->spin < most / 2 ? most / 2 : XC_P->spin + XC_P->spin / 8 + 1;
      XC_P->spin = more < most ? more : most;
      return;
    }
    __builtin_ia32_pause();
  }
  XC_P->spin -= XC_P->spin / 4;
  while (__atomic_load_n(&XC->bell_subject, __ATOMIC_SEQ_CST) == seen) {
    __atomic_store_n(&XC->subject_sleeps, 1, __ATOMIC_SEQ_CST);
    syscall(SYS_futex, &XC->bell_subject, FUTEX_WAIT, seen, 0, 0, 0);
    if ((u32)syscall(SYS_getppid) != XC->engine_pid) syscall(SYS_exit_group, 0);
  }
  __atomic_store_n(&XC->subject_sleeps, 0, __ATOMIC_SEQ_CST);
}

static void ring(void) {
  __atomic_add_fetch(&XC->bell_engine, 1, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&XC->engine_sleeps, __ATOMIC_SEQ_CST)) syscall(SYS_futex, &XC->bell_engine, FUTEX_WAKE, 1, 0, 0, 0);
}

static void subject(void) {
  xcute_harness();
  xc_run_at_exit(); /* while others still run */
  xc_others_first(XC_RETURNED, 0);
  if (XC_P->is_child == XC_YES) syscall(SYS_exit_group, 0);
  xc_leaks(0);
  XC->outcome = XC_RETURNED;
  if (XC->threads_at) xc_finish(XC_FINISHED);
  XC_P->running = 0;
}

static void one_run(void) {
  XC->started = XC->run;
  XC->n_nodes = 1;
  XC->n_events = XC->n_decisions = XC->n_aux = XC->n_args = XC->ret = XC->n_frames = 0;
  XC->tag = XC->full = XC->open_end = 0;
  XC_P->inside = XC_P->endless = 0;
  XC_P->forks = XC_LOST_CHILD;
  XC->fuel = XC->fuel_limit;
  XC->outcome = XC_RUNNING;
  XC->signal = XC->check = XC->site = 0;
  XC->status = 0;
  XC->fault_address = XC->pc = 0;
  XC->message[0] = 0;
  XC->object_kind = 0;
  XC_P->n_streams = 0;
  XC_P->jump = 0;
  XC_P->stack_from = XC_STACK;
  XC_P->stack_low = XC_P->stack_to = XC_STACK + XC_STACK_SIZE;
  if (XC->threads_at) xc_threads_begin();
  XC_P->heap_limit = XC->heap_limit;
  XC_P->flags = XC->flags;
  xc_nodes_reset();
  XC->recording = 1;
  XC_P->running = XC_YES;
  errno = 0; /* waiting for the command may have set it */
  xc_enter(&XC_P->loop_stack, XC_STACK + XC_STACK_SIZE - 64, subject);
  XC->recording = 0;
  if (XC_P->lasting && !(XC->flags & XC_FLAG_FORK)) XC->ready = 0;
}

static void limits(void) {
  struct rlimit none = {0, 0}, file = {XC_FILE_LIMIT, XC_FILE_LIMIT};
  setrlimit(RLIMIT_CORE, &none);
  setrlimit(RLIMIT_FSIZE, &file);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

/* What the subject maps by itself is bounded, too. Called when all of the runtime's memory is mapped, which counts.
 * The sixth number of statm is the size of private writable memory, in pages. */
static void limit_mappings(void) {
  char text[256];
  long file = syscall(SYS_open, "/proc/self/statm", O_RDONLY | O_CLOEXEC), n = file < 0 ? 0 : syscall(SYS_read, file, text, sizeof text);
  if (file >= 0) syscall(SYS_close, file);
  u64 pages = 0;
  for (long i = 0, word = 0; i < n && word < 6; i++) {
    if (text[i] == ' ') word++;
    else if (word == 5 && text[i] >= '0' && text[i] <= '9') pages = pages * 10 + (u64)(text[i] - '0');
  }
  u64 most = pages * 4096 + XC->heap_limit + (3ull << 30) + (XC->threads_at ? XC_TASKS * XC_FIBER_STACK : 0);
  struct rlimit data = {most, most};
  if (pages) setrlimit(RLIMIT_DATA, &data);
}

static _Noreturn void give_up(u32 why) {
  XC->ready = why;
  ring();
  syscall(SYS_exit_group, XC_START_NOTHING_MAPPED);
  __builtin_unreachable();
}

/* Before all constructors, which may be instrumented. The shared block is standard input. Address randomisation is switched off by one more
 * exec. */
static void start(int argc, char **argv, char **environment) {
  (void)argc;
  int now = personality(0xffffffff);
  if (now != -1 && !(now & ADDR_NO_RANDOMIZE) && personality(now | ADDR_NO_RANDOMIZE) != -1) execve("/proc/self/exe", argv, environment);
  limits();
  struct stat block;
  if (fstat(0, &block) || !S_ISREG(block.st_mode) || (u64)block.st_size < sizeof(struct xc_control)) syscall(SYS_exit_group, 64);
  int flags = MAP_SHARED | MAP_FIXED_NOREPLACE;
  if (mmap((void *)XC_SHARED, block.st_size, PROT_READ | PROT_WRITE, flags, 0, 0) != (void *)XC_SHARED) syscall(SYS_exit_group, XC_START_NOTHING_MAPPED);
  if (XC->magic != XC_MAGIC || XC->version != XC_VERSION) syscall(SYS_exit_group, 64);
  long null = syscall(SYS_open, "/dev/null", O_RDWR);
  syscall(SYS_dup2, null, 0);
  syscall(SYS_close, null);
  xc_map();
  int use = PROT_READ | PROT_WRITE;
  if (!map_at(XC_INPUTS, XC_INPUTS_END - XC_INPUTS, PROT_NONE) || !map_at(XC_STACK, XC_STACK_SIZE, use) || !map_at(XC_SHADOW, 1ull << 38, use)) {
    give_up(XC_START_NO_MEMORY);
  }
  if (XC->threads_at && !xc_threads_map()) give_up(XC_START_NO_MEMORY);
  if (XC->threads_at) XC_P->heap.most = XC_OBJECTS / 2;
  XC_P->most_stack = 1 << 20;
  limit_mappings();
  mprotect((void *)(XC_SHARED + XC->types_at), XC->vars_at - XC->types_at, PROT_READ); /* nobody writes to these tables */
  XC->fuel = XC->fuel_limit;
  XC->n_nodes = 1;
  XC->recording = 0;
  xc_nodes_reset();
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = start;

int main(void) {
  XC_P->flags = XC->flags;
  XC_P->spin = XC->spin;
  xc_globals_start();
  xc_beyond_start();
  xc_inputs_start();
  xc_catch_signals();
  xc_save_state();
  u32 seen = __atomic_load_n(&XC->bell_subject, __ATOMIC_ACQUIRE);
  XC->ready = XC_MAGIC;
  ring();
  for (;;) {
    sleep_until_rung(seen);
    seen = __atomic_load_n(&XC->bell_subject, __ATOMIC_ACQUIRE);
    if (XC->command != XC_CMD_RUN && XC->command != XC_CMD_GLANCE) syscall(SYS_exit_group, 0);
    xc_inputs_learn();
    if (XC->flags & XC_FLAG_FORK) {
      xc_isolated_run(one_run, ring);
      continue;
    }
    one_run();
    ring();
    xc_restore_state();
  }
}
