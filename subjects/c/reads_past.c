//@ args: --entry f --array text=4
// A function of the C library that reads past an input: there is a page after it that must not be accessed.
#include <stdlib.h>

unsigned long f(const char *text) { return text ? strtoul(text, 0, 10) : 0; } //! out-of-bounds
