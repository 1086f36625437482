/* Accesses through symbolic addresses [sen-marinov-agha-2006 §4.1.6], and beyond it.
 *
 * An access is planned before it happens:
 *   ALIAS  the address is an input pointer plus a constant: recorded that it is not NULL; other input objects it may point to are
 *          kept up to date with ITE, so that a store through p is seen through q where p and q may be equal;
 *   TABLE  the address is an offset into one object of at most exact_object bytes: recorded that it is within the object; a load is a
 *          TABLE of its elements, a store an ITE for each;
 *   PLAIN  everything else: the address is one number: each is a path where the object is known, else it is pinned (values.c).
 * A pointer that is itself the result of an ITE or TABLE (it was read through a symbolic address) is first resolved: each condition on
 * the way to the input it really is becomes a branch, so every target is explored.
 *
 * Invariant. The events of a plan depend on the path alone. */
#include "memory.h"

enum {
  MAX_CHAIN = 64,   /* entries of a table that a resolved pointer is compared with, one by one */
  MAX_SUMMANDS = 8  /* how deep a sum is looked into for a pointer */
};

static struct xc_var *var_of(u32 h) { return (struct xc_var *)(XC_SHARED + XC->vars_at) + xc_variable(h); }
static struct xc_type *type_of(u32 type) { return (struct xc_type *)(XC_SHARED + XC->types_at) + type; }

static u32 address(u64 a) { return xc_const(64, a); }

static int is_pointer(u32 h) { return XC_NODES[h].op == XC_OP_VAR && XC_NODES[h].width == 64 && type_of(var_of(h)->type)->kind == XC_TY_POINTER; }

/* A sum of something and a constant. */
static int is_moved(u32 h) {
  const struct xc_node *node = &XC_NODES[h];
  return node->op == XC_OP_ADD && (XC_NODES[node->b].op == XC_OP_CONST || (XC_FOLLOWS && !xc_is(node->b, XC_SYMBOLIC)));
}

/* h = pointer variable + constant? */
int xc_is_simple(u32 h, u32 *pointer, u64 *offset) {
  if (XC_FOLLOWS) {
    /* The pointer as it is now: the variable itself may no longer be in memory. */
    u32 origin = xc_origin(h);
    *offset = XC_NODES[h].k - XC_NODES[origin].k;
    *pointer = *offset && is_pointer(origin) ? xc_make(XC_OP_ADD, 64, h, xc_const(64, -*offset)) : h;
    return is_pointer(origin);
  }
  *offset = 0;
  if (is_moved(h)) {
    *offset = XC_NODES[XC_NODES[h].b].k;
    h = XC_NODES[h].a;
  }
  *pointer = h;
  return is_pointer(h);
}

/* The pointer variable that a sum is computed from: p + n / 2, kept in a variable. 0: there is none, or more than one. */
static u32 pointer_within(u32 h, u32 depth) {
  h = xc_inner(h);
  if (is_pointer(h)) return h;
  if (XC_NODES[h].op != XC_OP_ADD || depth == 0) return 0;
  u32 a = pointer_within(XC_NODES[h].a, depth - 1), b = pointer_within(XC_NODES[h].b, depth - 1);
  return a && b ? 0 : a ? a : b;
}

static u32 without_constant(u32 h) { return XC_FOLLOWS ? xc_origin(h) : is_moved(h) ? XC_NODES[h].a : h; }

