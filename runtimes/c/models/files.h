/* Symbolic files: what the harness of a whole program defines, and what of them is open.
 *
 * **Invariant.** An open symbolic file has a real descriptor or stream of its own (on /dev/null), so that functions that are not modelled see a
 * file, though an empty one. The number of missing bytes is symbolic until a block of unknown length is read. */
#ifndef XCUTE_MODELS_FILES_H
#define XCUTE_MODELS_FILES_H

#include "models.h"

#include <stdio.h>

/* A file with at most `most` bytes, of which `missing` are not there. Standard input has no name. */
struct xcute_file {
  const char *name;
  const unsigned char *data;
  unsigned most, missing;
};

/* The harness defines these; without them no model of this kind is linked. */
extern struct xcute_file xcute_files[];
extern const unsigned xcute_n_files;

struct MODEL(opened) {
  struct xcute_file *file; /* NULL: not in use */
  FILE *stream;            /* NULL: only a descriptor */
  int descriptor;
  unsigned long at;
  int has_back, back; /* what ungetc gave back */
  int ended;
};

struct MODEL(opened) *MODEL(opened_stream)(FILE *stream); /* NULL: not symbolic */
struct MODEL(opened) *MODEL(opened_descriptor)(int descriptor);
struct MODEL(opened) *MODEL(remember)(struct xcute_file *file, FILE *stream, int descriptor); /* NULL: too many are open */
struct xcute_file *MODEL(symbolic_file)(const char *name);                                     /* NULL: not symbolic */
unsigned long MODEL(file_size)(struct xcute_file *file); /* decides how many bytes there are */
int MODEL(at_end)(const struct MODEL(opened) *o);
unsigned long MODEL(take)(struct MODEL(opened) *o, void *to, unsigned long most);
int MODEL(move)(struct MODEL(opened) *o, long offset, int whence); /* 0: the place is none */
void __xcute_lost_file(void); /* the runtime notes that a symbolic file is read in a way that is not modelled */

#endif
