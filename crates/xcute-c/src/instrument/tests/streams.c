/* Compares the models of files and streams with the library's own on random sequences of operations: each operation is made on a file of the disk and, by
 * the model, on a file of the same name in another directory, whose writes stay in memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "random.h"

#define EACH(X) \
  X(int, fclose, (FILE *)) X(int, fgetc, (FILE *)) X(int, fputc, (int, FILE *)) X(int, fputs, (const char *, FILE *)) \
  X(size_t, fread, (void *, size_t, size_t, FILE *)) X(size_t, fwrite, (const void *, size_t, size_t, FILE *)) \
  X(int, ungetc, (int, FILE *)) X(int, fseek, (FILE *, long, int)) X(long, ftell, (FILE *)) X(void, rewind, (FILE *)) \
  X(int, fflush, (FILE *)) X(int, feof, (FILE *)) X(int, ferror, (FILE *)) X(void, clearerr, (FILE *)) \
  X(char *, fgets, (char *, int, FILE *)) X(ssize_t, getdelim, (char **, size_t *, int, FILE *)) X(int, setvbuf, (FILE *, char *, int, size_t)) \
  X(FILE *, fopen, (const char *, const char *)) X(FILE *, fdopen, (int, const char *)) X(FILE *, freopen, (const char *, const char *, FILE *)) \
  X(int, fprintf, (FILE *, const char *, ...)) X(int, fscanf, (FILE *, const char *, ...)) X(int, fileno, (FILE *)) \
  X(FILE *, fmemopen, (void *, size_t, const char *)) X(FILE *, open_memstream, (char **, size_t *)) X(FILE *, tmpfile, (void)) \
  X(int, open, (const char *, int, ...)) X(int, close, (int)) X(ssize_t, read, (int, void *, size_t)) X(ssize_t, write, (int, const void *, size_t)) \
  X(ssize_t, pread, (int, void *, size_t, off_t)) X(ssize_t, pwrite, (int, const void *, size_t, off_t)) X(off_t, lseek, (int, off_t, int)) \
  X(int, ftruncate, (int, off_t)) X(int, dup, (int)) X(int, pipe, (int *)) X(int, fcntl, (int, int, ...)) X(int, unlink, (const char *)) \
  X(int, rename, (const char *, const char *)) X(int, stat, (const char *, struct stat *)) X(int, fstat, (int, struct stat *)) \
  X(int, access, (const char *, int)) X(int, truncate, (const char *, off_t)) X(size_t, __fpending, (FILE *)) X(int, link, (const char *, const char *)) \
  X(int, memfd_create, (const char *, unsigned))

#define DECLARE(type, name, parameters) extern type xcm_##name parameters;
EACH(DECLARE)
#define FIELD(type, name, parameters) type (*name) parameters;
struct side {
  const char *directory;
  EACH(FIELD)
};
#define THEIRS(type, name, parameters) name,
#define OURS(type, name, parameters) xcm_##name,
static const struct side sides[2] = {{"theirs", EACH(THEIRS)}, {"ours", EACH(OURS)}};

enum { STREAMS = 3, DESCRIPTORS = 3, BIG = 9000 };
struct world {
  FILE *stream[STREAMS];
  int descriptor[DESCRIPTORS];
  char memory[STREAMS][64], buffer[STREAMS][BIG], *text[STREAMS];
  size_t length[STREAMS];
};
static struct world worlds[2];
static char mode_of[STREAMS]; /* r, w, or m for one that is in memory */
static int last_was[STREAMS]; /* 0: neither */
static unsigned steps, seed;

struct result {
  long value;
  int error;
  size_t n;
  char data[2 * BIG];
};

static char log_of[150][160];

static void tell(const char *what, const struct result *a, const struct result *b) {
  printf("seed %u, step %u: %s: %ld (%d) and %ld (%d), %zu and %zu bytes\n", seed, steps, what, a->value, a->error, b->value, b->error, a->n, b->n);
  for (unsigned i = 0; i <= steps && i < 150; i++) printf("  %s\n", log_of[i]);
  for (size_t i = 0; i < a->n && i < b->n; i++)
    if (a->data[i] != b->data[i]) {
      printf("  byte %zu: %d and %d\n", i, a->data[i], b->data[i]);
      break;
    }
  exit(1);
}

