//@ args: --entry keeps
//@ complete: yes
//@ args: --entry sizes
//@ complete: yes
//@ args: --entry modes
//@ complete: yes
// What cannot be read back is not: buffers that were not flushed, ends of files, modes that do not allow it.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

void keeps(char x) {
  FILE *p = fopen("library_files_safe.tmp", "w"), *q;
  if (!p) return;
  setvbuf(p, NULL, _IOFBF, 0);
  putc(x, p);
  q = fopen("library_files_safe.tmp", "r");
  if (!q || getc(q) != EOF) abort();
  fflush(p);
  clearerr(q);
  if (getc(q) != (unsigned char)x) abort();
  fclose(p);
  fclose(q);
  unlink("library_files_safe.tmp");
}

void sizes(unsigned char n) {
  char block[16] = "0123456789abcdef", back[16];
  FILE *p = tmpfile();
  if (!p || n > 16) return;
  if (fwrite(block, 1, n, p) != n) abort();
  rewind(p);
  if (fread(back, 1, sizeof back, p) != n) abort();
  if (n && back[n - 1] != block[n - 1]) abort();
  fclose(p);
}

void modes(char x) {
  FILE *p = fopen("library_files_safe.tmp", "w");
  if (!p) return;
  if (fgetc(p) != EOF || !ferror(p)) abort();
  putc(x, p);
  fclose(p);
  p = fopen("library_files_safe.tmp", "r");
  if (fputc(x, p) != EOF) abort();
  fclose(p);
  p = fopen("library_files_safe.tmp", "a+");
  putc('!', p);
  rewind(p);
  if (getc(p) != (unsigned char)x || getc(p) != '!' || getc(p) != EOF) abort();
  fclose(p);
  if (fopen("library_files_safe.tmp", "wx") || open("none/x", O_CREAT | O_WRONLY, 0600) >= 0) abort();
  remove("library_files_safe.tmp");
  if (fopen("library_files_safe.tmp", "r")) abort();
}
