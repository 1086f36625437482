/* The same programs for xcute and, with -DKLEE, for KLEE. */
#ifndef BENCH_H
#define BENCH_H
#ifdef KLEE
#include <klee/klee.h>
#define INPUT(x) klee_make_symbolic(&(x), sizeof(x), #x)
#define FAIL() klee_report_error(__FILE__, __LINE__, "reached", "reached.err")
#else
#include <stdlib.h>
#include <xcute.h>
#define INPUT(x) xcute_input(x)
#define FAIL() abort()
#endif
#endif