static const char *const names[] = {"a", "b", "./a", "none/c", "full"};
static const char *const modes[] = {"r", "w", "a", "r+", "w+", "a+", "wx", "rb+"};

static const char *path(const struct side *s, const char *name) {
  static char text[2][64];
  char *to = text[s == &sides[1]];
  snprintf(to, 64, "%s/%s", s->directory, name);
  return to;
}

struct act { unsigned op, i, j, k; long n; int whence; char data[BIG]; size_t size; };

static int current; /* the side that works */

/* The GNU C library has errors of its own where ungetc meets fflush. */
static void crashed(int number) { _exit(current == 0 ? 0 : number); }

/* Makes one operation on one side. */
static void make(int side, const struct act *a, struct result *r) {
  const struct side *s = &sides[current = side];
  struct world *w = &worlds[side];
  FILE **stream = &w->stream[a->i];
  int *d = &w->descriptor[a->j];
  struct stat st;
  int numbers[2] = {0, 0}, ends[2];
  char *line = NULL;
  size_t room = 0;
  char name[64], other[64];
  snprintf(name, sizeof name, "%s", path(s, names[a->k % 5]));
  snprintf(other, sizeof other, "%s", path(s, names[a->whence % 5]));
  memset(r, 0, sizeof *r);
  errno = 0;
  switch (a->op) {
    case 0:
      if (*stream) break;
      *stream = s->fopen(name, modes[a->n % 8]);
      r->value = *stream != NULL;
      break;
    case 1: case 2:
      if (!*stream) break;
      r->value = s->fclose(*stream);
      *stream = NULL;
      break;
    case 3: r->value = s->fgetc(*stream); break;
    case 4: r->value = s->fputc((int)a->n, *stream); break;
    case 5: r->value = (long)s->fread(r->data, 1, r->n = a->size, *stream); break;
    case 6: r->value = (long)s->fwrite(a->data, 1, a->size, *stream); break;
    case 7: r->value = s->ungetc('A' + a->whence, *stream); break;
    case 8: r->value = s->fseek(*stream, a->n, a->whence); break;
    case 9: r->value = s->ftell(*stream); break;
    case 10: s->rewind(*stream); break;
    case 11: r->value = s->fflush(*stream); break;
    case 12: r->value = s->feof(*stream) + 2 * s->ferror(*stream) + 4 * (long)s->__fpending(*stream); break;
    case 13: s->clearerr(*stream); break;
    case 14: r->value = s->fgets(r->data, (int)(r->n = a->size % 300), *stream) != NULL; break;
    case 15:
      r->value = s->getdelim(&line, &room, '\n', *stream);
      if (r->value > 0) memcpy(r->data, line, r->n = (size_t)r->value);
      free(line);
      break;
    case 16: r->value = s->setvbuf(*stream, a->whence ? w->buffer[a->i] : NULL, a->whence == 2 ? _IONBF : a->k % 2 ? _IOFBF : _IOLBF, 1 + a->size % BIG); break;
    case 17: r->value = s->fprintf(*stream, "%d,%s;%x\n", (int)a->n, "text", a->k); break;
    case 18:
      r->value = s->fscanf(*stream, "%d,%d", &numbers[0], &numbers[1]);
      memcpy(r->data, numbers, r->n = sizeof numbers);
      break;
    case 19: r->value = s->lseek(s->fileno(*stream), 0, SEEK_CUR); break;
    case 20:
      if (*d >= 0) break;
      *d = s->open(name, (int[]){O_RDONLY, O_RDWR | O_CREAT, O_WRONLY | O_TRUNC | O_CREAT, O_RDWR | O_APPEND, O_RDWR | O_CREAT | O_EXCL, O_WRONLY}[a->n % 6], 0644);
      r->value = *d >= 0;
      break;
    case 21:
      if (*d < 0) break;
      r->value = s->close(*d);
      *d = -1;
      break;
    case 22: r->value = s->read(*d, r->data, r->n = a->size); break;
    case 23: r->value = s->write(*d, a->data, a->size); break;
    case 24: r->value = s->pread(*d, r->data, r->n = a->size, a->n); break;
    case 25: r->value = s->pwrite(*d, a->data, a->size, a->n); break;
    case 26: r->value = s->lseek(*d, a->n, a->whence); break;
    case 27: r->value = s->ftruncate(*d, a->n); break;
    case 28: r->value = s->unlink(name); break;
    case 29: r->value = s->rename(name, other); break;
    case 30:
      r->value = s->stat(name, &st);
      if (!r->value) r->n = sizeof(long) * 3, memcpy(r->data, (long[]){st.st_size, st.st_mode, (long)st.st_nlink}, r->n);
      break;
    case 31: r->value = s->access(name, a->whence); break;
    case 32: r->value = s->truncate(name, a->n); break;
    case 33:
      if (*d < 0 || w->descriptor[(a->j + 1) % DESCRIPTORS] >= 0) break;
      w->descriptor[(a->j + 1) % DESCRIPTORS] = s->dup(*d);
      break;
    case 34:
      if (*d < 0 || *stream) break;
      *stream = s->fdopen(*d, modes[a->n % 8]);
      r->value = *stream != NULL;
      if (*stream) *d = -1;
      break;
    case 35:
      if (*stream) break;
      memset(w->memory[a->i], 'm', sizeof w->memory[a->i]);
      w->memory[a->i][10] = 0;
      *stream = s->fmemopen(w->memory[a->i], 1 + a->size % 60, modes[a->n % 6]);
      r->value = *stream != NULL;
      break;
    case 36:
      if (*stream) break;
      *stream = a->k % 2 ? s->open_memstream(&w->text[a->i], &w->length[a->i]) : s->tmpfile();
      r->value = *stream != NULL;
      break;
    case 37:
      if (*d >= 0 || w->descriptor[(a->j + 1) % DESCRIPTORS] >= 0) break;
      r->value = s->pipe(ends);
      *d = ends[0];
      w->descriptor[(a->j + 1) % DESCRIPTORS] = ends[1];
      break;
    case 38: r->value = s->fcntl(*d, F_GETFL) & (O_ACCMODE | O_APPEND | O_NONBLOCK); break;
    case 39: r->value = s->fcntl(*d, F_SETFL, O_NONBLOCK | (a->n % 2 ? O_APPEND : 0)); break;
    case 40:
      r->value = s->fstat(*d, &st);
      if (!r->value) r->n = sizeof(long) * 2, memcpy(r->data, (long[]){st.st_size, st.st_mode}, r->n);
      break;
    case 41:
      if (!*stream) break;
      *stream = s->freopen(name, modes[a->n % 8], *stream);
      r->value = *stream != NULL;
      break;
    case 42: r->value = s->link(name, other); break;
    case 43:
      if (*d >= 0) break;
      *d = s->memfd_create("x", 0);
      r->value = *d >= 0;
      break;
    default: r->value = s->fputs("line\nand more", *stream); break;
  }
  r->error = (r->value == -1 || r->value == 0) && a->op != 9 ? errno : 0; /* ftell fails for more than one reason */
}

