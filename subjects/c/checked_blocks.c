//@ args: --entry written
//@ complete: yes
//@ args: --entry printed
//@ complete: yes
//@ args: --entry texts
//@ complete: yes
//@ args: --entry unended
//@ complete: yes
//@ args: --entry freed
//@ complete: yes
//@ args: --entry fresh
//@ complete: no
//@ limit: cut
//@ args: --entry taken
//@ complete: yes
//@ args: --entry streamed
//@ complete: yes
//@ args: --entry lined
//@ complete: yes
//@ args: --entry scanned
//@ complete: yes
//@ args: --entry sent
//@ complete: yes
//@ args: --entry nothing
//@ complete: yes
// Buffers that are given to the system and to the library are checked as the program's own accesses are.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

void written(unsigned char n) {
  char block[8] = {0};
  if (n < 12) write(1, block, n); //! out-of-bounds if written
}

void printed(unsigned char n) {
  char block[8] = {0};
  if (n < 12) fwrite(block, 1, n, stdout); //! out-of-bounds if printed
}

void texts(unsigned char k) {
  char text[4] = "abc", line[4] = "abc", word[4] = "abc";
  if (k == 5) text[3] = 'd';
  if (k == 6) line[3] = 'd';
  if (k == 7) word[3] = 'd';
  printf("%d %s\n", k, text); //! out-of-bounds if texts
  fprintf(stderr, "%.4s", text);
  puts(line); //! out-of-bounds if texts
  fputs(word, stderr); //! out-of-bounds if texts
}

/* Whether there is an end is one question, not one for each byte. */
void unended(char a, char b, char c) {
  char text[3] = {a, b, c};
  puts(text); //! out-of-bounds if unended
}

void freed(unsigned char k) {
  char *text = malloc(4);
  if (!text) return;
  strcpy(text, "ab");
  if (k == 5) free(text);
  printf("[%s]\n", text); //! use-after-free if freed
  if (k != 5) free(text);
}

void fresh(unsigned char k) {
  char text[3];
  if (k != 5) text[0] = 0;
  puts(text); //! uninitialised if fresh
}

void taken(unsigned char n) {
  char small[8], block[12] = {0};
  int ends[2];
  if (n == 0 || n > 12 || pipe(ends)) return;
  write(ends[1], block, n);
  read(ends[0], small, sizeof block); //! out-of-bounds if taken
}

void streamed(unsigned char n) {
  char small[8], block[12] = {0};
  FILE *p = tmpfile();
  if (!p || n > 12) return;
  fwrite(block, 1, n, p);
  rewind(p);
  fread(small, 1, sizeof block, p); //! out-of-bounds if streamed
  fclose(p);
}

void lined(unsigned char n) {
  char small[8];
  FILE *p = tmpfile();
  if (!p || n > 12) return;
  for (int i = 0; i < n; i++) putc('a', p);
  rewind(p);
  fgets(small, 12, p); //! out-of-bounds if lined
  fclose(p);
}

void scanned(unsigned char n) {
  char small[8];
  FILE *p = tmpfile();
  if (!p || n > 12) return;
  for (int i = 0; i < n; i++) putc('a', p);
  rewind(p);
  fscanf(p, "%s", small); //! out-of-bounds if scanned
  fclose(p);
}

void sent(unsigned char n) {
  char small[8], block[12] = {0};
  int ends[2];
  if (n == 0 || n > 14 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return;
  send(ends[0], block, n, 0); //! out-of-bounds if sent
  recv(ends[1], small, sizeof block, 0); //! out-of-bounds if sent
}

void nothing(unsigned char k) {
  puts(k == 3 ? NULL : "x"); //! null-access if nothing
}
