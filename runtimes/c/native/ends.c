/* How the program fails: the signal, the address that it is about, the stack and its memory, written to a file.
 *
 * Invariant. The program ends as it would without us: the signal is raised again, or the instruction executed again. What is known before the stack
 * is walked is written before: a broken stack costs the frames and nothing else. A sanitizer that is there reports by itself. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#include "native.h"

void __asan_init(void) __attribute__((weak));
void __msan_init(void) __attribute__((weak));
void __tsan_init(void) __attribute__((weak));

enum { FIRST = 48 /* after this many frames only new ones are noted */, DEEP = 200000 };
static int file = -1;
static struct xcn_report report;
static u32 seen, in_signal;
static u64 base; /* where the executable begins; we may be in a library */

static int first(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  u64 low = ~0ull;
  for (u32 i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_vaddr < low) low = info->dlpi_phdr[i].p_vaddr;
  base = info->dlpi_addr + low;
  return 1;
}

static _Unwind_Reason_Code frame(struct _Unwind_Context *context, void *unused) {
  (void)unused;
  int before = 0;
  u64 at = _Unwind_GetIPInfo(context, &before);
  if (before) in_signal = 1;
  if (!in_signal) return _URC_NO_REASON;
  at -= !before;
  u32 known = 0;
  if (report.n >= FIRST)
    for (u64 i = 0; i < report.n && !known; i++) known = report.frames[i] == at;
  if (!known && report.n < XCN_FRAMES) {
    report.bases[report.n] = _Unwind_GetGR(context, 6);
    report.frames[report.n++] = at;
  }
  return ++seen < DEEP && report.n < XCN_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void save(void) { syscall(SYS_pwrite64, file, &report, sizeof report, 0l); }

/* The stack, page by page: the kernel says where it ends. */
static void save_stack(void) {
  for (u64 i = 0; i < XCN_STACK; i++)
    if (syscall(SYS_pwrite64, file, report.stack + i * XCN_PAGE, (u64)XCN_PAGE, (u64)sizeof report + i * XCN_PAGE) != XCN_PAGE) return;
}

static void on_signal(int number, siginfo_t *info, void *context) {
  const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
  report.magic = XCN_REPORT;
  report.signal = (u64)number;
  report.code = (u64)registers[REG_RIP];
  int fault = (number == SIGSEGV || number == SIGBUS) && info->si_code != SI_USER && info->si_code != SI_TKILL;
  report.address = fault ? (u64)info->si_addr : 0;
  if (number == SIGSEGV && info->si_code == SI_KERNEL) report.address = ~0ull; /* not canonical: the kernel does not say which */
  report.sp = (u64)registers[REG_RSP];
  report.base = base;
  report.guarded = fault && xcn_guarded(report.address);
  report.n = 0;
  report.stack = (report.sp - XCN_RED_ZONE) / XCN_PAGE * XCN_PAGE;
  save();
  _Unwind_Backtrace(frame, 0);
  save();
  save_stack();
  if (number == XCN_ALARM) syscall(SYS_exit_group, 128 + number);
  /* Somebody sent it: it has to be sent again. Else the instruction is executed again, and now it is fatal. */
  if (info->si_code <= 0) syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), number);
}

__attribute__((constructor(102))) static void listen(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, XCN_ALARM};
  static char stack[1 << 16];
  const char *path = getenv("XCUTE_REPORT");
  int opened = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
  unsetenv("XCUTE_REPORT");
  /* Where we are a library, the program's children need not have us. */
  if (getenv("XCUTE_PRELOAD")) unsetenv("LD_PRELOAD"), unsetenv("XCUTE_PRELOAD");
  if (opened < 0) return;
  /* Out of the way of the program's own files. */
  file = fcntl(opened, F_DUPFD_CLOEXEC, 500);
  if (file < 0) file = opened;
  else close(opened);
  if (__asan_init || __msan_init || __tsan_init) return;
  dl_iterate_phdr(first, 0);
  stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&other, 0);
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND | SA_NODEFER;
  for (u32 i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, 0);
}