/* Follows ITE and TABLE to what the pointer is in this run, recording the conditions as branches; 0: a constant, pinned if need be. */
static u32 resolve(u32 h, u32 site) {
  for (;;) {
    struct xc_node node = XC_NODES[h];
    u32 pointer;
    u64 offset;
    if (xc_is_simple(h, &pointer, &offset)) return h;
    if (node.op == XC_OP_CONST) return 0;
    if (node.op == XC_OP_LOAD && node.a && xc_is(node.a, XC_SYMBOLIC)) {
      h = node.a;
      continue;
    }
    if (is_moved(h)) {
      u32 x = resolve(node.a, site);
      return x ? xc_bin_slow(XC_OP_ADD | 64 << 16, x, 0, XC_NODES[x].k, XC_NODES[node.b].k, node.k) : 0;
    }
    if (node.op == XC_OP_ITE) {
      u32 c = (u32)XC_NODES[node.a].k;
      xc_br_slow(node.a, c, site);
      h = c ? node.b : node.c;
      continue;
    }
    if (node.op == XC_OP_TABLE && node.c <= MAX_CHAIN) {
      struct xc_aux *aux = (struct xc_aux *)(XC_SHARED + XC->aux_at) + node.b;
      u64 at = aux->value, want = XC_NODES[node.a].k;
      u32 i = 0;
      for (; i + 1 < node.c; i++, at += node.width / 8) {
        xc_br_slow(xc_make(XC_OP_EQ, 64, node.a, address(at)), at == want, site);
        if (at == want) break;
      }
      if (!aux[1 + i].handle) return 0;
      h = aux[1 + i].handle;
      continue;
    }
    xc_pin(site, h);
    return 0;
  }
}

static void check_null(u32 pointer, u32 site) {
  if (type_of(var_of(pointer)->type)->flags & XC_PTR_NONNULL) return;
  /* An event for every access, though only the first one of a variable decides anything: pointers that come to share an object must
   * not change how many events a path has. */
  u32 *checked = &XC_NULL_CHECKED[xc_variable(pointer)];
  if (*checked == XC->run) {
    xc_event(XC_EV_CHECK, site, 0, 1, 1);
    return;
  }
  *checked = XC->run;
  u32 holds = XC_NODES[pointer].k != 0;
  xc_event(XC_EV_CHECK, site, xc_make(XC_OP_NE, 64, pointer, address(0)), holds, holds);
}

/* A constant address plus a symbolic distance within one object: &a[i], kept in a variable. Its base is the object's. */
static int is_distance(u32 h, u64 p) {
  struct xc_node *node = &XC_NODES[xc_inner(h)];
  struct xc_object from, to;
  if (node->op != XC_OP_ADD) return 0;
  u32 origin = XC_FOLLOWS && !xc_is(node->a, XC_SYMBOLIC) ? node->a : node->b;
  if (XC_FOLLOWS ? xc_is(origin, XC_SYMBOLIC) : XC_NODES[origin].op != XC_OP_CONST) return 0;
  if (!xc_object_of(XC_NODES[origin].k, &from) || !xc_object_of(p, &to) || from.base != to.base) return 0;
  if (XC_FOLLOWS && XC_NODES[origin].op != XC_OP_CONST) xc_follow_equal(origin);
  return 1;
}

/* The heap object at this address, if its size is symbolic. One of no bytes contains no address, and is found all the same. */
static struct xc_sized *heap_sized(u64 base, struct xc_object *object) {
  struct xc_sized *sized = xc_in_heap(base) ? xc_sized_of(base) : 0;
  return sized && xc_object_near(base, object) && object->base == base ? sized : 0;
}

static _Noreturn void fail_sized(const struct xc_sized *sized, u32 pointer, const struct xc_access *a) {
  struct xc_object object = {XC_NODES[pointer].k, xc_sized_now(sized), XC_OBJ_INPUT, xc_variable(pointer), 0};
  xc_fail_bounds(&object, a->p, a->bytes, a->write);
}

