/* zlib: a compressed stream, with whatever head. */
#include <stdio.h>
#include <string.h>
#include "zlib.h"
int main(void) {
  static unsigned char data[4096], out[4096];
  unsigned long size = fread(data, 1, sizeof data, stdin);
  z_stream s; memset(&s, 0, sizeof s);
  if (inflateInit2(&s, 47) != Z_OK) return 2;
  s.next_in = data; s.avail_in = size; s.next_out = out; s.avail_out = sizeof out;
  int r = inflate(&s, Z_FINISH);
  inflateEnd(&s);
  return r != Z_STREAM_END;
}
