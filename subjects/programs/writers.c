/* Creates files and leaves them: the next run must not see them, and the user's must stay as they are. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int main(int argc, char **argv) {
  FILE *old = fopen("left", "r");
  assert(!old);
  FILE *kept = fopen("kept", "r+");
  assert(kept && fgetc(kept) == 'k');
  rewind(kept);
  fputs(argv[1], kept);
  fclose(kept);
  FILE *left = fopen("left", "w");
  assert(left);
  fputs("something", left);
  fclose(left);
  mkdir("made", 0700);
  assert(strcmp(argv[1], "ab")); //! assertion
  return 0;
}