/* Sites come in pairs: the check, then the pin. */
void xc_plan(const struct xc_access *a, int exact) {
  struct xc_plan *plan = &XC_M->plan;
  plan->kind = XC_PLAN_PLAIN;
  if (XC_UNLIKELY(xc_is(a->hp, XC_UNDEFINED))) xc_fail_uninitialised(a->hp, XC_ADDRESS);
  if (XC_FOLLOWS && a->hbase && a->hbase != a->hp && !xc_is(a->hbase, XC_SYMBOLIC)) xc_follow_equal(a->hbase);
  if (!xc_is(a->hp, XC_SYMBOLIC)) {
    if (XC_FOLLOWS) xc_follow_equal(a->hp);
    return;
  }
  u32 hbase = xc_is(a->hbase, XC_SYMBOLIC) ? a->hbase : 0, pointer = 0;
  u64 offset, base = a->base;
  if (hbase && is_distance(hbase, a->p)) hbase = 0;
  if (hbase && !xc_is_simple(hbase, &pointer, &offset)) {
    u32 from = pointer_within(hbase, MAX_SUMMANDS);
    if (from) hbase = from, base = XC_NODES[from].k;
  }
  u32 whole = xc_is_simple(a->hp, &pointer, &offset) || (hbase && without_constant(a->hp) == without_constant(hbase));
  u32 root = whole ? resolve(a->hp, a->site + 1) : hbase ? resolve(hbase, a->site + 1) : 0;
  struct xc_sized *sized = 0;
  if (root && xc_is_simple(root, &pointer, &offset)) {
    check_null(pointer, a->site);
    sized = xc_sized_of(xc_variable(pointer));
  }
  if (whole) {
    if (!root && XC_FOLLOWS) xc_follow_equal(a->hp);
    if (!root) return;
    if (sized && (i64)offset >= 0 && !xc_sized_holds(sized, offset + a->bytes, a->site)) fail_sized(sized, pointer, a);
    plan->kind = XC_PLAN_ALIAS;
    plan->pointer = pointer;
    plan->offset = offset;
    if (XC_FOLLOWS) xc_follow_pointer(a->hp, a->site);
    return;
  }
  struct xc_object object;
  int known = xc_object_of(base, &object);
  if (!sized) sized = heap_sized(known ? object.base : base, &object);
  if (object.kind == XC_OBJ_NONE || (!sized && object.size < a->bytes)) {
    xc_pin(a->site + 1, a->hp);
    return;
  }
  u32 index = a->hp;
  if (hbase) {
    /* Relative to the base, which has its value for the rest of this path, or points to its own object. */
    u32 moved = xc_make(XC_OP_SUB, 64, a->hp, hbase);
    index = xc_make(XC_OP_ADD, 64, moved, address(base));
  }
  u32 distance = xc_make(XC_OP_SUB, 64, index, address(object.base));
  u32 within = sized ? xc_sized_within(sized, distance, a->bytes) : xc_make(XC_OP_ULE, 64, distance, address(object.size - a->bytes));
  u32 holds = (u32)XC_NODES[within].k;
  xc_event(XC_EV_CHECK, a->site, within, holds, holds);
  if (!holds) {
    if (sized) object.size = xc_sized_now(sized);
    xc_fail_bounds(&object, a->p, a->bytes, a->write);
  }
  xc_sized_choose(object.base);
  if (XC_FOLLOWS && a->hbase != a->hp && (hbase || !xc_is(a->hbase, XC_SYMBOLIC))) xc_follow_pointer(a->hbase, a->site);
  if (!exact || object.size > XC->exact_object) {
    xc_choose(a->site + 1, index, object.base);
    if (XC_FOLLOWS) xc_follow_equal(index);
    return;
  }
  /* What the table gives is so only for addresses within the object; one that no input decides comes here without the check. */
  if (XC_FOLLOWS) xc_follow_equal(within);
  plan->kind = XC_PLAN_TABLE;
  plan->site = a->site + 1;
  plan->index = index;
  plan->base = object.base;
  plan->size = object.size;
}

XC_SLOW void xc_plan_slow(const struct xc_access *access) { xc_plan(access, 1); }

/* Live input objects that the pointer may point to instead of to `target`, one after the other. */
static struct xc_pointer *other_object(u32 pointer, u64 end, const struct xc_pointer *target, u32 *i) {
  struct xc_type *q = type_of(var_of(pointer)->type);
  u32 id = xc_variable(pointer);
  while (*i < XC_P->n_live) {
    struct xc_pointer *o = &XC_POINTERS[XC_LIVE[(*i)++]];
    struct xc_type *t = type_of(o->type);
    /* The engine's domains: pointers made before, to the same type, number of elements and kind of object. */
    int candidate = o->var <= id && t->elem == q->elem && t->count == q->count && !((t->flags ^ q->flags) & XC_PTR_STRING);
    if (o != target && candidate && end <= o->size) return o;
  }
  return 0;
}

/* Was the cell stored to in this run? Cells that were not still hold the object's own inputs. */
static int written(const struct xc_pointer *object, u64 at) {
  if (!object->dirty) return 0;
  u32 h = *XC_SHADOW_OF(at) >> 3;
  return !h || *XC_SHADOW_OF(at) >= XC_BLANK || XC_NODES[h = xc_inner(h)].op != XC_OP_VAR || var_of(h)->parent != object->var;
}

