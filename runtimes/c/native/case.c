/* The inputs of a case: the n-th execution of a call gets its n-th record.
 *
 * Calls are told apart by their number and the name they pass, and where that is not enough, by the function that they are in. They are found by
 * a hash table, so that a run may ask for a million inputs.
 *
 * Invariant. An input without a record is zero, as it is in a run that nothing was asked of. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "native.h"

static const struct xcn_case *the_case;
static const struct xcn_key *keys;
static void **objects;
static u32 *used;        /* by key: how many of its records */
static u32 *slots, mask; /* by hash: the key's number + 1 */

/* Which calls asked, for whoever wants to know: the file that XCUTE_TAKEN names, of numbers. It is mapped, so that it is whole whatever comes. */
enum { CHUNK = 1 << 20 };
static int log_file = -1;
static u32 *log_at;
static u64 log_used, log_room;

void __msan_unpoison(const volatile void *at, unsigned long size) __attribute__((weak));

static const void *at(u64 place) { return (const char *)the_case + place; }
static const char *name_of(const struct xcn_key *key) { return (const char *)at(the_case->names) + key->name; }

static u64 hash(u64 number, const char *name) { /* FNV-1a */
  u64 sum = 0xcbf29ce484222325ull ^ number;
  for (; *name; name++) sum = (sum ^ (unsigned char)*name) * 0x100000001b3ull;
  return sum ^ sum >> 29;
}

static void point(char *to, u64 size, const struct xcn_value *value) {
  const struct xcn_link *links = at(the_case->links);
  for (u64 i = value->first; i < value->first + value->count; i++) {
    void *pointer = links[i].kind == XCN_OBJECT ? objects[links[i].target] : (void *)(__executable_start + links[i].target);
    if (links[i].offset + sizeof pointer <= size) memcpy(to + links[i].offset, &pointer, sizeof pointer);
  }
}

static void make_objects(void) {
  const struct xcn_value *values = at(the_case->objects);
  objects = calloc(the_case->n_objects + 1, sizeof *objects);
  for (u64 i = 0; i < the_case->n_objects; i++) {
    objects[i] = xcn_place(values[i].size, the_case->placement);
    memcpy(objects[i], (const char *)at(the_case->bytes) + values[i].at, values[i].size);
  }
  for (u64 i = 0; i < the_case->n_objects; i++) point(objects[i], values[i].size, &values[i]);
}

static void index_keys(void) {
  u64 room = 16;
  while (room < 2 * the_case->n_keys) room *= 2;
  mask = (u32)room - 1;
  slots = calloc(room, sizeof *slots);
  used = calloc(the_case->n_keys + 1, sizeof *used);
  keys = at(the_case->keys);
  for (u32 i = 0; i < the_case->n_keys; i++) {
    u64 slot = hash(keys[i].number, name_of(&keys[i])) & mask;
    while (slots[slot]) slot = (slot + 1) & mask;
    slots[slot] = i + 1;
  }
}

__attribute__((constructor(101))) void xcn_load(void) {
  static int loaded;
  if (loaded++) return;
  const char *taken = getenv("XCUTE_TAKEN"), *path = getenv("XCUTE_CASE");
  if (taken) log_file = open(taken, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  /* The program finds the environment that it would have without us. */
  unsetenv("XCUTE_TAKEN");
  unsetenv("XCUTE_CASE");
  struct stat status;
  if (file < 0 || fstat(file, &status)) return;
  void *map = mmap(0, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (map == MAP_FAILED || (u64)status.st_size < sizeof *the_case) return;
  the_case = map;
  if (the_case->magic != XCN_CASE || the_case->size != (u64)status.st_size) {
    the_case = 0;
    return;
  }
  index_keys();
  make_objects();
}

static void note(u32 number) {
  if (log_file < 0) return;
  if (log_used == log_room) {
    if (log_at) munmap(log_at, log_room * sizeof *log_at);
    log_room += CHUNK;
    log_at = 0;
    if (!ftruncate(log_file, (off_t)(log_room * sizeof *log_at)))
      log_at = mmap(0, log_room * sizeof *log_at, PROT_READ | PROT_WRITE, MAP_SHARED, log_file, 0);
    if (!log_at || log_at == MAP_FAILED) {
      log_at = 0;
      log_file = -1;
      return;
    }
  }
  log_at[log_used++] = number + 1;
}

static u32 find(u64 number, const char *name, u64 caller) {
  u32 fits = 0;
  for (u64 slot = hash(number, name) & mask; slots[slot]; slot = (slot + 1) & mask) {
    const struct xcn_key *key = &keys[slots[slot] - 1];
    if (key->number != number || strcmp(name_of(key), name)) continue;
    if (key->low == key->high || (caller >= key->low && caller < key->high)) return slots[slot];
    if (!fits) fits = slots[slot]; /* the function was inlined into another one */
  }
  return fits;
}

void __xcute_input(void *to, unsigned long size, const char *name, int number) {
  u64 caller = (u64)__builtin_return_address(0) - (u64)__executable_start;
  xcn_load();
  note((u32)number);
  memset(to, 0, size);
  u32 found = the_case ? find((u64)(u32)number, name, caller) : 0;
  if (found) {
    const struct xcn_key *key = &keys[found - 1];
    u32 turn = __atomic_fetch_add(&used[found - 1], 1, __ATOMIC_RELAXED);
    if (turn < key->count) {
      const struct xcn_value *record = (const struct xcn_value *)at(the_case->records) + key->first + turn;
      memcpy(to, (const char *)at(the_case->bytes) + record->at, size < record->size ? size : record->size);
      point(to, size, record);
    }
  }
  if (__msan_unpoison) __msan_unpoison(to, size);
}
