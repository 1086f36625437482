/* What the models of library functions share.
 *
 * A model stands in for a function of the C library that the program under test calls and does not define: it is instrumented like the
 * program itself, so values stay symbolic in it. The instrumenter links the model of `f`, which is called `xcm_f`, only where `f` is called.
 *
 * **Invariant.** Every function here is called `xcm_…` (by MODEL): that is how its decisions are kept out of the program's coverage and its
 * frames out of stacks. What can be computed without a decision is: each decision multiplies paths. */
#ifndef XCUTE_MODELS_H
#define XCUTE_MODELS_H

#include <stddef.h>

#define MODEL(name) xcm_##name

/* Whether `from <= c <= to`, in one comparison. */
static inline unsigned MODEL(within)(int c, int from, int to) { return (unsigned)c - (unsigned)from <= (unsigned)to - (unsigned)from; }

/* Upper case letters become lower case. */
static inline int MODEL(lower)(int c) { return c + (int)(MODEL(within)(c, 'A', 'Z') << 5); }

#endif
