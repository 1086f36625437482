/* Undefined behaviour (--check ub): what clang's checks call when they fail.
 *
 * With -fsanitize=... clang puts a branch before each operation whose result C does not define, and behind it a call of one of these handlers,
 * with a description of the operation. LLVM's own handlers print; these end the run. The layouts are those of compiler-rt
 * (lib/ubsan/ubsan_handlers.h, version 19).
 *
 * Invariant. Nothing here returns, and nothing calls the C library: the subject may have broken it. */
#include "rt.h"

struct place { const char *file; u32 line, column; };
struct type { u16 kind, info; char name[]; }; /* kind 0: integer, info: bit 0 signed, the rest log2 of its bits */
struct operation { struct place at; const struct type *of; };
struct shift { struct place at; const struct type *left, *right; };
struct access { struct place at; const struct type *of; u8 log_align, kind; };
struct index { struct place at; const struct type *array, *index; };
struct conversion { struct place at; const struct type *from, *to; };
struct argument { struct place at, attribute; int number; };
struct builtin { struct place at; u8 kind; };

struct text { u32 n; char at[XC_MESSAGE]; };

static void put(struct text *t, const char *s) {
  for (; *s && t->n + 1 < XC_MESSAGE; s++) t->at[t->n++] = *s;
  t->at[t->n] = 0;
}

static void put_number(struct text *t, u64 v) {
  char digits[24], *p = digits + sizeof digits - 1;
  *p = 0;
  do *--p = (char)('0' + v % 10);
  while (v /= 10);
  put(t, p);
}

static void put_hex(struct text *t, u64 v) {
  char digits[24], *p = digits + sizeof digits - 1;
  *p = 0;
  do *--p = "0123456789abcdef"[v % 16];
  while (v /= 16);
  put(t, "0x");
  put(t, p);
}

static u32 bits(const struct type *of) { return of->kind == 0 ? 1u << (of->info >> 1) : 0; }

/* The value if it is negative, sign extended; else 0. Values of up to 64 bits come as they are, larger ones by their address. */
static i64 negative(const struct type *of, u64 v) {
  u32 n = bits(of);
  if (!n || n > 64 || !(of->info & 1) || !(v >> (n - 1) & 1)) return 0;
  return n == 64 ? (i64)v : (i64)(v | ~0ull << n);
}

static void put_value(struct text *t, const struct type *of, u64 v) {
  u32 n = bits(of);
  i64 below = negative(of, v);
  if (!n || n > 64) {
    put(t, "a value of type ");
    put(t, of->name);
  } else if (below) {
    put(t, "-");
    put_number(t, 0 - (u64)below);
  } else {
    put_number(t, n == 64 ? v : v & ((1ull << n) - 1));
  }
}

static _Noreturn void overflow(const struct operation *o, u64 a, const char *sign, u64 b) {
  struct text t = {0, {0}};
  put_value(&t, o->of, a);
  put(&t, sign);
  put_value(&t, o->of, b);
  put(&t, " cannot be represented in type ");
  put(&t, o->of->name);
  xc_fail_undefined(XC_CHECK_OVERFLOW, t.at);
}

void __ubsan_handle_add_overflow_abort(const struct operation *o, u64 a, u64 b) { overflow(o, a, " + ", b); }
void __ubsan_handle_sub_overflow_abort(const struct operation *o, u64 a, u64 b) { overflow(o, a, " - ", b); }
void __ubsan_handle_mul_overflow_abort(const struct operation *o, u64 a, u64 b) { overflow(o, a, " * ", b); }

void __ubsan_handle_negate_overflow_abort(const struct operation *o, u64 a) {
  struct text t = {0, {0}};
  put(&t, "-(");
  put_value(&t, o->of, a);
  put(&t, ") cannot be represented in type ");
  put(&t, o->of->name);
  xc_fail_undefined(XC_CHECK_OVERFLOW, t.at);
}

