/* The end of the program. When the order was recorded, whoever ended it waited until nobody else could go on: whatever the others did then could have
 * happened before.
 *
 * Invariant. It ends after all that exit calls, and after at most PATIENCE milliseconds in which no thread hands on. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>
#include "replay.h"

enum { PATIENCE = 1000 };

int xcr_others(void) {
  xcr_lock();
  int others = 0;
  for (u32 i = 0; i < xcr_n_tasks(); i++) {
    const struct xcr_task *task = xcr_task_at(i);
    others |= task != xcr_me && task->created && !task->ended;
  }
  xcr_unlock();
  return others;
}

void xcr_leave(void) {
  static u32 never;
  if (!xcr_me) return;
  xcr_end();
  u32 seen = xcr_handed;
  for (u32 idle = 0; xcr_others() && idle < PATIENCE; idle++) {
    struct timespec soon = xcr_after(1000000);
    xcr_sleep(&never, 0, &soon);
    if (seen != xcr_handed) idle = 0;
    seen = xcr_handed;
  }
}

/* After the functions of atexit, and the destructors of C++. */
__attribute__((destructor)) static void leave(void) { xcr_leave(); }

#define ENDS(name) \
  void name(int status) { \
    xcr_leave(); \
    REAL(name)(status); \
    __builtin_unreachable(); \
  }
ENDS(_exit)
ENDS(_Exit)
ENDS(quick_exit)
