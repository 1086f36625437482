/* The memory of objects that are inputs.
 *
 * Code that is not instrumented is caught by the machine: an object that ends where its page ends lets nobody read on. Objects are multiples of
 * their alignment, so the end of a page is an aligned end. What comes before an object is guarded in another run.
 *
 * Invariant. A guarded object has exactly its bytes on the side of the guard. There are at most as many guards as the system has mappings for; other
 * objects are like those of the heap. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "native.h"

enum { PAGE = 4096, ALIGN = 64, GUARDS = 20000 };
static u64 guards[GUARDS];
static u32 n_guards;

void __msan_unpoison(const volatile void *at, unsigned long size) __attribute__((weak));

static void *guarded(u64 size, u64 placement) {
  u64 room = (size + PAGE - 1) & -(u64)PAGE;
  if (!room) room = PAGE;
  char *at = mmap(0, room + PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return 0;
  char *object = placement == XCN_END ? at : at + PAGE;
  if (mprotect(object, room, PROT_READ | PROT_WRITE)) return 0;
  guards[n_guards++] = (u64)(placement == XCN_END ? at + room : at);
  return placement == XCN_END ? object + room - size : object;
}

void *xcn_place(u64 size, u64 placement) {
  void *at = 0;
  if (placement != XCN_HEAP && n_guards < GUARDS) at = guarded(size, placement);
  /* Of an object without bytes there is only the end: no byte after it may be used, where malloc(0) would give one. */
  if (!at && posix_memalign(&at, ALIGN, size ? size : ALIGN)) abort();
  if (!size && placement == XCN_HEAP) return (char *)at + ALIGN;
  memset(at, 0, size);
  if (__msan_unpoison) __msan_unpoison(at, size);
  return at;
}

int xcn_guarded(u64 address) {
  for (u32 i = 0; i < n_guards; i++)
    if (address >= guards[i] && address < guards[i] + PAGE) return 1;
  return 0;
}
