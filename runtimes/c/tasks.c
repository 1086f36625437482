/* The numbers of tasks: interned by parent and by the number of the fork among those of the parent, so that a thread has the same number in all
 * runs and processes, whatever the schedule.
 *
 * Invariant. XC_TASK_SLOTS is a hash table of the first tasks_known entries of the table at tasks_at: 1 + the number, or 0. */
#include "threads.h"

enum { SLOTS = 2 * XC_TASKS };

static struct xc_task *tasks(void) { return (struct xc_task *)(XC_SHARED + XC_THREADS->tasks_at); }

static u16 *slot_of(u32 parent, u32 nth) {
  u32 at = (parent * 0x9e3779b1u + nth * 0x85ebca6bu) >> 7;
  for (;; at++) {
    u16 *slot = &XC_TASK_SLOTS[at % SLOTS];
    if (!*slot || (tasks()[*slot - 1].parent == parent && tasks()[*slot - 1].nth == nth)) return slot;
  }
}

/* Those that other processes met. */
static void learn(void) {
  if (!XC_THREADS->n_tasks) {
    tasks()[0] = (struct xc_task){0, 0};
    XC_THREADS->n_tasks = 1;
  }
  for (u32 i = XC_T->tasks_known ? XC_T->tasks_known : 1; i < XC_THREADS->n_tasks && i < XC_TASKS; i++) {
    *slot_of(tasks()[i].parent, tasks()[i].nth) = (u16)(i + 1);
    XC_T->tasks_known = i + 1;
  }
}

u32 xc_task_of(u32 parent, u32 nth) {
  learn();
  u16 *slot = slot_of(parent, nth);
  if (*slot) return *slot - 1u;
  u32 task = XC_THREADS->n_tasks;
  if (task >= XC_TASKS) return XC_TASKS;
  tasks()[task] = (struct xc_task){parent, nth};
  *slot = (u16)(task + 1);
  XC_THREADS->n_tasks = XC_T->tasks_known = task + 1;
  return task;
}