static u32 points_to(u32 pointer, const struct xc_pointer *object) { return xc_make(XC_OP_EQ, 64, pointer, address(object->own)); }

/* A pointer that shares another's object could as well have its own: that one takes part, or runs where it has would not be foreseen. */
static void make_own(u32 pointer, const struct xc_pointer *target) {
  u32 id = xc_variable(pointer);
  if (target->var != id && var_of(pointer)->own) xc_make_own(id);
}

static u32 load_alias(u64 p, u32 bytes, u64 r) {
  struct xc_plan plan = XC_M->plan;
  u32 h = xc_shadow_get(p, bytes, r), i = 0;
  struct xc_pointer *target = xc_pointer_at(p), *o;
  if (!target) return h;
  int stored = written(target, p);
  /* Code that only reads does not pay for what may share an object. */
  if (!stored && XC_M->stored_run != XC->run) return h;
  if (stored) make_own(plan.pointer, target);
  while ((o = other_object(plan.pointer, plan.offset + bytes, target, &i))) {
    u64 at = o->own + plan.offset;
    if (!stored && !written(o, at)) continue;
    u64 k = xc_peek(at, bytes);
    h = xc_ite_slow(8 * bytes, points_to(plan.pointer, o), xc_shadow_get(at, bytes, k), h, 0, k, r);
  }
  return h;
}

static void store_alias(u64 p, u32 bytes, u32 h, u64 v) {
  struct xc_plan plan = XC_M->plan;
  struct xc_pointer *target = xc_pointer_at(p), *o;
  u32 i = 0, others = 0;
  if (target) make_own(plan.pointer, target);
  while (target && (o = other_object(plan.pointer, plan.offset + bytes, target, &i))) {
    u64 at = o->own + plan.offset, k = xc_peek(at, bytes);
    xc_shadow_set(at, bytes, xc_ite_slow(8 * bytes, points_to(plan.pointer, o), h, xc_shadow_get(at, bytes, k), 0, v, k), k);
    o->dirty = 1;
    others = 1;
  }
  if (target) {
    target->dirty = 1;
    XC_M->stored_run = XC->run;
  }
  if (others) {
    u64 k = xc_peek(p, bytes);
    h = xc_ite_slow(8 * bytes, points_to(plan.pointer, target), h, xc_shadow_get(p, bytes, k), 1, v, k);
  }
  xc_shadow_set(p, bytes, h, v);
}

/* How many low bits of a term are zero whatever the inputs. */
static u32 zero_bits(u32 h, u32 depth) {
  struct xc_node *node = &XC_NODES[h];
  u32 a, b;
  if (depth > 16) return 0;
  switch (node->op) {
    case XC_OP_LOAD:
      if (node->a) return zero_bits(node->a, depth + 1);
      return node->k ? (u32)__builtin_ctzll(node->k) : 64;
    case XC_OP_CONST: return node->k ? (u32)__builtin_ctzll(node->k) : 64;
    case XC_OP_ADD: case XC_OP_SUB: case XC_OP_OR: case XC_OP_XOR:
      a = zero_bits(node->a, depth + 1), b = zero_bits(node->b, depth + 1);
      return a < b ? a : b;
    case XC_OP_ITE:
      a = zero_bits(node->b, depth + 1), b = zero_bits(node->c, depth + 1);
      return a < b ? a : b;
    case XC_OP_MUL: return zero_bits(node->a, depth + 1) + zero_bits(node->b, depth + 1);
    case XC_OP_AND:
      a = zero_bits(node->a, depth + 1), b = zero_bits(node->b, depth + 1);
      return a > b ? a : b;
    case XC_OP_SHL: return XC_NODES[node->b].op == XC_OP_CONST ? zero_bits(node->a, depth + 1) + (u32)XC_NODES[node->b].k : 0;
    case XC_OP_ZEXT: case XC_OP_SEXT: return zero_bits(node->a, depth + 1);
    case XC_OP_VAR: return node->width == 64 && var_of(h)->own ? 4 : 0; /* own addresses are multiples of 16 */
    default: return 0;
  }
}

