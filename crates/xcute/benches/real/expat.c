/* expat: an XML document. */
#include <stdio.h>
#include "expat.h"
int main(void) {
  static char data[4096];
  unsigned long size = fread(data, 1, sizeof data, stdin);
  XML_Parser parser = XML_ParserCreate(NULL);
  XML_SetHashSalt(parser, 1);
  int ok = XML_Parse(parser, data, (int)size, 1);
  XML_ParserFree(parser);
  return !ok;
}
