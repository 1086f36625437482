/* Memory that code which is not instrumented can come to: what it is given, what it finds there, and what it remembers.
 *
 * A foreign function looks at what its arguments point to. Unless it is known to do no more (library.rs of the instrumenter has the list), it follows
 * the pointers that it finds, keeps all it has seen for later calls, and looks at what earlier calls kept and at the program's variables that other
 * objects can name. If a byte that it can come to is symbolic, the run says so: what the function does with it is not followed. Where it may write,
 * memory is initialised afterwards; a symbolic byte that it overwrites is noticed by the next load (memory.c).
 *
 * Conservative as leaks.c is: every aligned word that holds an address within an object leads there. Memory that is not an object of ours (thread-local
 * variables, mappings) counts as far as it has shadow.
 *
 * Invariant. A run looks at no more words than XC_REACH_WORDS and a few for each of its steps; beyond that it says that it did not look, and takes all
 * memory for initialised. */
#include "memory.h"
#include "threads.h"

enum { PAGE = 1024 /* bytes that a bit of XC_DIRTY_BITS stands for */, WORDS_PER_STEP = 8 };

/* A part of memory that was seen in this run, by where it begins. */
struct part { u64 base, end; u32 run, seen; /* the call that came here last */ u32 kept; u32 pad; };
#define PARTS ((struct part *)0x80800000ull)   /* MOST_PARTS, by hash */
#define KEPT ((u32 *)0x80400000ull)            /* the n_kept of them that foreign code may remember */
#define WORK ((struct part **)0x80600000ull)   /* those that are still to be looked into */
enum { MOST_PARTS = 1 << 18, MOST_SEEN = MOST_PARTS / 4 * 3 };

static struct xc_reaching *state(u32 how) {
  struct xc_reaching *r = &XC_M->reaching;
  if (r->run != XC->run) *r = (struct xc_reaching){.run = XC->run};
  r->call += (how & XC_REACH_FIRST) != 0;
  return r;
}

static int lost(struct xc_reaching *r) {
  if (!r->lost) xc_event(XC_EV_UNSUPPORTED, XC_LOST_REACH, 0, 0, 0);
  return r->lost = 1;
}

/* Whether this many words may still be looked at. */
static int pay(struct xc_reaching *r, u64 words) {
  r->words += words;
  u64 most = XC_REACH_WORDS + WORDS_PER_STEP * (u64)(XC->fuel_limit - XC->fuel);
  return XC_LIKELY(r->words <= most) || !lost(r);
}

static struct part *part_of(struct xc_reaching *r, u64 base) {
  u64 slot = (base * 0x9e3779b97f4a7c15ull) >> (64 - 18);
  while (PARTS[slot].run == XC->run && PARTS[slot].base != base) slot = (slot + 1) % MOST_PARTS;
  struct part *part = &PARTS[slot];
  if (part->run == XC->run) return part;
  if (r->n_parts++ >= MOST_SEEN) return lost(r), (struct part *)0;
  *part = (struct part){.base = base, .run = XC->run};
  return part;
}

/* What contains an address: an object that lives, or memory around it that has shadow. */
static int extent(u64 p, u64 *base, u64 *end) {
  struct xc_object object;
  if (xc_object_of(p, &object)) {
    *base = object.base, *end = object.base + object.size;
    return object.kind != XC_OBJ_INPUT || xc_pointer_at(p)->live == XC->run;
  }
  int ours = (p >= XC_SHARED && p < XC_HEAP_END) || xc_in_heap(p) || (p >= XC_STACK && p < XC_TLS_BLOCKS) || p >> 47;
  if (ours || !xc_dirty(p, 1)) return 0;
  *base = p & -(u64)PAGE, *end = *base + PAGE;
  while (xc_dirty(*base - PAGE, 1)) *base -= PAGE;
  while (xc_dirty(*end, 1)) *end += PAGE;
  return 1;
}

/* Whether something here is symbolic. If it may have been written, it is initialised. */
static int look(u64 at, u64 end, u32 how) {
  int symbolic = 0;
  for (u64 next; at < end; at = next) {
    next = (at & -(u64)PAGE) + PAGE;
    if (next > end) next = end;
    if (!xc_dirty(at, 1)) continue;
    for (u32 *shadow = XC_SHADOW_OF(at), *last = shadow + (next - at); shadow < last; shadow++) {
      if (!*shadow) continue;
      if (*shadow < XC_BLANK && xc_is(*shadow >> 3, XC_SYMBOLIC)) symbolic = 1;
      else if (!(how & XC_REACH_WRITES)) continue;
      else if (*shadow == (XC_POISON | XC_POISON_SIZE_BLANK)) *shadow = XC_POISON | XC_POISON_SIZE;
      else if (*shadow < XC_POISON) *shadow = 0;
    }
  }
  return symbolic;
}

