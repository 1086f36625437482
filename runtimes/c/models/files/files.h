/* Files in memory: what they hold, the names they have, and what is open.
 *
 * Whatever the program writes stays in memory, with its handles, and is gone after the run: a run never changes the disk. Files of the disk are
 * read where they are, until somebody writes to them; then they are copied.
 *
 * content.c      what a file holds
 * names.c        from paths to files
 * open.c         from names to open files
 * descriptors.c  which open file a descriptor is: close, dup, fcntl
 * transfer.c     read, write, lseek and their like
 * pipes.c        pipes
 * describe.c     stat, access
 * change.c       unlink, rename, truncate
 * attributes.c   chmod, utimes
 * map.c          mmap
 * unmodelled.c   functions that see another file than the program does
 * stream.h       streams
 *
 * **Invariant.** Every open file has a real descriptor, on /dev/null or on the file of the disk, opened for reading only: the numbers are those
 * that the system gives, and functions that are not modelled see a descriptor. */
#ifndef XCUTE_MODELS_FILES_H
#define XCUTE_MODELS_FILES_H

#include "../beyond.h"

#include <sys/stat.h>
#include <sys/types.h>

/* A file whose contents are an input: at most `most` bytes, of which `missing` are not there. Standard input has no name. */
struct xcute_file {
  const char *name;
  const unsigned char *data;
  unsigned most, missing;
};

/* The harness of a whole program defines these; without it there are none. */
extern struct xcute_file xcute_files[] __attribute__((weak));
extern const unsigned xcute_n_files __attribute__((weak));

enum MODEL(kind) { KIND_FILE, KIND_PIPE, KIND_NULL /* /dev/null */ };

/* What is there, whatever it is called. */
struct MODEL(file) {
  enum MODEL(kind) kind;
  int on_disk;                 /* the contents are those of the disk: data is NULL, and so is size */
  int is_input;                /* `missing` may be symbolic */
  int mapped;
  unsigned char *data;
  unsigned long start;         /* pipes: where the next byte is read */
  unsigned long size, missing; /* there are size - missing bytes */
  unsigned long room;          /* 0: data is not ours, and is not written to */
  unsigned readers, writers;   /* pipes: how many descriptions */
  struct stat about;           /* all but the size */
  struct MODEL(file) *next;    /* of those that are remembered */
};

/* An open file description. */
struct MODEL(opened) {
  struct MODEL(file) *file;
  unsigned long at;            /* may be symbolic */
  int flags;                   /* O_… */
  int uses;                    /* how many descriptors */
};

enum { XCM_MOST_BYTES = 1 << 26 /* of a file in memory */, XCM_PIPE = 1 << 16, XCM_BLOCK = 4096, XCM_MOST_OPEN = 1024, XCM_PATH = 4096 };

/* content.c */
struct MODEL(file) *MODEL(new_file)(enum MODEL(kind) kind, unsigned mode);
unsigned long MODEL(file_size)(struct MODEL(file) *file, int descriptor); /* decides it */
long MODEL(file_read)(struct MODEL(file) *file, int descriptor, unsigned long at, void *to, unsigned long n);
long MODEL(file_write)(struct MODEL(file) *file, int descriptor, unsigned long at, const void *from, unsigned long n);
int MODEL(file_truncate)(struct MODEL(file) *file, int descriptor, unsigned long n);
int MODEL(file_load)(struct MODEL(file) *file, int descriptor); /* 0: it is too large */
/* As many bytes as there may be, at most `room`; *there: how many there are, which may be symbolic. -1: an error. */
long MODEL(file_fill)(struct MODEL(file) *file, int descriptor, unsigned long at, void *to, unsigned long room, unsigned long *there);

/* names.c */
struct MODEL(name) {
  unsigned long device, number; /* of the directory */
  char *base;
  struct MODEL(file) *file;     /* NULL: it was removed */
  struct MODEL(name) *next;
};
struct MODEL(place) {
  const char *path;             /* as the system is to be asked, from the directory that was given */
  const char *directory, *base; /* the same, cut in two */
  int error;                    /* 0: there is something */
  struct MODEL(name) *name;     /* NULL: as on the disk */
  struct MODEL(file) *file;     /* NULL: it is on the disk only, or no regular file */
  struct stat about;            /* if it is on the disk only */
  struct stat parent;
};
/* Valid until the next call. `follow`: links are followed to the end. */
struct MODEL(place) *MODEL(find)(int directory, const char *path, int follow);
void MODEL(bind)(const struct MODEL(place) *place, struct MODEL(file) *file); /* NULL: it is gone */
void MODEL(remember)(struct MODEL(file) *file);                               /* a file of the disk */
int MODEL(may_change)(int directory, const struct MODEL(place) *place);       /* 0: errno says why the directory cannot be written to */
int MODEL(any_names)(void);
struct MODEL(file) *MODEL(input_file)(const char *path);                      /* NULL: it is none */
void MODEL(forget_input)(const struct MODEL(file) *file);                     /* it has another name, or none */
struct MODEL(file) *MODEL(standard_input)(void);

/* A number that the system needs. */
static inline int MODEL(chosen)(int value) { return (int)__xcute_choose((unsigned)value); }

/* descriptors.c: descriptors have been chosen. */
struct MODEL(opened) *MODEL(opened_at)(int descriptor); /* NULL: it is the system's */
void MODEL(attach)(int descriptor, struct MODEL(opened) *opened);
void MODEL(detach)(int descriptor);

/* open.c */
struct MODEL(opened) *MODEL(open_file)(int directory, const char *path, int flags, unsigned mode); /* NULL, 0: it is the system's */
int MODEL(open_at)(int directory, const char *path, int flags, unsigned mode);
struct MODEL(opened) *MODEL(describe_file)(struct MODEL(file) *file, int flags);
int MODEL(handle_for)(const struct MODEL(opened) *opened, int directory, const char *path, int flags);

/* transfer.c */
long MODEL(take)(int descriptor, void *to, unsigned long n);
long MODEL(give)(int descriptor, const void *from, unsigned long n);
long MODEL(take_at)(int descriptor, void *to, unsigned long n, long at);
long MODEL(give_at)(int descriptor, const void *from, unsigned long n, long at);
long MODEL(seek)(int descriptor, long offset, int whence);
long MODEL(read_system)(int descriptor, void *to, unsigned long n, long at); /* as much as there is; at -1: at once, where the descriptor is */

/* pipes.c */
long MODEL(pipe_read)(struct MODEL(opened) *o, int descriptor, void *to, unsigned long n);
long MODEL(pipe_write)(struct MODEL(opened) *o, int descriptor, const void *from, unsigned long n);

/* describe.c */
void MODEL(fill_stat)(struct MODEL(file) *file, int descriptor, struct stat *to);
int MODEL(fstat)(int descriptor, struct stat *to);

#endif
