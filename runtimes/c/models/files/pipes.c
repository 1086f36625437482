/* Models of pipes within one process.
 *
 * What was written waits in memory. Where the system would wait or send a signal, it is asked to: its own pipe is as empty, and its ends are as
 * open, as ours.
 *
 * **Invariant.** After a fork the pipe is the system's, with all that was in it: another process writes to it or reads from it. */
#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static int MODEL(make_pipe)(int *ends, int flags) {
  int made[2];
  flags = MODEL(chosen)(flags);
  if (pipe2(made, flags) < 0) return -1;
  struct MODEL(file) *file = MODEL(new_file)(KIND_PIPE, 0600);
  struct MODEL(opened) *out = MODEL(describe_file)(file, O_RDONLY | (flags & O_NONBLOCK)), *in = MODEL(describe_file)(file, O_WRONLY | (flags & O_NONBLOCK));
  if (out && in) {
    MODEL(attach)(made[0], out);
    MODEL(attach)(made[1], in);
  }
  ends[0] = made[0];
  ends[1] = made[1];
  return 0;
}
int MODEL(pipe)(int *ends) { return MODEL(make_pipe)(ends, 0); }
int MODEL(pipe2)(int *ends, int flags) { return MODEL(make_pipe)(ends, flags); }

static int MODEL(would_block)(const struct MODEL(opened) *o) {
  if (!(o->flags & O_NONBLOCK)) return 0;
  errno = EAGAIN;
  return 1;
}

long MODEL(pipe_read)(struct MODEL(opened) *o, int descriptor, void *to, unsigned long n) {
  struct MODEL(file) *file = o->file;
  n = __xcute_choose(n);
  if (!n) return 0;
  if (file->start == file->size) {
    if (!file->writers) return 0;
    char one;
    return MODEL(would_block)(o) ? -1 : read(descriptor, &one, 1);
  }
  if (n > file->size - file->start) n = file->size - file->start;
  memcpy(to, file->data + file->start, n);
  file->start += n;
  if (file->start == file->size) file->start = file->size = 0;
  return (long)n;
}

long MODEL(pipe_write)(struct MODEL(opened) *o, int descriptor, const void *from, unsigned long n) {
  struct MODEL(file) *file = o->file;
  n = __xcute_choose(n);
  if (!n) return 0;
  if (!file->readers) return write(descriptor, "", 1); /* SIGPIPE, or EPIPE */
  unsigned long there = file->size - file->start, room = there < XCM_PIPE ? XCM_PIPE - there : 0;
  if (n > room) {
    if (MODEL(would_block)(o) && (room == 0 || n <= XCM_BLOCK)) return -1;
    while (!(o->flags & O_NONBLOCK)) pause(); /* nobody can read it */
    n = room;
  }
  if (file->start) {
    memmove(file->data, file->data + file->start, there);
    file->start = 0;
    file->size = there;
  }
  return MODEL(file_write)(file, descriptor, there, from, n);
}

/* What is in a pipe goes to the system's; 0: it cannot. */
static int MODEL(pour)(struct MODEL(file) *file, int descriptor) {
  unsigned long n = file->size - file->start;
  int before = fcntl(descriptor, F_GETFL);
  fcntl(descriptor, F_SETFL, before | O_NONBLOCK);
  long k = n ? write(descriptor, file->data + file->start, n) : 0;
  fcntl(descriptor, F_SETFL, before);
  file->start = file->size = 0;
  return k == (long)n;
}

/* Another process is about to share the pipes: they become the system's. */
static void MODEL(release_pipes)(void) {
  enum { EMPTY, RELEASE };
  for (int step = EMPTY; step <= RELEASE; step++)
    for (int descriptor = 0; descriptor < XCM_MOST_OPEN; descriptor++) {
      struct MODEL(opened) *o = MODEL(opened_at)(descriptor);
      if (!o || o->file->kind != KIND_PIPE) continue;
      if (step == EMPTY && o->flags & O_WRONLY && !MODEL(pour)(o->file, descriptor)) __xcute_lost(LOST_PROCESS);
      if (step == RELEASE && o->file->size == o->file->start) MODEL(detach)(descriptor);
    }
}

pid_t MODEL(fork)(void) {
  MODEL(release_pipes)();
  return fork();
}
