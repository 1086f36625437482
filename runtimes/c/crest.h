/* crest.h: CREST's words for programs under test: each makes a variable an input. */
#ifndef XCUTE_CREST_H
#define XCUTE_CREST_H
#ifndef XCUTE_H
#include <xcute.h>
#endif

#define CREST_unsigned_char(x) xcute_input(x)
#define CREST_unsigned_short(x) xcute_input(x)
#define CREST_unsigned_int(x) xcute_input(x)
#define CREST_unsigned_long(x) xcute_input(x)
#define CREST_unsigned_long_long(x) xcute_input(x)
#define CREST_char(x) xcute_input(x)
#define CREST_short(x) xcute_input(x)
#define CREST_int(x) xcute_input(x)
#define CREST_long(x) xcute_input(x)
#define CREST_long_long(x) xcute_input(x)
#define CREST_longlong(x) xcute_input(x)
#define CREST_float(x) xcute_input(x)
#define CREST_double(x) xcute_input(x)
#endif
