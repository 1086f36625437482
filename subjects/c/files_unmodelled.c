//@ args: --entry mapped
//@ complete: no
//@ limit: unsupported
//@ args: --entry listed
//@ complete: no
//@ limit: unsupported
//@ args: --entry named
//@ complete: no
//@ limit: unsupported
//@ args: --entry given
//@ complete: no
//@ limit: uninstrumented
//@ args: --entry asked
//@ complete: no
//@ limit: uninstrumented
//@ args: --entry wide
//@ complete: no
//@ limit: unsupported
//@ args: --entry sockets
//@ complete: no
//@ limit: uninstrumented
// Ways to look at files that see other ones than the program does: each keeps the search from being complete.
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <wchar.h>

void mapped(char x) {
  int fd = memfd_create("m", 0);
  write(fd, "0", 1);
  char *at = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), c = 0;
  if (at == MAP_FAILED) return;
  *at = x;
  if (pread(fd, &c, 1, 0) == 1 && c == 'x') x++;
}

void listed(char x) {
  FILE *p = fopen("files_unmodelled.tmp", "w");
  if (!p) return;
  putc(x, p);
  fclose(p);
  DIR *d = opendir(".");
  if (d) closedir(d);
  remove("files_unmodelled.tmp");
}

void named(const char *name) {
  FILE *p = name && *name ? fopen(name, "r") : NULL;
  if (p) fclose(p);
}

/* A function that nobody knows is given a stream of the program's own. */
void given(char x) {
  FILE *p = tmpfile();
  fputc(x, p);
  fputwc(L'a', p);
  fclose(p);
}

/* A command may look at what was written. */
void asked(char x) {
  FILE *p = fopen("files_unmodelled.tmp", "w");
  if (!p) return;
  putc(x, p);
  fclose(p);
  system("true");
  remove("files_unmodelled.tmp");
}

void wide(char x) {
  FILE *p = tmpfile();
  wchar_t word[4];
  fputc(x, p);
  rewind(p);
  fscanf(p, "%3ls", word);
  fclose(p);
}

void sockets(char x) {
  int ends[2];
  char back = 0;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return;
  send(ends[0], &x, 1, 0);
  recv(ends[1], &back, 1, 0);
  if (back == 's') x++;
}