enum { READS = 1, WRITES = 2, FLUSHED = 3 };

static int kind(unsigned op) {
  switch (op) {
    case 3: case 5: case 14: case 15: case 18: return READS;
    case 4: case 6: case 17: case 44: return WRITES;
    default: return 0;
  }
}

/* What C leaves open is not compared: reading after writing without a seek, what memory streams do where they are not to be used. */
static int is_sensible(const struct act *a) {
  FILE *stream = worlds[0].stream[a->i];
  int is_stream = (a->op >= 3 && a->op <= 19) || a->op > 43;
  if (is_stream && !stream) return 0;
  if (a->op == 37 && roll(3)) return 0;
  if (a->op == 41 && mode_of[a->i] != 'f') return 0;
  int d = worlds[0].descriptor[a->j];
  struct stat st;
  int fifo = d >= 0 && fstat(d, &st) == 0 && S_ISFIFO(st.st_mode);
  if (fifo && (a->op == 22 || a->op == 23 || a->op == 34 || a->op == 25) && !(fcntl(d, F_GETFL) & O_NONBLOCK)) return 0;
  if ((a->op >= 22 && a->op <= 27) || a->op == 38 || a->op == 39 || a->op == 40) return d >= 0;
  if (!is_stream) return 1;
  if (a->op == 7 && (last_was[a->i] != READS || !__freadable(stream) || mode_of[a->i] != 'f')) return 0;
  if (a->op == 16 && last_was[a->i]) return 0;
  if (mode_of[a->i] != 'f' && (a->op == 19 || a->op == 16)) return 0;
  if (mode_of[a->i] == 't' && (kind(a->op) == READS || a->op == 7 || a->op == 8)) return 0;
  int k = kind(a->op);
  return !k || !last_was[a->i] || last_was[a->i] == FLUSHED || last_was[a->i] == k;
}

