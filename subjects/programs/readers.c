/* Each way to read a file or the environment: the first argument says which. */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
  const char *how = argv[1];
  if (!strcmp(how, "getchar")) {
    int c, depth = 0;
    while ((c = getchar()) != EOF) { if (c == '(') depth++; if (c == ')') depth--; assert(depth > -2); }
  } else if (!strcmp(how, "fgets")) {
    char line[32];
    while (fgets(line, sizeof line, stdin)) assert(strcmp(line, "key=7\n"));
    assert(feof(stdin));
  } else if (!strcmp(how, "getline")) {
    char *line = NULL; size_t n = 0; ssize_t k;
    while ((k = getline(&line, &n, stdin)) > 0) assert(strcmp(line, "ab\n"));
    free(line);
  } else if (!strcmp(how, "fread")) {
    FILE *f = fopen("in.bin", "rb");
    if (!f) return 1;
    struct { unsigned short magic, len; } h;
    if (fread(&h, sizeof h, 1, f) != 1) return 2;
    if (h.magic != 0x4d42) return 3;
    unsigned char *p = malloc(h.len);
    size_t n = fread(p, 1, h.len, f);
    assert(n < 3 || p[2] != 'z'); //! assertion
  } else if (!strcmp(how, "seek")) {
    FILE *f = fopen("./in.bin", "rb");
    fseek(f, 0, SEEK_END); long n = ftell(f); rewind(f);
    char *p = malloc(n + 1); assert(fread(p, 1, n, f) == (size_t)n); p[n] = 0;
    assert(n != 5 || p[4] != 'q');
  } else if (!strcmp(how, "read")) {
    int fd = open("in.bin", O_RDONLY); struct stat st; fstat(fd, &st);
    char b[4096]; ssize_t n = read(fd, b, sizeof b);
    assert(n == st.st_size);
    assert(!(n == 3 && b[2] == 'x'));
  } else if (!strcmp(how, "scanf")) {
    int a, b;
    if (scanf("%d,%d", &a, &b) == 2) assert(a + b != 77);
  } else if (!strcmp(how, "env")) {
    const char *e = getenv("MODE"); assert(e); assert(strcmp(e, "raw"));
  }
  return 0;
}
