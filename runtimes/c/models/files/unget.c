/* Model of ungetc: any number of characters, as long as there is memory. */
#include "stream.h"

#include <stdlib.h>

int MODEL(ungetc)(int c, FILE *stream) {
  struct MODEL(stream) *s = MODEL(stream_of)(stream);
  if (!s) return ungetc(c, stream);
  if (c == EOF) return EOF;
  if (s->flags & STREAM_PUTTING && MODEL(to_reading)(s) == EOF) return EOF;
  if (s->n_back == s->room_back) {
    unsigned room = s->room_back ? 2 * s->room_back : 16;
    unsigned char *back = realloc(s->back, room);
    if (!back) return EOF;
    s->back = back;
    s->room_back = room;
  }
  s->back[s->n_back++] = (unsigned char)c;
  s->flags = (s->flags & ~STREAM_ENDED) | STREAM_BACK;
  s->tested = 0;
  return (unsigned char)c;
}