static void note(const struct act *a, const struct result *r) {
  int k = kind(a->op);
  if (k) last_was[a->i] = k;
  if (k == WRITES && mode_of[a->i] == 't') worlds[0].text[a->i] = worlds[1].text[a->i] = NULL; /* it is valid until the next write */
  if (a->op == 7) last_was[a->i] = READS;
  if ((a->op == 8 || a->op == 10) && r->value == 0) last_was[a->i] = 0;
  if (a->op == 11 && last_was[a->i] == WRITES && r->value == 0) last_was[a->i] = FLUSHED;
  if (!r->value) return;
  if (a->op == 0 || a->op == 34 || a->op == 41) mode_of[a->i] = 'f', last_was[a->i] = 0;
  if (a->op == 35) mode_of[a->i] = 'm', last_was[a->i] = 0;
  if (a->op == 36) mode_of[a->i] = a->k % 2 ? 't' : 'f', last_was[a->i] = 0;
}

static int same(const struct result *a, const struct result *b) {
  return a->value == b->value && a->error == b->error && a->n == b->n && memcmp(a->data, b->data, a->n) == 0;
}

static void compare_memory(void) {
  for (int i = 0; i < STREAMS; i++) {
    struct result a = {0, 0, 64, {0}}, b = a;
    memcpy(a.data, worlds[0].memory[i], 64);
    memcpy(b.data, worlds[1].memory[i], 64);
    if (!same(&a, &b)) tell((const char *[]){"memory 0", "memory 1", "memory 2"}[i], &a, &b);
    memcpy(a.data, worlds[0].buffer[i], a.n = b.n = BIG);
    memcpy(b.data, worlds[1].buffer[i], BIG);
    if (!same(&a, &b)) tell("the buffer of setvbuf", &a, &b);
    if (worlds[0].length[i] != worlds[1].length[i]) {
      a.value = (long)worlds[0].length[i], b.value = (long)worlds[1].length[i];
      tell("the length of open_memstream", &a, &b);
    }
    if (worlds[0].text[i] && memcmp(worlds[0].text[i], worlds[1].text[i], worlds[0].length[i])) tell("the text of open_memstream", &a, &b);
  }
}

/* What there is, and how large. */
static void compare_sizes(void) {
  static struct result r[2];
  for (unsigned k = 0; k < 5; k++) {
    struct act a = {.op = 30, .k = k};
    for (int side = 0; side < 2; side++) make(side, &a, &r[side]);
    if (!same(&r[0], &r[1])) tell(names[k], &r[0], &r[1]);
  }
  for (unsigned j = 0; j < DESCRIPTORS; j++) {
    struct act a = {.op = 40, .j = j};
    for (int side = 0; side < 2; side++) make(side, &a, &r[side]);
    if (!same(&r[0], &r[1])) tell("a descriptor", &r[0], &r[1]);
    a = (struct act){.op = 26, .j = j, .whence = SEEK_CUR};
    for (int side = 0; side < 2; side++) make(side, &a, &r[side]);
    if (!same(&r[0], &r[1])) tell("where a descriptor is", &r[0], &r[1]);
  }
}

