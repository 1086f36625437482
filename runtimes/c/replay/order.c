/* The recorded order: the file that XCUTE_ORDER names.
 *
 * A line is "step TASK HOOK ARM", in the order in which they happened, or "waits TASK HOOK": where a task stood at the end, or "race TASK HOOK": one of
 * two accesses, or "fails TASK 0": the task whose failure is to be seen.
 *
 * Invariant. Without the file, or where it is none, there is no order: the program runs as it likes, and says so where it is none. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "replay.h"

enum { TASKS = 4096 };
static struct xcr_task *tasks[TASKS];
static u32 n_tasks, room;
struct xcr_step *xcr_order;
u32 xcr_n_order;
struct xcr_task *xcr_fails;

static void *more(void *at, u64 bytes) {
  void *to = realloc(at, bytes);
  if (!to) {
    fprintf(stderr, "replay: out of memory\n");
    abort();
  }
  return to;
}

u32 xcr_n_tasks(void) { return n_tasks; }

struct xcr_task *xcr_task_at(u32 index) { return tasks[index]; }

u32 xcr_task_named(const char *name) {
  for (u32 i = 0; i < n_tasks; i++)
    if (!strcmp(tasks[i]->name, name)) return i;
  if (n_tasks == TASKS) return 0; /* more than can have been recorded */
  struct xcr_task *task = memset(more(0, sizeof *task), 0, sizeof *task);
  task->name = strcpy(more(0, strlen(name) + 1), name);
  task->waits = XCR_NEVER;
  tasks[n_tasks] = task;
  return n_tasks++;
}

static void step(u32 task, u32 hook, u32 arm) {
  if (xcr_n_order == room) xcr_order = more(xcr_order, (room = room ? 2 * room : 256) * sizeof *xcr_order);
  struct xcr_task *of = tasks[task];
  if ((of->n_steps & (of->n_steps - 1)) == 0) of->steps = more(of->steps, (of->n_steps ? 2 * of->n_steps : 1) * sizeof *of->steps);
  of->steps[of->n_steps++] = xcr_n_order;
  xcr_order[xcr_n_order++] = (struct xcr_step){task, hook, arm};
}

void xcr_read_order(void) {
  xcr_task_named("1");
  const char *path = getenv("XCUTE_ORDER");
  FILE *file = path ? fopen(path, "r") : 0;
  if (path && !file) fprintf(stderr, "replay: cannot read the order %s\n", path);
  if (!file) return;
  char word[8], name[512];
  u32 hook, arm, races = 0;
  int fields;
  while ((fields = fscanf(file, "%7s %511s %u %u", word, name, &hook, &arm)) >= 3) {
    if (fields == 4 && !strcmp(word, "step")) {
      step(xcr_task_named(name), hook, arm);
    } else if (fields == 3 && !strcmp(word, "waits")) {
      tasks[xcr_task_named(name)]->waits = hook;
    } else if (fields == 3 && !strcmp(word, "race") && races < 2) {
      xcr_race(races++, tasks[xcr_task_named(name)], hook);
    } else if (fields == 3 && !strcmp(word, "fails")) {
      xcr_fails = tasks[xcr_task_named(name)];
    } else {
      break;
    }
  }
  if (!feof(file)) fprintf(stderr, "replay: %s is not an order\n", path);
  fclose(file);
}
