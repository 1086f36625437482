/* The logical input map [sen-marinov-agha-2006 §4.1.1]: gives values to inputs and makes variables of them.
 *
 * An input is walked down to its leaves: integers, floats, pointers. Each leaf is a variable, found again in each run by its place
 * (interned), and gets the engine's value or the default. A pointer that is not NULL names, by its value, the pointer variable that owns the
 * object; objects that are named for the first time in a run are walked next, breadth first. We deviate from the paper in one
 * point: objects have an address of their own for ever, so a model of a path is valid for pointers as it stands.
 *
 * Invariant. Own addresses grow with the variables' numbers; XC_POINTERS is sorted by both. */
#include <stddef.h>
#include "rt.h"

#define XC_OP(name, number) OP_##name = number,
enum {
#include "ops.def"
};

#define VARS ((struct xc_var *)(XC_SHARED + XC->vars_at))
#define TYPES ((const struct xc_type *)(XC_SHARED + XC->types_at))
#define FIELDS ((const struct xc_field *)(XC_SHARED + XC->fields_at))
#define INPUT_TYPES ((const u32 *)(XC_SHARED + XC->inputs_at))

#define NONE 0xffffffffu
enum { ALIGN = 64, ZEROED_AT_ONCE = 1 << 14, SLOTS = 1 << 22, NTH = 1 << 12 };
#define COUNTS ((struct count *)0x60180000ull) /* how often each key was reached in this run */
struct count { u32 run, n; };

/* Where a leaf is. */
struct place { u32 parent, nth; u64 offset; u32 type; u16 bit, bits; };

