/* Included before instrumented C++ files: std::string is compiled with the program, where it can be followed, while streams stay in the library. */
#include <bits/c++config.h>
#include <bits/ostream_insert.h>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0
#include <string>
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 1
