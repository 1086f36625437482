//@ args: --entry piped
//@ complete: no
//@ limit: unsupported
//@ args: --entry mapped
//@ complete: no
//@ limit: unsupported
//@ args: --entry status
//@ complete: no
//@ limit: unsupported
//@ args: --entry fails
//@ complete: no
//@ limit: unsupported
//@ args: --entry shares
//@ complete: no
//@ limit: unsupported
//@ args: --entry by_address
//@ complete: no
//@ limit: unsupported
//@ args: --entry private
//@ complete: yes
// What another process does with inputs is not followed: its parent can learn of it by a pipe, by shared memory, or by how it ends.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void piped(int x) {
  int ends[2], y = 0;
  if (pipe(ends)) return;
  if (fork() == 0) {
    if (write(ends[1], &x, sizeof x) < 0) _exit(1);
    _exit(0);
  }
  if (read(ends[0], &y, sizeof y) == sizeof y && y == 7) abort();
  wait(0);
}

void mapped(int x) {
  int *shared = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return;
  if (fork() == 0) {
    *shared = x;
    _exit(0);
  }
  wait(0);
  if (*shared == 7) abort();
}

void status(int x) {
  int how = 0;
  if (vfork() == 0) _exit(x == 7);
  wait(&how);
  if (WEXITSTATUS(how)) abort();
}

/* The parent does not care. */
void fails(int x) {
  if (fork() == 0) {
    if (x == 7) abort();
    _exit(0);
  }
  wait(0);
}

/* What is stored in the mapping is in the file. */
void shares(int x) {
  int file = memfd_create("numbers", 0), y = 0;
  if (file < 0 || ftruncate(file, 4096)) return;
  int *map = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (map == MAP_FAILED) return;
  *map = x;
  if (pread(file, &y, sizeof y, 0) == sizeof y && y == 7) abort();
}

void by_address(int x) {
  pid_t (*make)(void) = fork;
  int how = 0;
  if (make() == 0) _exit(x == 7);
  wait(&how);
  if (WEXITSTATUS(how)) abort();
}

/* Nobody else sees it. */
void private(int x) {
  int *map = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) return;
  map[3] = x;
  if (map[3] == 7) abort(); //! abort if private
}
