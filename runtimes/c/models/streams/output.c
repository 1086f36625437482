/* Models of what writes to streams: fputc, fputs, fwrite, puts, perror. Where a stream is the library's, what it is given is checked; to the standard
 * ones it goes out for good. */
#define _GNU_SOURCE
#include "streams.h"

#include <errno.h>
#include <string.h>

size_t MODEL(strlen)(const char *s);

static int MODEL(put_character)(int c, FILE *stream) {
  struct MODEL(stream) *s;
  unsigned char byte = (unsigned char)c;
  if (IS_OURS(s, stream)) return MODEL(put)(s, c);
  if (__xcute_standard(stream)) return __xcute_output(&byte, 1, stream) == 1 ? byte : EOF;
  return putc(c, stream);
}
int MODEL(fputc)(int c, FILE *stream) { return MODEL(put_character)(c, stream); }
int MODEL(putc)(int c, FILE *stream) { return MODEL(put_character)(c, stream); }
int MODEL(_IO_putc)(int c, FILE *stream) { return MODEL(put_character)(c, stream); }
int MODEL(fputc_unlocked)(int c, FILE *stream) { return MODEL(put_character)(c, stream); }
int MODEL(putc_unlocked)(int c, FILE *stream) { return MODEL(put_character)(c, stream); }
int MODEL(putchar)(int c) { return MODEL(put_character)(c, stdout); }
int MODEL(putchar_unlocked)(int c) { return MODEL(put_character)(c, stdout); }

static size_t MODEL(put_blocks)(const void *from, size_t size, size_t n, FILE *stream) {
  struct MODEL(stream) *s;
  size = __xcute_choose(size);
  size_t bytes = size * n, done;
  if (!size) return 0;
  bytes = __xcute_block(from, bytes, 0);
  if (!bytes) return 0;
  if (IS_OURS(s, stream)) done = MODEL(put_block)(s, from, bytes);
  else if (__xcute_standard(stream)) done = __xcute_output(from, bytes, stream);
  else done = fwrite(from, 1, bytes, stream);
  return done == (size_t)EOF ? 0 : done / size;
}
size_t MODEL(fwrite)(const void *from, size_t size, size_t n, FILE *stream) { return MODEL(put_blocks)(from, size, n, stream); }
size_t MODEL(fwrite_unlocked)(const void *from, size_t size, size_t n, FILE *stream) { return MODEL(put_blocks)(from, size, n, stream); }

int MODEL(putw)(int word, FILE *stream) { return MODEL(put_blocks)(&word, sizeof word, 1, stream) == 1 ? 0 : EOF; }

/* Where a text ends is decided only if it can be read again. */
static int MODEL(put_text_to)(const char *text, FILE *stream) {
  struct MODEL(stream) *s;
  if (IS_OURS(s, stream)) {
    size_t length = MODEL(strlen)(text);
    return MODEL(put_block)(s, text, length) == length ? 1 : EOF;
  }
  __xcute_text(text, -1ul);
  return __xcute_standard(stream) ? __xcute_say(text, stream) : fputs(text, stream);
}
int MODEL(fputs)(const char *text, FILE *stream) { return MODEL(put_text_to)(text, stream); }
int MODEL(fputs_unlocked)(const char *text, FILE *stream) { return MODEL(put_text_to)(text, stream); }

static int MODEL(put_line)(const char *text, int is_read) {
  struct MODEL(stream) *s;
  size_t length = 0;
  if (is_read || IS_OURS(s, stdout)) length = MODEL(strlen)(text);
  if (IS_OURS(s, stdout)) {
    if (MODEL(put_block)(s, text, length) != length || MODEL(put)(s, '\n') == EOF) return EOF;
  } else if (MODEL(put_text_to)(text, stdout) == EOF || MODEL(put_character)('\n', stdout) == EOF) {
    return EOF;
  }
  return (int)length + 1;
}
int MODEL(puts)(const char *text) { return MODEL(put_line)(text, 1); }
int MODEL(unread_puts)(const char *text) { return MODEL(put_line)(text, 0); }

void MODEL(perror)(const char *text) {
  struct MODEL(stream) *s;
  if (!IS_OURS(s, stderr)) {
    if (text) __xcute_text(text, -1ul);
    __xcute_complain(text);
    return;
  }
  const char *what = strerror(errno);
  size_t length = text ? MODEL(strlen)(text) : 0;
  if (length) {
    MODEL(put_block)(s, text, length);
    MODEL(put_block)(s, ": ", 2);
  }
  MODEL(put_block)(s, what, strlen(what));
  MODEL(put)(s, '\n');
}
