/* xcute.h: what a program under test may say to xcute. It compiles with any C compiler; only under xcute (which defines XCUTE) the
 * words below have a meaning, elsewhere they do nothing.
 *
 *   xcute_input(x);           x, a variable of any type, becomes an input
 *   xcute_input_array(p, n);  so do p[0] ... p[n - 1]
 *   xcute_assume(c);          only runs where c holds are of interest
 *   xcute_assert(c);          c must hold */
#ifndef XCUTE_H
#define XCUTE_H

#ifdef XCUTE
#ifdef __cplusplus
extern "C" {
#define XCUTE_NOTHROW noexcept
#else
#define XCUTE_NOTHROW
#endif
void __xcute_input(void *at, unsigned long size, const char *name, int number) XCUTE_NOTHROW;
void __xcute_bound(const void *array, unsigned long size) XCUTE_NOTHROW;
void __xcute_assume(int holds) XCUTE_NOTHROW;
void __xcute_assert(int holds, const char *text, const char *file, int line) XCUTE_NOTHROW;
#ifdef __cplusplus
}
#endif

#define XCUTE_GLUE_(a, b) a##b
#define XCUTE_GLUE(a, b) XCUTE_GLUE_(a, b)
/* The type of the input is that of the local variable xcute_input_<number>, read from the debugging information. */
#define XCUTE_INPUT_(at, type, size, name, number)                     \
  do {                                                                 \
    type *XCUTE_GLUE(xcute_input_, number) = (at);                     \
    __xcute_input((void *)XCUTE_GLUE(xcute_input_, number), (size), name, number); \
  } while (0)
#define xcute_input(x) XCUTE_INPUT_(&(x), __typeof__(x), sizeof(x), #x, __COUNTER__)
#define xcute_input_array(p, n) XCUTE_INPUT_((p), __typeof__(*(p)), (n) * sizeof(*(p)), #p "[]", __COUNTER__)
#if XCUTE == 2 /* Without instrumentation a condition decides where it stands, so that a sanitizer sees what it is. */
#define xcute_assume(c) ((c) ? (void)0 : __xcute_assume(0))
#define XCUTE_ASSERT_(c, text) ((c) ? (void)0 : __xcute_assert(0, text, __FILE__, __LINE__))
#else
#define xcute_assume(c) __xcute_assume(!!(c))
#define XCUTE_ASSERT_(c, text) __xcute_assert(!!(c), text, __FILE__, __LINE__)
#endif
#define xcute_assert(c) XCUTE_ASSERT_(c, #c)

#else
#define xcute_input(x) ((void)sizeof(x))
#define xcute_input_array(p, n) ((void)sizeof(*(p)), (void)(n))
#define xcute_assume(c) ((void)(c))
#define xcute_assert(c) ((void)(c))
#endif
#endif