/* Whether all values of the address are whole elements from the object's start. */
static int is_aligned(const struct xc_plan *plan, u32 bytes) {
  u32 log = (u32)__builtin_ctz(bytes);
  if ((bytes & (bytes - 1)) || plan->base % bytes || zero_bits(plan->index, 0) < log) return 0;
  /* With other contents of memory it might not be. */
  if (XC_FOLLOWS && log) xc_follow_equal(xc_make(XC_OP_AND, 64, plan->index, xc_const(64, bytes - 1)));
  return 1;
}

static int same_table(u32 first, u64 base, u32 bytes, u32 count) {
  struct xc_aux *aux = (struct xc_aux *)(XC_SHARED + XC->aux_at) + first;
  for (u32 i = 0; i < count; i++) {
    u64 at = base + i * bytes, k = xc_peek(at, bytes);
    if (aux[1 + i].value != k || aux[1 + i].handle != xc_shadow_get(at, bytes, k)) return 0;
  }
  return 1;
}

/* The aux entries that list the elements of an object; those of an earlier load serve again if nothing changed. */
static u32 table_of(u64 base, u32 bytes, u32 count) {
  for (u32 i = 0; i < XC_TABLES && !XC_FOLLOWS; i++)
    if (XC_M->tables[i].run == XC->run && XC_M->tables[i].base == base && XC_M->tables[i].width == bytes && XC_M->tables[i].count == count &&
        same_table(XC_M->tables[i].first, base, bytes, count))
      return XC_M->tables[i].first;
  u32 first = XC->n_aux;
  if ((u64)first + count + 1 > XC->max_aux) xc_full();
  if (XC->full) return 0;
  XC->n_aux = first + count + 1;
  struct xc_aux *aux = (struct xc_aux *)(XC_SHARED + XC->aux_at) + first;
  u32 flags = 0;
  for (u32 i = 0; i < count; i++) {
    u64 at = base + i * bytes, k = xc_peek(at, bytes);
    aux[1 + i] = (struct xc_aux){xc_shadow_get(at, bytes, k), 0, k};
    flags |= XC_NODES[aux[1 + i].handle].flags;
  }
  aux[0] = (struct xc_aux){0, flags, base};
  u32 slot = XC_M->next_table++ % XC_TABLES;
  XC_M->tables[slot].run = XC->run;
  XC_M->tables[slot].first = first;
  XC_M->tables[slot].count = count;
  XC_M->tables[slot].width = bytes;
  XC_M->tables[slot].base = base;
  return first;
}

/* Whether it depends on the path alone if this element is initialised: what was stored through a symbolic address may or may not be there. */
static int is_settled(u32 h) { return !h || XC_NODES[h].op == XC_OP_CONST || XC_NODES[h].op == XC_OP_VAR || XC_NODES[h].op == XC_OP_UNDEF; }

/* Some elements are uninitialised and some are not: which kind this one is becomes a branch, so that both are tried. */
static void choose_initialised(const struct xc_plan *plan, u32 first, u32 bytes, u32 count) {
  const struct xc_aux *elements = (struct xc_aux *)(XC_SHARED + XC->aux_at) + first;
  if (!(elements->flags & XC_UNDEFINED)) return;
  u32 n = 0, at = XC->n_aux, width = 8 * bytes;
  for (u32 i = 1; i <= count; i++) {
    if (!is_settled(elements[i].handle)) return;
    n += xc_is(elements[i].handle, XC_UNDEFINED) != 0;
  }
  if (n == count) return;
  if ((u64)at + count + 1 > XC->max_aux) xc_full();
  if (XC->full) return;
  XC->n_aux = at + count + 1;
  struct xc_aux *known = (struct xc_aux *)(XC_SHARED + XC->aux_at) + at;
  known[0] = (struct xc_aux){0, 0, plan->base};
  for (u32 i = 1; i <= count; i++) known[i] = (struct xc_aux){0, 0, !xc_is(elements[i].handle, XC_UNDEFINED)};
  u64 here = known[1 + (XC_NODES[plan->index].k - plan->base) / bytes].value;
  u32 table = xc_node(XC_OP_TABLE, width, plan->index, at, count, here);
  xc_br_slow(xc_make(XC_OP_NE, width, table, xc_const(width, 0)), (u32)here, plan->site);
}

