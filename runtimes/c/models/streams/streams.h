/* What the models of this directory share. They are compiled twice: for programs that can have files of their own (XCUTE_FILES is 1), and for all
 * others, whose streams and descriptors are the system's.
 *
 * input.c      what reads from streams
 * output.c     what writes to them
 * print.c      printf and its like
 * format.c     the text that they print
 * scan.c       scanf and its like
 * blocks.c     what reads from descriptors, and writes to them
 *
 * **Invariant.** Whatever is stored to the program's memory, or read from it, is checked: by the stores of a model, or by the runtime. */
#ifndef XCUTE_MODELS_STREAMS_H
#define XCUTE_MODELS_STREAMS_H

#if XCUTE_FILES
#include "../files/stream.h"
#else
#include "../beyond.h"
#include <sys/types.h>
struct MODEL(stream);
struct MODEL(opened) *MODEL(opened_at)(int descriptor);
struct MODEL(stream) *MODEL(stream_of)(FILE *stream);
int MODEL(peek)(struct MODEL(stream) *s);
void MODEL(pass)(struct MODEL(stream) *s);
int MODEL(get)(struct MODEL(stream) *s);
int MODEL(put)(struct MODEL(stream) *s, int c);
unsigned long MODEL(put_block)(struct MODEL(stream) *s, const void *from, unsigned long n);
unsigned long MODEL(get_block)(struct MODEL(stream) *s, void *to, unsigned long n);
#endif

int MODEL(ferror)(FILE *stream);

/* Whether a stream is ours; s becomes it. Where there are no files of our own, clang leaves out what depends on it. */
#define IS_OURS(s, stream) (XCUTE_FILES && (s = MODEL(stream_of)(stream)))

/* format.c: where a text goes, or nowhere: then its characters are only counted. */
struct MODEL(output) {
  char *to; /* size bytes */
  size_t size, n;
  struct MODEL(stream) *s;
  int failed;
};
int MODEL(write_format)(struct MODEL(output) *out, const char *format, va_list list); /* how many characters there are, or -1 */
/* Checks that the texts among the arguments end; 0: the format stores how much was written. */
int MODEL(check_format)(const char *format, va_list list);

/* blocks.c */
ssize_t MODEL(write)(int descriptor, const void *from, size_t n);
long MODEL(read_system)(int descriptor, void *to, unsigned long n, long at); /* as much as there is; at -1: at once, where the descriptor is */

#endif
