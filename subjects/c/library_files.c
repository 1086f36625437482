//@ args: --entry by_stream
//@ complete: yes
//@ args: --entry by_descriptor
//@ complete: yes
//@ args: --entry by_line
//@ complete: yes
//@ args: --entry by_name
//@ complete: yes
//@ args: --entry by_word
//@ complete: yes
//@ args: --entry by_place
//@ complete: yes
//@ args: --entry unlocked
//@ complete: yes
// What the program writes to files of its own and reads again is the same, whatever way it takes.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

void by_stream(int x) {
  FILE *p = fopen("library_files.tmp", "w+");
  int j = 0;
  if (!p) return;
  unlink("library_files.tmp");
  fprintf(p, "%d ", x);
  fputs("end", p);
  rewind(p);
  if (fscanf(p, "%d", &j) == 1 && j == 7) abort(); //! abort if by_stream
  char word[8];
  if (fscanf(p, "%7s", word) != 1 || strcmp(word, "end")) abort();
  if (!feof(p) || ferror(p)) abort();
  clearerr(p);
  fclose(p);
}

void by_descriptor(int x, unsigned char y) {
  int fd = open("library_files.tmp", O_RDWR | O_CREAT | O_TRUNC, 0600), other, z = 0;
  struct iovec two[2] = {{&x, sizeof x}, {&y, 1}};
  unsigned char last;
  if (fd < 0) return;
  unlink("library_files.tmp");
  writev(fd, two, 2);
  other = dup(fd);
  if (lseek(other, 0, SEEK_SET) != 0) abort();
  if (read(fd, &z, sizeof z) == sizeof z && z == 78) abort(); //! abort if by_descriptor
  if (pread(fd, &last, 1, 4) == 1 && last == 79) abort(); //! abort if by_descriptor
  pwrite(fd, &y, 1, 10);
  struct stat about;
  if (fstat(fd, &about) || about.st_size != 11) abort();
  ftruncate(fd, 2);
  if (lseek(fd, 0, SEEK_END) != 2) abort();
  close(other);
  close(fd);
}

void by_line(char a, char b) {
  FILE *p = tmpfile();
  char text[8], *line = NULL;
  size_t room = 0;
  if (!p) return;
  putc(a, p);
  putc('\n', p);
  putc(b, p);
  fseek(p, 0, SEEK_SET);
  if (!fgets(text, sizeof text, p)) abort();
  if (text[0] == 'q' && text[1] == '\n') abort(); //! abort if by_line
  ssize_t n = getline(&line, &room, p);
  if (n == 1 && line[0] == 'r') abort(); //! abort if by_line
  rewind(p);
  if (getdelim(&line, &room, 'z', p) == 1) abort(); //! abort if by_line
  free(line);
  fclose(p);
}

void by_name(char x) {
  int fd = creat("library_files.tmp", 0600);
  struct stat about;
  if (fd < 0) return;
  write(fd, &x, 1);
  close(fd);
  int renamed = rename("library_files.tmp", "./library_files.two") == 0 && access("library_files.tmp", F_OK) != 0;
  FILE *p = fopen("library_files.two", "r");
  int c = p ? getc(p) : EOF, sized = stat("library_files.two", &about) == 0 && about.st_size == 1;
  int cut = truncate("library_files.two", 0) == 0 && stat("library_files.two", &about) == 0 && about.st_size == 0;
  remove("library_files.two");
  if (!renamed || !sized || !cut || access("library_files.two", F_OK) == 0) abort();
  if (c == 'Z') abort(); //! abort if by_name
  fclose(p);
}

void by_word(int x) {
  FILE *p = tmpfile();
  if (!p) return;
  putw(x, p);
  fflush(p);
  fseeko(p, 0, SEEK_SET);
  if (getw(p) == 123456) abort(); //! abort if by_word
  fclose(p);
}

void by_place(unsigned char at, unsigned char what) {
  FILE *p = tmpfile();
  fpos_t place;
  if (!p || at > 20) return;
  fwrite("0123456789", 1, 10, p);
  fseek(p, at, SEEK_SET);
  if (ftell(p) != at || ftello(p) != at) abort();
  fgetpos(p, &place);
  int c = fgetc(p);
  if (c == '7') abort(); //! abort if by_place
  if (c == EOF && at < 10) abort();
  ungetc(what, p);
  if (fgetc(p) == 'u') abort(); //! abort if by_place
  fsetpos(p, &place);
  setbuf(p, NULL);
  fclose(p);
}

void unlocked(char x) {
  FILE *p = tmpfile();
  char text[4] = {0};
  if (!p) return;
  putc_unlocked(x, p);
  fputc_unlocked(x, p);
  fputs_unlocked("y", p);
  fwrite_unlocked("\n", 1, 1, p);
  fflush_unlocked(p);
  rewind(p);
  if (getc_unlocked(p) == 'k') abort(); //! abort if unlocked
  if (fgetc_unlocked(p) == 'm') abort(); //! abort if unlocked
  if (!fgets_unlocked(text, 4, p) || text[0] != 'y') abort();
  if (fread_unlocked(text, 1, 1, p) || !feof_unlocked(p) || ferror_unlocked(p) || fileno_unlocked(p) < 0) abort();
  clearerr_unlocked(p);
  putchar_unlocked('.');
  fclose(p);
}