/* Ends of files, as they are in the end. */
static void compare_files(void) {
  for (unsigned k = 0; k < 2; k++) {
    struct act a = {.op = 20, .j = 0, .k = k, .n = 0};
    struct result r[2];
    for (int side = 0; side < 2; side++) make(side, &a, &r[side]);
    if (!same(&r[0], &r[1])) tell("a file is there", &r[0], &r[1]);
    if (!r[0].value) continue;
    a.op = 22;
    a.size = BIG;
    for (;;) {
      for (int side = 0; side < 2; side++) make(side, &a, &r[side]);
      if (!same(&r[0], &r[1])) tell("what a file holds", &r[0], &r[1]);
      if (r[0].value <= 0) break;
    }
    a.op = 21;
    for (int side = 0; side < 2; side++) make(side, &a, &r[side]);
  }
}

static void put(const char *directory, const char *name, size_t n) {
  char to[64];
  mkdir(directory, 0700);
  snprintf(to, sizeof to, "%s/%s", directory, name);
  unlink(to);
  FILE *f = n ? fopen(to, "w") : NULL;
  for (size_t i = 0; i < n; i++) putc(i % 7 == 6 ? '\n' : i % 5 == 3 ? ',' : '0' + (int)(i % 10), f);
  if (f) fclose(f);
}

/* One sequence, in a process of its own: what the models remember is gone afterwards. */
static void sequence(void) {
  static struct act a;
  static struct result r[2];
  signal(SIGPIPE, SIG_IGN);
  signal(SIGABRT, crashed);
  signal(SIGSEGV, crashed);
  freopen("/dev/null", "w", stderr);
  state = seed * 2654435761u + 1;
  size_t n = roll(3) ? roll(60) : roll(9000);
  put("theirs", "a", n), put("ours", "a", n);
  for (int i = 1; i < 5; i += 3) put("theirs", names[i], 0), put("ours", names[i], 0);
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < DESCRIPTORS; i++) worlds[side].descriptor[i] = -1;
  for (steps = 0; steps < 150; steps++) {
    a = (struct act){.op = roll(45), .i = roll(STREAMS), .j = roll(DESCRIPTORS), .k = roll(10), .whence = (int)roll(3), .size = roll(4) ? roll(40) : roll(BIG)};
    a.n = roll(5) ? (long)roll(60) : (long)roll(9000) - (roll(4) ? 0 : 20);
    if (a.n < 0 && (a.op == 0 || a.op == 20 || a.op == 34 || a.op == 35 || a.op == 41)) a.n = 0;
    for (size_t i = 0; i < a.size; i++) a.data[i] = roll(6) ? (char)('0' + roll(10)) : roll(2) ? '\n' : ',';
    snprintf(log_of[steps], sizeof log_of[0], "op %u stream %u descriptor %u name %s mode %s n %ld whence %d size %zu", a.op, a.i, a.j,
             names[a.k % 5], modes[a.n < 0 ? 0 : a.n % 8], a.n, a.whence, a.size);
    if (!is_sensible(&a)) {
      strcat(log_of[steps], " (left out)");
      continue;
    }
    for (int side = 0; side < 2; side++) make(side, &a, &r[side]);
    snprintf(log_of[steps] + strlen(log_of[steps]), 20, " -> %ld", r[0].value);
    if (!same(&r[0], &r[1])) tell("an operation", &r[0], &r[1]);
    note(&a, &r[0]);
    compare_memory();
    compare_sizes();
  }
  for (int i = 0; i < STREAMS; i++)
    for (int side = 0; side < 2; side++)
      if (worlds[side].stream[i]) sides[side].fclose(worlds[side].stream[i]);
  compare_memory();
  for (int i = 0; i < DESCRIPTORS; i++)
    for (int side = 0; side < 2; side++) {
      if (worlds[side].descriptor[i] >= 0) sides[side].close(worlds[side].descriptor[i]);
      worlds[side].descriptor[i] = -1;
    }
  compare_files();
}

/* Arguments: the first sequence, and how many. */
int main(int count, char **arguments) {
  unsigned first = count > 1 ? (unsigned)atoi(arguments[1]) : 1, rounds = count > 2 ? (unsigned)atoi(arguments[2]) : 1000;
  for (seed = first; seed < first + rounds; seed++) {
    int status;
    pid_t child = fork();
    if (child == 0) {
      sequence();
      exit(0);
    }
    waitpid(child, &status, 0);
    if (status) {
      printf("sequence %u: status %x\n", seed, (unsigned)status);
      return 1;
    }
  }
  return 0;
}