static u32 load_table(u32 bytes, u64 r) {
  struct xc_plan plan = XC_M->plan;
  if (is_aligned(&plan, bytes)) {
    u32 count = (u32)(plan.size / bytes), first = table_of(plan.base, bytes, count);
    if (XC->full) return 0;
    choose_initialised(&plan, first, bytes, count);
    return xc_node(XC_OP_TABLE, 8 * bytes, plan.index, first, count, r);
  }
  u32 count = (u32)plan.size, first = table_of(plan.base, 1, count), result = 0;
  if (XC->full) return 0;
  choose_initialised(&plan, first, 1, count);
  for (u32 i = 0; i < bytes; i++) {
    u32 at = i ? xc_make(XC_OP_ADD, 64, plan.index, address(i)) : plan.index;
    u32 byte = xc_node(XC_OP_TABLE, 8, at, first, count, r >> 8 * i);
    result = i ? xc_node(XC_OP_CONCAT, 8 * (i + 1), byte, result, 0, r) : byte;
  }
  return result;
}

static void store_table(u32 bytes, u32 h, u64 v) {
  struct xc_plan plan = XC_M->plan;
  u64 want = XC_NODES[plan.index].k;
  if (is_aligned(&plan, bytes)) {
    for (u64 at = plan.base; at + bytes <= plan.base + plan.size; at += bytes) {
      u64 k = xc_peek(at, bytes);
      u32 here = xc_make(XC_OP_EQ, 64, plan.index, address(at));
      xc_shadow_set(at, bytes, xc_ite_slow(8 * bytes, here, h, xc_shadow_get(at, bytes, k), at == want, v, k), at == want ? v : k);
    }
    return;
  }
  u32 part[8];
  for (u32 i = 0; i < bytes; i++) part[i] = h ? xc_node(XC_OP_EXTRACT, 8, h, 0, 8 * i, v >> 8 * i) : 0;
  for (u64 at = plan.base; at < plan.base + plan.size; at++) {
    u64 k = xc_peek(at, 1);
    u32 byte = xc_shadow_get(at, 1, k);
    for (u32 i = 0; i < bytes; i++) {
      u32 here = xc_make(XC_OP_EQ, 64, plan.index, address(at - i)), now = at - i == want;
      byte = xc_ite_slow(8, here, part[i], byte, now, v >> 8 * i & 0xff, k);
      if (now) k = v >> 8 * i & 0xff;
    }
    xc_shadow_set(at, 1, byte, k);
  }
}

XC_SLOW u32 xc_load_planned(u64 p, u32 bytes, u64 r) {
  if (XC_M->plan.kind == XC_PLAN_ALIAS) return load_alias(p, bytes, r);
  if (XC_M->plan.kind == XC_PLAN_TABLE) return load_table(bytes, r);
  return xc_shadow_get(p, bytes, r);
}

XC_SLOW void xc_store_planned(u64 p, u32 bytes, u32 h, u64 v) {
  if (XC_M->plan.kind == XC_PLAN_ALIAS) store_alias(p, bytes, h, v);
  else if (XC_M->plan.kind == XC_PLAN_TABLE) store_table(bytes, h, v);
  else xc_shadow_set(p, bytes, h, v);
}

/* A call through a symbolic pointer: which of the candidate functions it is becomes a chain of branches. */
XC_SLOW void xc_target_slow(u32 h, u64 v, u32 site) {
  u32 pointer;
  u64 offset;
  if (XC_UNLIKELY(xc_is(h, XC_UNDEFINED))) xc_fail_uninitialised(h, XC_ADDRESS);
  h = resolve(h, site + 1);
  if (!h || !xc_is_simple(h, &pointer, &offset)) return;
  check_null(pointer, site);
  struct xc_type *function = type_of(type_of(var_of(pointer)->type)->elem);
  if (!v || function->kind != XC_TY_FUNCTION) return;
  struct xc_field *candidates = (struct xc_field *)(XC_SHARED + XC->fields_at) + function->first;
  for (u32 i = 0; i + 1 < function->n; i++) {
    xc_br_slow(xc_make(XC_OP_EQ, 64, pointer, address(candidates[i].offset)), candidates[i].offset == v, site + 1);
    if (candidates[i].offset == v) return;
  }
}