static u64 mix(u64 x) { /* splitmix64 */
  x += 0x9e3779b97f4a7c15ull;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

static u64 hash(u32 parent, u32 nth, u64 offset, u32 type, u32 bit) {
  return mix(mix(((u64)parent << 32) | nth) ^ mix(offset * 64 + bit) ^ ((u64)type << 40));
}

static int same(const struct xc_var *v, const struct place *p) {
  return v->parent == p->parent && v->offset == p->offset && v->type == p->type && v->nth == p->nth && v->bit == p->bit;
}

static u32 *slot_of(const struct place *p) {
  u64 i = hash(p->parent, p->nth, p->offset, p->type, p->bit) % SLOTS;
  while (XC_INTERNED[i] && !same(&VARS[XC_INTERNED[i] - 1], p)) i = (i + 1) % SLOTS;
  return &XC_INTERNED[i];
}

/* The bytes of the object that a pointer of this type owns; 0: it has none and stays NULL. */
static u64 object_size(const struct xc_type *type) {
  if (type->kind != XC_TY_POINTER || type->flags & XC_PTR_FUNCTION) return 0;
  u64 count = type->count ? type->count : type->flags & XC_PTR_STRING ? (u64)XC->default_string + 1 : 1;
  return TYPES[type->elem].size * count;
}

static void add_pointer(u32 var) {
  const struct xc_type *type = &TYPES[VARS[var].type];
  XC_POINTERS[XC_P->n_pointers++] = (struct xc_pointer){VARS[var].own, object_size(type), var, VARS[var].type, 0, 0};
  XC_P->next_own = (VARS[var].own + object_size(type) + 2 * ALIGN - 1) & -(u64)ALIGN;
  xc_open(&XC_P->inputs_open, XC_P->next_own + ALIGN);
}

static u32 intern(const struct place *p) {
  u32 id = XC_P->hint; /* leaves come in the order of earlier runs */
  if (id < XC->n_vars && same(&VARS[id], p)) {
    XC_P->hint = id + 1;
    return id;
  }
  u32 *slot = slot_of(p);
  if (*slot) {
    XC_P->hint = *slot;
    return *slot - 1;
  }
  id = XC->n_vars;
  u64 size = object_size(&TYPES[p->type]);
  if (id >= XC->max_vars || id >= SLOTS / 2) {
    xc_full();
    return NONE;
  }
  if (size > XC_INPUTS_END - XC_P->next_own - 2 * ALIGN) xc_end(XC_OUT_OF_MEMORY);
  VARS[id] = (struct xc_var){p->parent, p->type, p->offset, p->bits, p->bit, 0, 0, size ? XC_P->next_own : 0, p->nth, 0};
  if (size) add_pointer(id);
  *slot = id + 1;
  XC->n_vars = XC_P->n_interned = id + 1;
  XC_P->hint = id + 1;
  return id;
}

struct xc_pointer *xc_pointer_at(u64 addr) {
  u64 low = 0, high = XC_P->n_pointers;
  while (low < high) {
    u64 middle = (low + high) / 2;
    if (XC_POINTERS[middle].own <= addr) low = middle + 1;
    else high = middle;
  }
  return low && addr - XC_POINTERS[low - 1].own < XC_POINTERS[low - 1].size ? &XC_POINTERS[low - 1] : NULL;
}

/* The object exists from now on in this run; its leaves are walked in their turn. */
static void make_object(u64 address) {
  struct xc_pointer *pointer = xc_pointer_at(address);
  if (!pointer || pointer->own != address || pointer->live == XC->run) return;
  pointer->live = XC->run;
  pointer->dirty = 0;
  XC_LIVE[XC_P->n_live++] = (u32)(pointer - XC_POINTERS);
  xc_poison(pointer->own - XC_ZONE, XC_ZONE, XC_POISON_ZONE);
  xc_poison(pointer->own + pointer->size, XC_ZONE, XC_POISON_ZONE);
}

static u64 default_of(const struct xc_var *var, u32 id) {
  const struct xc_type *type = &TYPES[var->type];
  if (XC->flags & XC_FLAG_RANDOM_DEFAULTS) {
    u64 random = mix(mix(XC->seed + XC->run) + id);
    if (type->kind != XC_TY_POINTER) {
      if (XC->flags & XC_FLAG_UNIFORM) return mix(random);
      return random & 1 ? random >> 8 : (u64)(((i64)random) >> 57); /* half of them small */
    }
    if (type->flags & XC_PTR_FUNCTION) {
      const struct xc_type *functions = &TYPES[type->elem];
      return functions->n && random & 3 ? FIELDS[functions->first + (random >> 8) % functions->n].offset : 0;
    }
    if (random & 1) return var->own;
  }
  return type->kind == XC_TY_POINTER && type->flags & XC_PTR_NONNULL ? var->own : 0;
}

static u64 value_of(u32 id) {
  struct xc_var *var = &VARS[id];
  u64 value = var->stamp == XC->run ? var->value : default_of(var, id);
  return var->bits < 64 ? value & ((1ull << var->bits) - 1) : value;
}

/* Nothing more is recorded of this run, and what it is given is not made up. */
static int unrecorded(void) {
  return (XC->full || XC->n_decisions > XC->max_decisions) && !(XC->flags & XC_FLAG_RANDOM_DEFAULTS);
}

static int is_glance(void) { return XC->command == XC_CMD_GLANCE; }

static int is_known(const struct place *p) {
  u32 id = XC_P->hint;
  return (id < XC->n_vars && same(&VARS[id], p)) || *slot_of(p);
}

/* Makes the variable, its node and its event; gives its value. What a run asks for after its record ended can decide nothing that is recorded, so no new variables
 * are made there: a loop that does not end may ask for millions. Pointers still need theirs: it owns their object. Of a glance only the value is wanted. */
static u64 variable(const struct place *p, u32 *handle) {
  int lost = XC_UNLIKELY(is_glance() || unrecorded()) && TYPES[p->type].kind != XC_TY_POINTER && !is_known(p);
  u32 id = lost ? NONE : intern(p);
  *handle = 0;
  if (XC_UNLIKELY(id == NONE)) return 0; /* more inputs than are recorded: they are zero */
  XC_P->outside = 1;
  u64 value = value_of(id);
  if (XC_UNLIKELY(is_glance())) return value;
  *handle = xc_node(OP_VAR, p->bits, id, 0, 0, value);
  xc_event(XC_EV_INPUT, 0, id, 0, value);
  return value;
}

static void leaf(u64 at, struct place p, u32 bytes) {
  u32 handle;
  u64 value = variable(&p, &handle);
  if (handle && p.bits < 8 * bytes) handle = xc_node(OP_ZEXT, 8 * bytes, handle, 0, 0, value);
  xc_shadow_set(at, bytes, handle, value);
  xc_copy((void *)at, &value, bytes);
  if (TYPES[p.type].kind == XC_TY_POINTER && value) make_object(value);
}

/* Bits [low, low + n) of a node, as a node. */
static u32 bits_of(u32 handle, u64 value, u32 low, u32 n) {
  if (!handle) return xc_const(n, (value >> low) & ((1ull << n) - 1));
  return xc_node(OP_EXTRACT, n, handle, 0, low, (value >> low) & ((1ull << n) - 1));
}

/* Puts n (< 8) bits of a field into one byte at `at`, from bit `first` of that byte; the other bits keep what they are. */
static void splice(u64 at, u32 field, u64 value, u32 from, u32 first, u32 n) {
  u8 *byte = (u8 *)at;
  u32 old = xc_shadow_get(at, 1, *byte);
  u32 mask = ((1u << n) - 1) << first, rest = *byte, result = (rest & ~mask) | (((u32)(value >> from) << first) & mask);
  u32 handle = field || old ? bits_of(field, value, from, n) : 0, have = n;
  if (handle && first) {
    handle = xc_node(OP_CONCAT, have + first, handle, bits_of(old, rest, 0, first), 0, result & ((1u << (have + first)) - 1));
    have += first;
  }
  if (handle && have < 8) handle = xc_node(OP_CONCAT, 8, bits_of(old, rest, have, 8 - have), handle, 0, result);
  xc_shadow_set(at, 1, handle, result);
  *byte = (u8)result;
}

static void bit_field(u64 at, struct place p) {
  u32 handle, done = 0;
  u64 value = variable(&p, &handle);
  at += p.bit / 8;
  for (u32 first = p.bit % 8; done < p.bits; first = 0, at++) {
    u32 n = 8 - first < p.bits - done ? 8 - first : p.bits - done;
    splice(at, handle, value, done, first, n);
    done += n;
  }
}

static void walk(u64 at, struct place p) {
  const struct xc_type *type = &TYPES[p.type];
  switch (type->kind) {
    case XC_TY_BOOL: p.bits = 1; leaf(at, p, (u32)type->size); return;
    case XC_TY_POINTER: p.bits = 64; leaf(at, p, 8); return;
    case XC_TY_INT:
    case XC_TY_FLOAT:
      if (type->size <= 8) {
        p.bits = (u16)(8 * type->size);
        leaf(at, p, (u32)type->size);
      } else if (type->kind == XC_TY_INT) {
        p.bits = 64;
        leaf(at, p, 8);
        p.offset += 8;
        leaf(at + 8, p, 8);
      } else {
        xc_event(XC_EV_UNSUPPORTED, XC_LOST_INPUT, 0, 0, 0);
      }
      return;
    case XC_TY_STRUCT:
    case XC_TY_UNION:
      for (u32 i = 0; i < type->n; i++) {
        const struct xc_field *field = &FIELDS[type->first + i];
        struct place inner = {p.parent, p.nth, p.offset + field->offset, field->type, field->bit, field->bits};
        if (field->bits) bit_field(at + field->offset, inner);
        else walk(at + field->offset, inner);
      }
      return;
    case XC_TY_ARRAY: {
      u64 step = TYPES[type->elem].size, offset = p.offset;
      p.type = type->elem;
      for (u32 i = 0; i < type->count; i++) {
        p.offset = offset + i * step;
        walk(at + i * step, p);
      }
      return;
    }
    case XC_TY_OPAQUE:
      p.bits = 8;
      for (u64 i = 0; i < type->size; i++, p.offset++) leaf(at + i, p, 1);
      return;
    default: return;
  }
}

static void walk_elements(u64 at, u64 bytes, struct place p) {
  u64 step = TYPES[p.type].size;
  for (p.offset = 0; step && p.offset + step <= bytes; p.offset += step) walk(at + p.offset, p);
}

static void walk_object(const struct xc_pointer *pointer) {
  const struct xc_type *type = &TYPES[pointer->type];
  u64 bytes = pointer->size;
  if (type->flags & XC_PTR_STRING) bytes -= TYPES[type->elem].size; /* the final NUL is not an input */
  if (XC_UNLIKELY(XC->flags & XC_FLAG_FOLLOW)) xc_follow_event(XC_EV_MADE, 0, 0, (u32)pointer->size, 0, pointer->own);
  walk_elements(pointer->own, bytes, (struct place){pointer->var, 0, 0, type->elem, 0, 0});
  if (XC_UNLIKELY(XC->flags & XC_FLAG_FOLLOW)) xc_follow_event(XC_EV_MADE, 1, 0, 0, 0, pointer->own);
}

void xc_make_own(u32 var) {
  u32 recording = XC->recording;
  XC->recording = 0;
  make_object(VARS[var].own);
  while (XC_P->n_walked < XC_P->n_live) walk_object(&XC_POINTERS[XC_LIVE[XC_P->n_walked++]]);
  XC->recording = recording;
}

void __xcute_input_typed(void *at, u64 size, const char *name, u32 key) {
  (void)name;
  if (key >= XC->n_inputs || key >= NTH) return;
  u32 recording = XC->recording;
  struct count *count = &COUNTS[key];
  if (count->run != XC->run) *count = (struct count){XC->run, 0};
  XC->recording = 0;
  xc_check((u64)at, size, XC_WRITE);
  if (XC_UNLIKELY(XC->flags & XC_FLAG_FOLLOW)) {
    xc_follow_event(XC_EV_ASKED, 0, key, 0, count->n, 0);
    xc_follow_fill((u64)at, 0, 0, size);
  }
  xc_shadow_clear((u64)at, size);
  xc_zero(at, size);
  walk_elements((u64)at, size, (struct place){XC_ROOT | key, count->n++, 0, INPUT_TYPES[key], 0, 0});
  while (XC_P->n_walked < XC_P->n_live) walk_object(&XC_POINTERS[XC_LIVE[XC_P->n_walked++]]);
  XC->recording = recording;
}

/* For harnesses of call sequences: whether an object can still be used. */
int __xcute_alive(const void *at) {
  struct xc_object object;
  return !xc_in_heap((u64)at) || xc_object_of((u64)at, &object);
}

void xc_inputs_start(void) {
  XC_P->next_own = XC_INPUTS + ALIGN;
  xc_open(&XC_P->inputs_open, XC_P->next_own);
  xc_inputs_learn();
}

void xc_inputs_learn(void) {
  for (; XC_P->n_interned < XC->n_vars && XC_P->n_interned < XC->max_vars; XC_P->n_interned++) {
    u32 i = XC_P->n_interned;
    const struct xc_var *v = &VARS[i];
    struct place p = {v->parent, v->nth, v->offset, v->type, v->bit, v->bits};
    *slot_of(&p) = i + 1;
    if (v->own) add_pointer(i);
  }
}

/* Objects are zero before they are made; so are the zones behind them, as far as that is cheap. */
void xc_inputs_reset(void) {
  u64 used = XC_P->next_own - XC_INPUTS;
  if (used <= ZEROED_AT_ONCE && XC_P->n_live) {
    xc_zero((void *)XC_INPUTS, used);
  } else {
    for (u32 i = 0; i < XC_P->n_live; i++) {
      const struct xc_pointer *pointer = &XC_POINTERS[XC_LIVE[i]];
      xc_zero((void *)pointer->own, (pointer->size + ALIGN) & -(u64)8);
    }
  }
  XC_P->n_live = XC_P->n_walked = 0;
  XC_P->hint = 0;
}