/* A part is to be looked into, unless this call has come there before. */
static void enter_part(struct xc_reaching *r, u64 base, u64 end, u32 how) {
  struct part *part = part_of(r, base);
  if (!part || (part->seen == r->call && part->end == end)) return;
  part->seen = r->call;
  part->end = end;
  if (how & XC_REACH_KEEPS && !part->kept) {
    part->kept = 1;
    KEPT[r->n_kept++] = (u32)(part - PARTS);
  }
  WORK[r->n_work++] = part;
}

/* Whether this is a FILE that models made: what is in the stream is not there. */
static int is_stream(u64 p) { return XC_UNLIKELY(XC_P->n_streams) && xc_is_stream(p); }

static void enter(struct xc_reaching *r, u64 p, u32 how) {
  u64 base, end;
  if (p < PAGE) return;
  r->streams |= (u32)is_stream(p);
  if (extent(p, &base, &end)) enter_part(r, base, end, how);
}

/* Looks into all parts that were entered; whether something there is symbolic. */
static int closed(struct xc_reaching *r, u32 how) {
  int symbolic = 0;
  while (r->n_work) {
    const struct part *part = WORK[--r->n_work];
    u64 at = (part->base + 7) & ~7ull;
    if (!pay(r, 1 + (part->end - part->base) / 8)) return r->n_work = 0, 1;
    symbolic |= look(part->base, part->end, how);
    for (; at + 8 <= part->end; at += 8) enter(r, *(const u64 *)at, how);
  }
  symbolic |= (int)r->streams;
  r->streams = 0;
  return symbolic;
}

static void say(u32 index, u32 how) { xc_seen(how & XC_REACH_CONSTRUCT ? XC_EV_UNSUPPORTED : XC_EV_FOREIGN, index); }

XC_SLOW void xc_reach(u64 p, u32 index, u32 how) {
  u64 base, end;
  struct xc_reaching *r = state(how);
  if (XC_UNLIKELY(r->lost)) return;
  if (how & XC_REACH_DEEP) {
    enter(r, p, how);
    if (closed(r, how)) say(index, how);
  } else {
    int symbolic = is_stream(p);
    if (extent(p, &base, &end)) {
      if (how & XC_REACH_WRITES) look(base, p, how);
      symbolic |= pay(r, (end - p) / 8) && look(p, end, how);
    }
    if (symbolic) say(index, how);
  }
}

/* What lies between the program's own variables. */
static void enter_between(struct xc_reaching *r, u64 from, u64 to, u32 how) {
  for (u64 i = 0; i <= XC_P->n_globals && from < to; i++) {
    const struct xc_named *next = &XC_SORTED_GLOBALS[i];
    u64 end = i < XC_P->n_globals && next->base < to ? next->base : to;
    if (from < end) enter_part(r, from, end, how);
    if (i < XC_P->n_globals && next->base + next->size > from) from = next->base + next->size;
  }
}

/* What foreign code knows by name: variables of libraries that the program uses; and if there are objects that may know the program, its variables and
 * their own. */
static void enter_named(struct xc_reaching *r, u32 how) {
  u64 from, to;
  for (u64 i = 0; i < XC_P->n_globals && XC_P->exported; i++)
    if (XC_SORTED_GLOBALS[i].name & XC_EXPORTED) enter(r, XC_SORTED_GLOBALS[i].base, how);
  for (u32 i = 0; xc_linked && xc_root(i, &from, &to); i++) {
    if (from >= XC_TLS_BLOCKS_END) enter_part(r, from, to, how);
    if (from < XC_SHARED) enter_between(r, from, to, how);
  }
}

XC_SLOW void xc_reach_back(u32 index, u32 how) {
  struct xc_reaching *r = state(how);
  if (XC_UNLIKELY(r->lost)) return;
  for (u32 i = 0, n = r->n_kept; i < n; i++) enter(r, PARTS[KEPT[i]].base, how);
  enter_named(r, how);
  if (closed(r, how)) say(index, how);
}

/* An instrumented function that foreign code called returns to it: what it left in memory is looked at there. */
XC_SLOW void xc_reach_returned(u32 inside) {
  XC_P->inside = inside;
  xc_reach_back(inside - 1, XC_REACH_FIRST | XC_REACH_DEEP | XC_REACH_WRITES | XC_REACH_KEEPS);
}

/* Foreign code links objects to each other and looks at nothing else in them: one pointer leads to the next. */
void xc_linked_pointer(u64 p) {
  struct xc_object object, next;
  if (!p || !XC_M->n_dirty || !xc_object_of(p, &object)) return;
  u64 end = object.base + (object.size < 4096 ? object.size : 4096);
  for (u64 at = (object.base + 7) & ~7ull; at + 8 <= end; at += 8)
    if (xc_object_of(*(const u64 *)at, &next)) look(next.base, next.base + next.size, XC_REACH_WRITES);
  look(object.base, object.base + object.size, XC_REACH_WRITES);
}
