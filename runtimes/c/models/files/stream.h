/* Streams of files in memory: buffers as those of the GNU C library, so that what is written when, and how far it reads ahead, is the same.
 *
 * buffer.c         from and to what the stream is on: underflow, overflow, flush
 * position.c       fseek, ftell
 * open_stream.c    fopen, freopen, fclose; which FILE is whose
 * buffering.c      setvbuf
 * input.c          what reads
 * output.c         what writes
 * memory_stream.c  fmemopen, open_memstream
 *
 * The names follow glibc's _IO_FILE: while the stream reads, [read, read_end) of the buffer is still to come; while it writes, [write_base, write) is
 * still to go, and read_end says where in the buffer the descriptor is.
 *
 * **Invariant.** A stream of ours has a FILE of the library, for functions that are not modelled; nothing is ever written to that. `filled` is a number
 * and bounds read_end, which may be symbolic where the length of the file is. */
#ifndef XCUTE_MODELS_STREAM_H
#define XCUTE_MODELS_STREAM_H

#include "files.h"

enum {
  STREAM_READS = 1,
  STREAM_WRITES = 2,
  STREAM_APPENDS = 4,
  STREAM_LINES = 8,       /* line buffered */
  STREAM_UNBUFFERED = 16,
  STREAM_ENDED = 32,      /* feof */
  STREAM_FAILED = 64,     /* ferror */
  STREAM_PUTTING = 128,
  STREAM_GIVEN = 256,     /* the buffer is the program's */
  STREAM_USED = 512,      /* somebody tried to read or write */
  STREAM_BACK = 1024      /* what was read last had been given back, or is there still */
};

struct MODEL(memory);

struct MODEL(stream) {
  FILE *handle;
  int descriptor;               /* -1: memory */
  struct MODEL(memory) *memory; /* NULL: a descriptor */
  int flags;
  unsigned char *buffer, one;   /* NULL: none yet; `one` is the buffer of an unbuffered stream */
  unsigned long room;
  unsigned long read, read_end, filled;
  int tested;                   /* somebody looked at what comes next: if nothing does, the stream has ended */
  unsigned long write_base, write, write_end;
  long offset;                  /* where the descriptor is, as far as the stream knows; -1: it does not */
  long start;                   /* where the buffer begins, if how much there is in it may be symbolic; else -1 */
  unsigned char *back;          /* what ungetc gave back, last first */
  unsigned n_back, room_back;
  struct MODEL(stream) *next;
};

/* open_stream.c */
struct MODEL(stream) *MODEL(stream_of)(FILE *stream); /* NULL: it is the library's */
struct MODEL(stream) *MODEL(new_stream)(FILE *handle, int descriptor, int flags);
struct MODEL(stream) *MODEL(all_streams)(void);

/* buffer.c. Functions give EOF where they fail. */
int MODEL(peek)(struct MODEL(stream) *s);         /* what comes next, or EOF: without a decision */
void MODEL(pass)(struct MODEL(stream) *s);        /* it was taken; it is not EOF */
int MODEL(get)(struct MODEL(stream) *s);
int MODEL(put)(struct MODEL(stream) *s, int c);
unsigned long MODEL(put_block)(struct MODEL(stream) *s, const void *from, unsigned long n);
unsigned long MODEL(get_block)(struct MODEL(stream) *s, void *to, unsigned long n);
int MODEL(underflow)(struct MODEL(stream) *s);
int MODEL(flush)(struct MODEL(stream) *s);        /* what is still to go */
int MODEL(synchronise)(struct MODEL(stream) *s);  /* fflush: the descriptor is where the stream is */
int MODEL(to_reading)(struct MODEL(stream) *s);
void MODEL(need_buffer)(struct MODEL(stream) *s);
void MODEL(leave_buffer)(struct MODEL(stream) *s);
void MODEL(empty)(struct MODEL(stream) *s);       /* nothing to come, nothing to go */

/* What a stream is on. */
long MODEL(device_fill)(struct MODEL(stream) *s, unsigned long n); /* into the buffer, which is empty */
long MODEL(device_read)(struct MODEL(stream) *s, void *to, unsigned long n);
long MODEL(device_write)(struct MODEL(stream) *s, const void *from, unsigned long n);
long MODEL(device_seek)(struct MODEL(stream) *s, long offset, int whence);

/* position.c */
long MODEL(seek_stream)(struct MODEL(stream) *s, long offset, int whence);
long MODEL(tell_stream)(struct MODEL(stream) *s);

/* memory_stream.c */
long MODEL(memory_read)(struct MODEL(memory) *m, void *to, unsigned long n);
long MODEL(memory_write)(struct MODEL(memory) *m, const void *from, unsigned long n);
long MODEL(memory_seek)(struct MODEL(memory) *m, long offset, int whence);
void MODEL(memory_publish)(struct MODEL(memory) *m); /* open_memstream: the program is told */
unsigned long MODEL(memory_pending)(const struct MODEL(memory) *m);
void MODEL(memory_close)(struct MODEL(memory) *m);

#endif
