//@ args: --entry LLVMFuzzerTestOneInput --fuzz only --runs 60000
//@ complete: yes
//@ args: --entry LLVMFuzzerTestOneInput --fuzz auto --solver-effort 20
//@ complete: yes
// A hash of the input decides: hard for a solver, and every 1021st input has the right one.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

static uint32_t hash(const uint8_t *bytes, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; i++) {
    hash = (hash ^ bytes[i]) * 16777619u;
    hash ^= hash >> 13;
  }
  return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 8 || data[7] != '=') return 0;
  if (hash(data, 6) % 1021 != 17) return 1;
  if (data[6] == '!') abort(); //! abort
  return 2;
}
