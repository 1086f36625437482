/* Assumptions that are waits: what an assumed condition reads is read again until it holds, or nobody else is left.
 *
 * Invariant. Goes back where assumed.c does, as long as the order is kept. */
#define _GNU_SOURCE
#include <sched.h>
#include <sys/syscall.h>
#include "../common/point.h"
#include "../common/system.h"
#include "replay.h"

XC_POINT("xcr_point", "xcr_point_room", "xcr_point_jump");

_Noreturn void xcr_point_jump(const u64 *registers);
static __thread u64 registers[8];

u64 *xcr_point_room(void) { return registers; }

void xcr_again(u32 holds) {
  if (holds || !xcr_concurrent || !xcr_others()) return;
  xcr_section_leave();
  system_call(SYS_sched_yield, (long[6]){0});
  xcr_section_enter();
  xcr_point_jump(registers);
}
