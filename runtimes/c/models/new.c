/* Models of operator new and delete: malloc and free, so that sizes and objects are treated as they are there. */
#include "models.h"

void *malloc(size_t);
void *aligned_alloc(size_t, size_t);
void free(void *);
_Noreturn void _ZSt17__throw_bad_allocv(void); /* std::__throw_bad_alloc */

static void *MODEL(or_throw)(void *object) {
  if (!object) _ZSt17__throw_bad_allocv();
  return object;
}

void *MODEL(_Znwm)(size_t n) { return MODEL(or_throw)(malloc(n)); }
void *MODEL(_Znam)(size_t n) { return MODEL(or_throw)(malloc(n)); }
void *MODEL(_ZnwmRKSt9nothrow_t)(size_t n, const void *tag) { (void)tag; return malloc(n); }
void *MODEL(_ZnamRKSt9nothrow_t)(size_t n, const void *tag) { (void)tag; return malloc(n); }
void *MODEL(_ZnwmSt11align_val_t)(size_t n, size_t alignment) { return MODEL(or_throw)(aligned_alloc(alignment, n)); }
void *MODEL(_ZnamSt11align_val_t)(size_t n, size_t alignment) { return MODEL(or_throw)(aligned_alloc(alignment, n)); }

void MODEL(_ZdlPv)(void *p) { free(p); }
void MODEL(_ZdaPv)(void *p) { free(p); }
void MODEL(_ZdlPvm)(void *p, size_t n) { (void)n; free(p); }
void MODEL(_ZdaPvm)(void *p, size_t n) { (void)n; free(p); }
void MODEL(_ZdlPvRKSt9nothrow_t)(void *p, const void *tag) { (void)tag; free(p); }
void MODEL(_ZdaPvRKSt9nothrow_t)(void *p, const void *tag) { (void)tag; free(p); }
void MODEL(_ZdlPvSt11align_val_t)(void *p, size_t alignment) { (void)alignment; free(p); }
void MODEL(_ZdaPvSt11align_val_t)(void *p, size_t alignment) { (void)alignment; free(p); }
void MODEL(_ZdlPvmSt11align_val_t)(void *p, size_t n, size_t alignment) { (void)n, (void)alignment; free(p); }
void MODEL(_ZdaPvmSt11align_val_t)(void *p, size_t n, size_t alignment) { (void)n, (void)alignment; free(p); }
