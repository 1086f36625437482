/* Return addresses: the frames of a failure, where memory comes from, where threads stand.
 *
 * The subject and the runtime have frame pointers, libraries have none: between two frames of the subject there may be some that nobody sees.
 *
 * Invariant. Nothing is read outside of the stack that we are on. */
#include "rt.h"

extern const char __executable_start[], etext[];

int xc_in_text(u64 pc) { return pc >= (u64)__executable_start && pc < (u64)etext; }
static int on_stack(u64 at) { return at >= XC_P->stack_from && at + 16 <= XC_P->stack_to && (at & 7) == 0; }

static void add_frame(u64 pc) {
  if (XC->n_frames < XC_FRAMES) XC->frames[XC->n_frames++] = pc;
}

void xc_frame(u64 pc) {
  if (xc_in_text(pc)) add_frame(pc);
}

void xc_walk(u64 frame) {
  while (on_stack(frame) && XC->n_frames < XC_FRAMES) {
    u64 next = ((u64 *)frame)[0], pc = ((u64 *)frame)[1];
    if (xc_in_text(pc)) add_frame(pc);
    if (next <= frame) break;
    frame = next;
  }
}

u32 xc_frames(u32 *to, u32 most, u64 frame) {
  u32 n = 0;
  while (n < most && on_stack(frame)) {
    u64 next = ((u64 *)frame)[0], pc = ((u64 *)frame)[1];
    if (xc_in_text(pc)) to[n++] = (u32)pc;
    if (next <= frame) break;
    frame = next;
  }
  return n;
}

void xc_origin_of(u32 *origin, u64 frame) {
  u32 n = xc_frames(origin, XC_ORIGIN, frame);
  if (n < XC_ORIGIN) origin[n] = 0;
}

/* Whether the bytes before pc are a call instruction: direct, or through a register or memory. */
static int after_call(u64 pc) {
  if (!xc_in_text(pc - 7) || !xc_in_text(pc)) return 0;
  const u8 *p = (const u8 *)pc;
  if (p[-5] == 0xe8) return 1;
  for (int n = 2; n <= 7; n++) {
    if (p[-n] == 0xff && (p[1 - n] & 0x38) == 0x10) return 1;
  }
  return 0;
}

/* Foreign code has no frame pointers: the first return address into the subject on the stack is its caller, from there on the chain holds. */
void xc_walk_foreign(u64 sp, u64 frame) {
  sp = (sp + 7) & ~7ull;
  for (int i = 0; i < 4096 && on_stack(sp); i++, sp += 8) {
    if (after_call(*(u64 *)sp)) {
      add_frame(*(u64 *)sp);
      break;
    }
  }
  while (on_stack(frame) && frame < sp) {
    u64 next = *(u64 *)frame;
    if (next <= frame) return;
    frame = next;
  }
  xc_walk(frame);
}

/* Libraries call back and are called: the caller of a function of ours may be one. */
void xc_place(u32 *place, u64 frame) {
  u32 n = 0;
  if (on_stack(frame) && !xc_in_text(((u64 *)frame)[1])) {
    for (u64 at = frame + 16; at < frame + 4096 && on_stack(at) && !n; at += 8)
      if (after_call(*(u64 *)at)) place[n++] = (u32)*(u64 *)at;
  }
  n += xc_frames(place + n, XC_STEP_FRAMES - n, frame);
  if (n < XC_STEP_FRAMES) place[n] = 0;
}
