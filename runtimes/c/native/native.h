/* The inside of the native runtime: what is linked with an uninstrumented program that repeats cases.
 *
 * start.c  main, and what a program says to xcute
 * case.c   the inputs of a case, read from the file that XCUTE_CASE names
 * place.c  the memory of objects that are inputs
 * ends.c   how and where the program fails, written to the file that XCUTE_REPORT names
 * clock.c  time, as it was when the case was found
 *
 * Invariant. One executable repeats every case of a program: inputs are data. Nothing here is compiled with a sanitizer, and nothing here
 * runs between the program's own instructions but when it asks for an input. crates/xcute-c/src/cases/native/data.rs and report.rs mirror the two files. */
#ifndef XCUTE_NATIVE_H
#define XCUTE_NATIVE_H
#include <stdint.h>

typedef uint32_t u32;
typedef uint64_t u64;

#define XCN_CASE 0x3165736163786378ull   /* "xcxcase1" */
#define XCN_REPORT 0x3174726f70657278ull /* "xreport1" */

/* Where objects are: as memory of the heap is, or at the end of a page, or at the start of one. Nothing may access the next page then. */
enum { XCN_HEAP, XCN_END, XCN_FRONT };

/* The file of a case: this, and tables at these places in it, counted in bytes. */
struct xcn_case { u64 magic, placement, n_keys, keys, n_records, records, n_objects, objects, n_links, links, names, bytes, size; };

/* A place that asks for inputs: its records are those of its turns. `low` to `high` is where it is called from, relative to the start of the
 * executable, if that is needed to tell it from another one; else both are 0. `name` is an offset in the names. */
struct xcn_key { u64 number, name, first, count, low, high; };

/* Bytes of an input or of an object, and the pointers in them. */
struct xcn_value { u64 at, size, first, count; };

enum { XCN_OBJECT, XCN_FUNCTION };
/* A pointer at an offset: to the object with this number, or to the function at this distance from the start of the executable. */
struct xcn_link { u64 offset, kind, target; };

enum { XCN_FRAMES = 64 };
/* The report of a failure; code addresses are those of the calls, not of where they return to. `bases` are the frame pointers of the frames. What follows in the file
 * is the memory of the stack, from `stack` on. */
struct xcn_report { u64 magic, signal, code, address, sp, base, guarded, n, frames[XCN_FRAMES], bases[XCN_FRAMES], stack; };

/* Pages of the stack are written. Where a function calls no other, its variables may be below the stack pointer, this far. */
enum { XCN_PAGE = 4096, XCN_STACK = 16, XCN_RED_ZONE = 128 };

#define XCN_ALARM 24 /* SIGXCPU: the run has used up its time */

extern const char __executable_start[];

void *xcn_place(u64 size, u64 placement);
int xcn_guarded(u64 address);   /* whether it is in a page that must not be accessed, next to an object */
void xcn_load(void);            /* case.c: reads the case, once */
#endif
