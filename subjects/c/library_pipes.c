//@ args: --entry piped
//@ complete: yes
//@ args: --entry redirected
//@ complete: yes
//@ args: --entry reopened
//@ complete: yes
//@ args: --entry in_memory
//@ complete: yes
//@ args: --entry buffered
//@ complete: yes
// Pipes, memory streams, standard streams that lead elsewhere, and the buffers of streams: what goes in comes out again.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void piped(int x, char y) {
  int ends[2], back = 0;
  char c = 0;
  if (pipe(ends)) return;
  write(ends[1], &x, sizeof x);
  FILE *in = fdopen(ends[1], "w");
  fputc(y, in);
  fclose(in);
  if (read(ends[0], &back, sizeof back) == sizeof back && back == 78) abort(); //! abort if piped
  if (read(ends[0], &c, 1) == 1 && c == 'p') abort(); //! abort if piped
  if (read(ends[0], &c, 1) != 0) abort();
  int fd = memfd_create("m", 0);
  write(fd, &y, 1);
  lseek(fd, 0, SEEK_SET);
  if (read(fd, &c, 1) == 1 && c == 'm') abort(); //! abort if piped
}

void redirected(int x) {
  int ends[2], kept = dup(1);
  char text[16] = {0};
  if (x < 0 || x > 99 || pipe2(ends, O_CLOEXEC)) return;
  fflush(stdout);
  dup2(ends[1], 1);
  printf("%d", x);
  fflush(stdout);
  dup3(kept, 1, 0);
  read(ends[0], text, sizeof text - 1);
  if (atoi(text) == 79) abort(); //! abort if redirected
}

void reopened(char x) {
  if (!freopen("library_pipes.tmp", "w", stderr)) return;
  fputc(x, stderr);
  perror(NULL);
  fclose(stderr);
  FILE *p = fopen("library_pipes.tmp", "r");
  int c = getc(p);
  remove("library_pipes.tmp");
  if (c == 'r') abort(); //! abort if reopened
  if (getc(p) != 'S') abort();
}

void in_memory(int x) {
  char *text, small[8] = {0};
  size_t n;
  FILE *p = open_memstream(&text, &n);
  fprintf(p, "%d", x);
  fclose(p);
  if (n == 4 && !strcmp(text, "4711")) abort(); //! abort if in_memory
  free(text);
  p = fmemopen(small, sizeof small, "w");
  fprintf(p, "%x", x & 0xff);
  fclose(p);
  if (!strcmp(small, "be")) abort(); //! abort if in_memory
}

static char buffer[BUFSIZ];

void buffered(unsigned char x) {
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  printf("<%02x>", x);
  if (buffer[1] == '7' && buffer[2] == 'f') abort(); //! abort if buffered
  fflush(stdout);
  setlinebuf(stdout);
  setbuffer(stderr, NULL, 0);
}
