/* jsmn: a JSON text, as tokens. */
#include <stdio.h>
#include <string.h>
#include "jsmn.h"
int main(void) {
  static char data[4096];
  unsigned long size = fread(data, 1, sizeof data, stdin);
  jsmn_parser parser; jsmntok_t tokens[32];
  jsmn_init(&parser);
  return jsmn_parse(&parser, data, size, tokens, 32) < 0;
}
