/* What C++ adds to the ways in which a run can end: exceptions that nobody catches, std::terminate, calls of pure virtual functions.
 *
 * Linked into subjects that hold C++. It is compiled without the headers of the C++ library, so that xcute builds where there are none.
 * An exception without a handler is found out before anything is unwound: the stack is still that of the throw.
 *
 * Invariant. No state of its own: the handler is installed before the first run and is part of the library's snapshot. */
#include <unwind.h>
extern "C" {
#include "rt.h"
}

namespace std {
class exception {
public:
  virtual ~exception() noexcept;
  virtual const char *what() const noexcept;
};
class type_info {
public:
  virtual ~type_info();
  const char *mangled;
};
typedef void (*terminate_handler)();
terminate_handler set_terminate(terminate_handler) noexcept;
extern __thread void *__once_callable;
extern __thread void (*__once_call)();
} // namespace std

namespace __cxxabiv1 {
extern "C" std::type_info *__cxa_current_exception_type() noexcept;
extern "C" char *__cxa_demangle(const char *, char *, unsigned long *, int *) noexcept;
} // namespace __cxxabiv1

namespace {

struct message {
  char text[XC_MESSAGE];
  unsigned n = 0;

  void add(const char *more) {
    while (more && *more && n + 1 < XC_MESSAGE) text[n++] = *more++;
    text[n] = 0;
  }
};

_Unwind_Reason_Code add_frame(_Unwind_Context *context, void *) {
  xc_frame(_Unwind_GetIP(context));
  return XC->n_frames < XC_FRAMES ? _URC_NO_REASON : _URC_END_OF_STACK;
}

[[noreturn]] void terminated() {
  std::type_info *type = __cxxabiv1::__cxa_current_exception_type();
  if (!type) xc_fail_abort("std::terminate was called");
  message m;
  int status = 1;
  /* A type of the program itself is often marked by a star. */
  const char *mangled = type->mangled + (*type->mangled == '*');
  char *name = __cxxabiv1::__cxa_demangle(mangled, nullptr, nullptr, &status);
  m.add(status == 0 ? name : mangled);
  try {
    throw;
  } catch (const std::exception &e) {
    m.add(": ");
    m.add(e.what());
  } catch (...) {
  }
  xc_fail_uncaught(m.text);
}

__attribute__((constructor)) void install() { std::set_terminate(terminated); }

} // namespace

/* Libraries have no frame pointers, but tables for the unwinder. */
extern "C" void xc_backtrace(void) { _Unwind_Backtrace(add_frame, nullptr); }

/* What std::call_once is to call: each thread's own, though all fibers have it at one place (fiber.c). */
extern "C" void xc_once_keep(void *kept[2]) {
  kept[0] = std::__once_callable;
  kept[1] = reinterpret_cast<void *>(std::__once_call);
}

extern "C" void xc_once_put(void *const kept[2]) {
  std::__once_callable = kept[0];
  std::__once_call = reinterpret_cast<void (*)()>(kept[1]);
}

extern "C" [[noreturn]] void __cxa_pure_virtual() { xc_fail_abort("a pure virtual function is called"); }
