/* Runs that have used up their steps: where their loop is, and whether they come back to a state that they were in.
 *
 * A state is all that decides what the program does next: registers, stack, variables, heap, and the objects of inputs. If one comes back, and nothing came from
 * outside in between, the run never ends. The state to compare with is taken again after 1, 2, 4, ... steps, as in Brent's search for cycles [brent-1980], so a cycle
 * is found in a number of steps in proportion to its length. What the loop allocates is not compared: a state that is the same holds no pointer to it.
 *
 * A loop that nothing leaves, by the text of the program (flow.rs of the instrumenter), needs no such proof.
 *
 * Invariant. While a run is watched nothing is recorded, and inputs that it has not asked for before are zero. What is said to come back was compared byte by byte. */
#include <sys/mman.h>
#include "memory.h"

/* The steps after the last one that are watched: as many as it takes to see where the loop is, and the rest for states that come back late. */
enum { FURTHER = 20000, WATCHED = 200000 };
/* Room for a state, and how many bytes are copied and compared for a run. */
enum { ROOM = 32 << 20, COMPARED = 256 << 20 };

struct part { u64 from, bytes; };

static u64 room(void) {
  if (!XC_M->last.room) {
    void *at = mmap(0, ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    XC_M->last.room = at == MAP_FAILED ? 0 : (u64)at;
  }
  return XC_M->last.room;
}

/* Adds memory to the state that is kept; `used` bytes of the room are taken. 0: it does not fit. */
static u64 keep(u64 used, u64 from, u64 to) {
  u64 bytes = to - from;
  if (!used || bytes > ROOM - sizeof(struct part) || used > ROOM - sizeof(struct part) - bytes) return 0;
  struct part *part = (struct part *)(XC_M->last.room + used);
  *part = (struct part){from, bytes};
  xc_copy(part + 1, (const void *)from, bytes);
  return used + ((sizeof *part + bytes + 7) & ~7ull);
}

/* Keeps the state of now. */
static void take(struct xc_last *last, u64 sp, u64 pc) {
  u64 used = room() ? 8 : 0, from, to;
  used = keep(used, sp, XC_P->stack_to);
  for (u32 i = 0; xc_root(i, &from, &to); i++) used = keep(used, from, to);
  used = keep(used, XC_HEAP, XC_P->heap.top);
  used = keep(used, (u64)XC_HEAP_OBJECTS, (u64)(XC_HEAP_OBJECTS + XC_P->heap.n));
  used = keep(used, XC_INPUTS, XC_P->next_own);
  last->used = used;
  last->compared += used;
  last->sp = sp;
  last->at = pc;
  last->next_own = XC_P->next_own;
  last->differs = 0;
  XC_P->outside = 0;
}

/* The first byte in which two pieces of memory differ; `bytes` if there is none. */
static u64 difference(const u8 *a, const u8 *b, u64 bytes) {
  u64 i = 0;
  while (i + 8 <= bytes && *(const u64 *)(a + i) == *(const u64 *)(b + i)) i += 8;
  while (i < bytes && a[i] == b[i]) i++;
  return i;
}

/* Whether the state of now is the one that was kept. */
static int is_back(struct xc_last *last, u64 sp, u64 pc) {
  if (pc != last->at || sp != last->sp || !last->used || XC_P->next_own != last->next_own) return 0;
  /* What differed the last time differs most often. */
  if (last->differs && *(const u8 *)last->differs != *(const u8 *)last->kept) return 0;
  for (u64 used = 8; used < last->used;) {
    const struct part *part = (const struct part *)(last->room + used);
    u64 at = difference((const u8 *)part->from, (const u8 *)(part + 1), part->bytes);
    last->compared += at;
    if (at < part->bytes) {
      last->differs = part->from + at;
      last->kept = (u64)(part + 1) + at;
      return 0;
    }
    used += (sizeof *part + part->bytes + 7) & ~7ull;
  }
  return 1;
}

/* One step of a run that is watched. */
static void watch(struct xc_last *last, u64 sp, u64 pc) {
  int shared = XC_P->n_children || XC_P->is_child || XC_P->mapped == XC->run;
  if (last->back || shared || last->compared > COMPARED) return;
  if (XC_P->outside || last->steps >= last->power) {
    if (!XC_P->outside) last->power *= 2;
    last->steps = 0;
    take(last, sp, pc);
    return;
  }
  last->steps++;
  last->back = (u32)is_back(last, sp, pc);
}

/* A run that does not end is somewhere in a loop when its steps are used up, and elsewhere with other inputs. The loop itself is where it is again and again with
 * the fewest calls. Of several loops in one function it is the last one. */
static void note_place(struct xc_last *last, u64 frame) {
  u64 above = ((u64 *)frame)[0], pc = ((u64 *)frame)[1];
  if (above < last->frame || (above == last->frame && pc <= last->pc)) return;
  last->frame = above;
  last->pc = pc;
  XC->n_frames = 0;
  xc_walk(frame);
  last->n = XC->n_frames;
  xc_copy(last->frames, XC->frames, sizeof last->frames);
}

/* `saved` is where the registers are that the caller relies on, right below its frame. */
__attribute__((used)) void xc_watch_on(u64 saved, u64 frame) {
  struct xc_last *last = &XC_M->last;
  if (xc_ring_alarm && xc_ring_alarm()) {
    XC->fuel = XC->fuel_limit;
    return;
  }
  if (XC->threads_at) xc_end(XC_OUT_OF_FUEL);
  if (last->run != XC->run) {
    *last = (struct xc_last){.run = XC->run, .full = XC->full, .power = 1, .room = last->room};
    XC->full = XC_P->outside = 1;
  }
  if (last->on < FURTHER) note_place(last, frame);
  if (!XC_FOLLOWS) watch(last, saved, ((u64 *)frame)[1]); /* the ordinary run was watched */
  last->back |= XC_P->endless;
  if (++last->on < (XC_FOLLOWS || last->back ? FURTHER : WATCHED)) return;
  XC->full = last->full;
  XC->open_end = !last->back;
  XC->n_frames = last->n;
  xc_copy(XC->frames, last->frames, sizeof last->frames);
  xc_end_there(XC_OUT_OF_FUEL);
}

/* Registers that a caller relies on are part of the state, so they go to the stack before any code of ours uses them. */
__asm__(".text\n"
        ".globl xc_out_of_fuel\n"
        ".type xc_out_of_fuel, @function\n"
        "xc_out_of_fuel:\n"
        "  push %rbp\n"
        "  mov %rsp, %rbp\n"
        "  push %rbx\n"
        "  push %r12\n"
        "  push %r13\n"
        "  push %r14\n"
        "  push %r15\n"
        "  push $0\n"
        "  mov %rsp, %rdi\n"
        "  mov %rbp, %rsi\n"
        "  call xc_watch_on\n"
        "  add $8, %rsp\n"
        "  pop %r15\n"
        "  pop %r14\n"
        "  pop %r13\n"
        "  pop %r12\n"
        "  pop %rbx\n"
        "  pop %rbp\n"
        "  ret\n"
        ".size xc_out_of_fuel, . - xc_out_of_fuel\n");
