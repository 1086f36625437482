//@ args: --bytes 4
// libFuzzer's entry in C++.
#include <cstddef>
#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  if (text == "bug") throw 1;  //! uncaught-exception
  return 0;
}