/* The runtime's own check of divisions comes right behind this one, and says the same in both modes. */
void __ubsan_handle_divrem_overflow_abort(const struct operation *o, u64 a, u64 b) {
  (void)o, (void)a, (void)b;
  xc_fail_check(XC_CHECK_DIV_OVERFLOW, 0, 0);
}

void __ubsan_handle_shift_out_of_bounds_abort(const struct shift *s, u64 a, u64 b) {
  struct text t = {0, {0}};
  if (negative(s->right, b)) {
    put(&t, "shift by the negative number ");
    put_value(&t, s->right, b);
  } else if (bits(s->right) > 64 || b >= bits(s->left)) {
    put(&t, "shift by ");
    put_value(&t, s->right, b);
    put(&t, " is too far for type ");
    put(&t, s->left->name);
  } else if (negative(s->left, a)) {
    put(&t, "left shift of the negative number ");
    put_value(&t, s->left, a);
  } else {
    put(&t, "left shift of ");
    put_value(&t, s->left, a);
    put(&t, " by ");
    put_value(&t, s->right, b);
    put(&t, " cannot be represented in type ");
    put(&t, s->left->name);
  }
  xc_fail_undefined(XC_CHECK_SHIFT, t.at);
}

void __ubsan_handle_type_mismatch_v1_abort(const struct access *a, u64 address) {
  struct text t = {0, {0}};
  put(&t, "the address ");
  put_hex(&t, address);
  put(&t, " is not aligned to ");
  put_number(&t, 1ull << a->log_align);
  put(&t, " bytes as type ");
  put(&t, a->of->name);
  put(&t, " requires");
  xc_fail_undefined(XC_CHECK_ALIGNMENT, t.at);
}

void __ubsan_handle_out_of_bounds_abort(const struct index *i, u64 index) {
  struct text t = {0, {0}};
  put(&t, "index ");
  put_value(&t, i->index, index);
  put(&t, " is outside of type ");
  put(&t, i->array->name);
  xc_fail_undefined(XC_CHECK_INDEX, t.at);
}

void __ubsan_handle_vla_bound_not_positive_abort(const struct operation *o, u64 bound) {
  struct text t = {0, {0}};
  put(&t, "an array gets the length ");
  put_value(&t, o->of, bound);
  xc_fail_undefined(XC_CHECK_UNDEFINED, t.at);
}

void __ubsan_handle_float_cast_overflow_abort(const struct conversion *c, u64 value) {
  (void)value;
  struct text t = {0, {0}};
  put(&t, "the value of type ");
  put(&t, c->from->name);
  put(&t, " cannot be represented in type ");
  put(&t, c->to->name);
  xc_fail_undefined(XC_CHECK_UNDEFINED, t.at);
}

void __ubsan_handle_load_invalid_value_abort(const struct operation *o, u64 value) {
  struct text t = {0, {0}};
  put(&t, "the loaded value ");
  put_number(&t, value);
  put(&t, " is not a value of type ");
  put(&t, o->of->name);
  xc_fail_undefined(XC_CHECK_UNDEFINED, t.at);
}

void __ubsan_handle_nonnull_arg_abort(const struct argument *a) {
  struct text t = {0, {0}};
  put(&t, "argument ");
  put_number(&t, (u64)a->number);
  put(&t, " is NULL, but declared never to be");
  xc_fail_undefined(XC_CHECK_UNDEFINED, t.at);
}

void __ubsan_handle_nonnull_return_v1_abort(const void *attribute, const struct place *at) {
  (void)attribute, (void)at;
  xc_fail_undefined(XC_CHECK_UNDEFINED, "NULL is returned by a function that is declared never to do so");
}

void __ubsan_handle_invalid_builtin_abort(const struct builtin *b) {
  xc_fail_undefined(XC_CHECK_UNDEFINED, b->kind ? "__builtin_clz of 0" : "__builtin_ctz of 0");
}
