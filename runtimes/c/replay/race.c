/* A data race: the two accesses that the order names.
 *
 * Where the order ends before both of them, and both threads stand right before theirs, each could be next: that is a data race by definition
 * (adjacent conflicting accesses, Boehm and Adve 2008), and nothing else has to be looked for. Where one access can only come after the other, a sanitizer
 * for threads says whether synchronisation orders them. It remembers only the last accesses to a place, so each thread touches a byte of ours as well
 * when it makes its access: nobody else does, and what orders the two touches orders the accesses.
 *
 * Invariant. What is said is of two accesses that were seen here, of different threads, to the same memory, one of them a write. */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/syscall.h>
#include "../common/system.h"
#include "replay.h"

struct access { struct xcr_task *task; u32 hook, write, seen; u64 from, to; };
static struct access both[2];
static u64 touched[8]; /* the sanitizer's unit is eight bytes: the one in the middle has no neighbours */
static u32 unordered;

void __tsan_write1(void *at) __attribute__((weak));
int __tsan_get_report_mop(void *report, u64 index, int *task, void **at, int *bytes, int *write, int *atomic, void **trace, u64 room) __attribute__((weak));

void xcr_race(u32 which, struct xcr_task *task, u32 hook) {
  both[which] = (struct access){.task = task, .hook = hook};
  task->race = hook;
}

void xcr_racing(u64 at, u32 bytes, u32 write) {
  for (struct access *access = both; access < both + 2; access++)
    if (access->task == xcr_me && access->hook == xcr_me->race) access->from = at, access->to = at + bytes, access->write = write, access->seen = 1;
}

static int same_memory(void) {
  return both[0].seen && both[1].seen && both[0].from < both[1].to && both[1].from < both[0].to && (both[0].write | both[1].write);
}

static void say(const char *how) {
  if (!same_memory()) how = 0;
  if (!how) fprintf(stderr, "replay: no data race: the two accesses are ordered, or have no memory in common\n");
  else fprintf(stderr, "replay: data race: threads %s and %s access %lu bytes of the same memory, %s\n", both[0].task->name, both[1].task->name,
          (both[0].to < both[1].to ? both[0].to : both[1].to) - (both[0].from > both[1].from ? both[0].from : both[1].from), how);
}

/* Whatever comes now is another matter. */
static void leave(void) {
  fflush_unlocked(stdout);
  system_call(SYS_exit_group, (long[6]){0});
}

static int stands(const struct access *access) { return access->task && access->task->parked && access->task->hooks == access->hook; }

void xcr_abreast(void) {
  if (!stands(&both[0]) || !stands(&both[1])) return;
  say("and each may be next");
  leave();
}

void xcr_raced(void) {
  if (!__tsan_write1) return;
  u32 done = 0;
  for (u32 i = 0; i < 2; i++)
    if (both[i].task == xcr_me && both[i].hook == xcr_me->hooks) both[i].seen = 2;
  __tsan_write1(&touched[4]);
  for (u32 i = 0; i < 2; i++) done += both[i].seen == 2;
  if (done < 2) return;
  say(unordered ? "and no synchronisation orders them" : 0);
  leave();
}

/* The sanitizer tells of each report. */
void __tsan_on_report(void *report) {
  for (u64 i = 0; i < 2; i++) {
    int task, bytes, write, atomic;
    void *at = 0, *trace[1];
    if (__tsan_get_report_mop && __tsan_get_report_mop(report, i, &task, &at, &bytes, &write, &atomic, trace, 1) && at == &touched[4])
      __atomic_store_n(&unordered, 1, __ATOMIC_RELAXED);
  }
}
