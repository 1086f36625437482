/* Hooks: the inline fast paths that instrumented code calls. They are linked into the subject as bitcode and inlined, so a value that is
 * concrete costs a test; whatever is symbolic goes to the slow paths of memory.h.
 *
 * h is a handle, 0 for concrete; values come as 64 bits, zero extended. r is the native result.
 *
 * Invariant. No state of its own: a reset of the subject's data cannot hurt. */
#include "memory.h"
#include "threads.h"

#define HOOK __attribute__((always_inline))

HOOK u32 xch_bin(u32 code, u32 ha, u32 hb, u64 a, u64 b, u64 r) {
  if (XC_LIKELY(!(ha | hb))) return 0;
  return xc_bin_slow(code, ha, hb, a, b, r);
}

HOOK u32 xch_un(u32 code, u32 h, u64 r) {
  if (XC_LIKELY(!h)) return 0;
  return xc_un_slow(code, h, r);
}

HOOK u32 xch_fma(u32 code, u32 ha, u32 hb, u32 hc, u64 a, u64 b, u64 c, u64 r) {
  if (XC_LIKELY(!(ha | hb | hc))) return 0;
  return xc_fma_slow(code, ha, hb, hc, a, b, c, r);
}

HOOK u32 xch_cast(u32 op, u32 width, u32 h, u64 r) {
  if (XC_LIKELY(!h)) return 0;
  return xc_cast_slow(op, width, h, r);
}

HOOK u32 xch_ite(u32 width, u32 hc, u32 ht, u32 hf, u64 c, u64 t, u64 f) {
  if (XC_LIKELY(!hc)) return c ? ht : hf;
  return xc_ite_slow(width, hc, ht, hf, c, t, f);
}

HOOK u32 xch_gep(u32 hbase, u32 hindex, u64 base, u64 index, u64 scale) {
  if (XC_LIKELY(!(hbase | hindex))) return 0;
  return xc_gep_slow(hbase, hindex, base, index, scale);
}

HOOK u32 xch_wide(u32 code, u32 ha, u32 hb, u64 a, u64 a2, u64 b, u64 b2, u64 r) {
  if (XC_LIKELY(!(ha | hb))) return 0;
  u64 values[4] = {a, a2, b, b2};
  return xc_wide_slow(code, ha, hb, values, r);
}

HOOK u32 xch_wide_ite(u32 width, u32 hc, u32 ht, u32 hf, u64 c, u64 t, u64 t2, u64 f, u64 f2) {
  if (XC_LIKELY(!hc)) return c ? ht : hf;
  return xc_ite_slow(width, hc, xc_wide(ht, width, t, t2), xc_wide(hf, width, f, f2), c, t, f);
}

HOOK u32 xch_intrinsic(u32 code, u32 ha, u32 hb, u32 hc, u64 a, u64 b, u64 c, u64 r) {
  if (XC_LIKELY(!(ha | hb | hc))) return 0;
  u64 values[3] = {a, b, c};
  return xc_intrinsic_slow(code, ha, hb, hc, values, r);
}

HOOK u32 xch_concat(u32 hlow, u64 low, u32 lowbits, u32 hhigh, u64 high, u32 highbits) {
  if (XC_LIKELY(!(hlow | hhigh))) return 0;
  return xc_concat_slow(hlow, low, lowbits, hhigh, high, highbits);
}

HOOK u32 xch_extract(u32 width, u32 h, u32 low, u64 r) {
  if (XC_LIKELY(!h)) return 0;
  return xc_node(XC_OP_EXTRACT, width, h, 0, low, r);
}

/* Memory. Loads are told after the native load, stores before the native store. */
HOOK u32 xch_ld1(u64 p, u64 r) { return XC_LIKELY(!*XC_SHADOW_OF(p)) ? 0 : xc_load_slow(p, 1, r); }
HOOK u32 xch_ld2(u64 p, u64 r) { return XC_LIKELY(!*(u64 *)XC_SHADOW_OF(p)) ? 0 : xc_load_slow(p, 2, r); }
HOOK u32 xch_ld4(u64 p, u64 r) {
  u64 *s = (u64 *)XC_SHADOW_OF(p);
  return XC_LIKELY(!(s[0] | s[1])) ? 0 : xc_load_slow(p, 4, r);
}
HOOK u32 xch_ld8(u64 p, u64 r) {
  u64 *s = (u64 *)XC_SHADOW_OF(p);
  return XC_LIKELY(!(s[0] | s[1] | s[2] | s[3])) ? 0 : xc_load_slow(p, 8, r);
}
HOOK u32 xch_ldn(u64 p, u32 bytes, u64 r) { return xc_shadow_get(p, bytes, r); }
HOOK u32 xch_ldw(u64 p, u32 bytes, u32 width, u64 low, u64 high) { return xc_load_wide(p, bytes, width, low, high); }

HOOK void xch_st1(u64 p, u32 h) {
  if (XC_UNLIKELY(h | *XC_SHADOW_OF(p))) xc_store_slow(p, 1, h);
}
HOOK void xch_st2(u64 p, u32 h) {
  if (XC_UNLIKELY(h | *(u64 *)XC_SHADOW_OF(p))) xc_store_slow(p, 2, h);
}
HOOK void xch_st4(u64 p, u32 h) {
  u64 *s = (u64 *)XC_SHADOW_OF(p);
  if (XC_UNLIKELY(h | s[0] | s[1])) xc_store_slow(p, 4, h);
}
HOOK void xch_st8(u64 p, u32 h) {
  u64 *s = (u64 *)XC_SHADOW_OF(p);
  if (XC_UNLIKELY(h | s[0] | s[1] | s[2] | s[3])) xc_store_slow(p, 8, h);
}
HOOK void xch_stn(u64 p, u32 bytes, u32 h) { xc_shadow_set(p, bytes, h, 0); }
HOOK void xch_stw(u64 p, u32 bytes, u32 h, u32 width, u64 low, u64 high) { xc_store_wide(p, bytes, h, width, low, high); }

/* The same where the address may be symbolic: first xch_at, then the native load, then xch_ldp. */
HOOK void xch_at(u64 p, u32 hp, u64 base, u32 hbase, u32 bytes, u32 site, u32 write) {
  if (XC_LIKELY(!hp)) return;
  struct xc_access access = {p, base, hp, hbase, bytes, site, write};
  xc_plan_slow(&access);
}
HOOK u32 xch_ldp(u64 p, u32 bytes, u64 r) { return xc_load_planned(p, bytes, r); }
HOOK void xch_stp(u64 p, u32 bytes, u32 h, u64 v) { xc_store_planned(p, bytes, h, v); }
HOOK u32 xch_ldp1(u64 p, u32 hp, u64 r) { return XC_LIKELY(!hp) ? xch_ld1(p, r) : xc_load_planned(p, 1, r); }
HOOK u32 xch_ldp2(u64 p, u32 hp, u64 r) { return XC_LIKELY(!hp) ? xch_ld2(p, r) : xc_load_planned(p, 2, r); }
HOOK u32 xch_ldp4(u64 p, u32 hp, u64 r) { return XC_LIKELY(!hp) ? xch_ld4(p, r) : xc_load_planned(p, 4, r); }
HOOK u32 xch_ldp8(u64 p, u32 hp, u64 r) { return XC_LIKELY(!hp) ? xch_ld8(p, r) : xc_load_planned(p, 8, r); }
HOOK void xch_stp1(u64 p, u32 hp, u32 h, u64 v) { if (XC_LIKELY(!hp)) xch_st1(p, h); else xc_store_planned(p, 1, h, v); }
HOOK void xch_stp2(u64 p, u32 hp, u32 h, u64 v) { if (XC_LIKELY(!hp)) xch_st2(p, h); else xc_store_planned(p, 2, h, v); }
HOOK void xch_stp4(u64 p, u32 hp, u32 h, u64 v) { if (XC_LIKELY(!hp)) xch_st4(p, h); else xc_store_planned(p, 4, h, v); }
HOOK void xch_stp8(u64 p, u32 hp, u32 h, u64 v) { if (XC_LIKELY(!hp)) xch_st8(p, h); else xc_store_planned(p, 8, h, v); }

/* Loads and stores of what is not a scalar of ours (long double), and blocks. */
HOOK void xch_read(u64 at, u64 bytes) { xc_check(at, bytes, XC_READ); }
HOOK void xch_write(u64 at, u64 bytes) {
  xc_check(at, bytes, XC_WRITE);
  xc_shadow_clear(at, bytes);
}
HOOK void xch_copy(u64 to, u32 hto, u64 tobase, u32 htobase, u64 from, u32 hfrom, u64 frombase, u32 hfrombase, u64 bytes, u32 hbytes, u32 site) {
  struct xc_access a = {to, tobase, hto, htobase, (u32)bytes, site, 1}, b = {from, frombase, hfrom, hfrombase, (u32)bytes, site, 0};
  if (XC_LIKELY(!(hto | hfrom | hbytes))) xc_checked_copy(to, from, bytes);
  else xc_copy_slow(&a, &b, bytes, hbytes);
}
HOOK void xch_fill(u64 to, u32 hto, u64 tobase, u32 htobase, u64 byte, u32 hbyte, u64 bytes, u32 hbytes, u32 site) {
  struct xc_access a = {to, tobase, hto, htobase, (u32)bytes, site, 1};
  if (XC_LIKELY(!(hto | hbyte | hbytes))) xch_write(to, bytes);
  else xc_fill_slow(&a, hbyte, byte, bytes, hbytes);
}
HOOK void xch_block(u64 at, u32 hat, u64 base, u32 hbase, u64 bytes, u32 hbytes, u32 site, u32 write) {
  struct xc_access a = {at, base, hat, hbase, (u32)bytes, site, write};
  if (XC_LIKELY(!(hat | hbytes))) xc_check(at, bytes, write);
  else xc_block_slow(&a, bytes, hbytes);
}
HOOK void xch_text(u64 at, u32 hat, u64 base, u32 hbase, u64 most, u32 site) {
  struct xc_access a = {at, base, hat, hbase, 1, site, 0};
  xc_text(&a, most);
}
HOOK void xch_begin(u64 at, u64 bytes) { xc_blank(at, bytes); }

/* Threads: told before every access that may be to memory of several threads, and before xch_at. Around an atomic operation, op is an enum
 * xc_operation with its flags in the upper half, expected the value with which a compare-exchange succeeds; the accesses of its own instructions are
 * not told. */
HOOK void xch_access(u64 p, u32 bytes, u32 write) {
  if (XC_UNLIKELY(XC->concurrent)) xc_access_slow(p, bytes, write);
}
HOOK void xch_atomic_begin(u64 p, u32 bytes, u32 op, u64 expected) {
  if (XC_UNLIKELY(XC->concurrent)) xc_atomic_slow(p, bytes, op, expected);
}
HOOK void xch_atomic_end(void) {}
HOOK void xch_fence(u32 flags) {
  if (XC_UNLIKELY(XC->concurrent)) xc_fence_slow(flags);
}
/* What a compare-exchange is that expects this: with a symbolic value it depends on the input whether it writes. */
HOOK u32 xch_exchange(u32 expected, u32 op) { return expected ? (op & 0xffff0000u) | XC_DO_UPDATE : op; }
/* Atomic sections (section.c), and an assumption that may be a wait (assumed.c); xc_point is called where its condition begins. */
HOOK void xch_section_begin(void) { xc_section_begin(); }
HOOK void xch_section_end(void) { xc_section_end(); }
HOOK void xch_again(u32 holds) {
  if (XC_UNLIKELY(XC->concurrent && (!holds || XC_SELF->ahead))) xc_again(holds);
}
/* What code that is not instrumented does (outside.c): it is called next. */
HOOK void xch_outside_begin(u32 synchronises) {
  if (XC_UNLIKELY(XC->concurrent)) xc_outside_begin(synchronises);
}
HOOK void xch_outside_end(void) {
  if (XC_UNLIKELY(XC->concurrent)) xc_outside_end();
}
HOOK void xch_state(u32 object, u32 changes) {
  if (XC_UNLIKELY(XC->concurrent)) xc_outside_slow(XC_OUTSIDE + 8 * object, 8, changes);
}
HOOK void xch_given(u64 p, u32 how) {
  if (XC_UNLIKELY(XC->concurrent)) xc_given_slow(p, how);
}
HOOK void xch_descriptor(u32 descriptor, u32 direction) {
  if (XC_UNLIKELY(XC->concurrent)) xc_descriptor_slow(descriptor, direction);
}
HOOK void xch_exception(u64 p) {
  if (XC_UNLIKELY(XC->concurrent)) xc_exception_slow(p);
}
/* A loop that only waits: at its head, and where a round is over and another one begins. */
HOOK void xch_spin_begin(void) {
  if (XC_UNLIKELY(XC->concurrent)) xc_spin_begin();
}
HOOK void xch_spin_end(void) {
  if (XC_UNLIKELY(XC->concurrent)) xc_spin_end();
}
/* The thread's own copy of a thread-local variable. The first thread has those that are there. */
HOOK u64 xch_thread_local(u64 p) { return XC_LIKELY(!XC_SELF || !XC_SELF->task) ? p : xc_thread_local(p); }

/* An allocator is called next, with `a` elements of `b` bytes. If both are symbolic, the second is one number. */
HOOK void xch_size(u32 ha, u64 a, u32 hb, u64 b, u32 site) {
  if (XC_UNLIKELY(ha | hb)) xc_size_slow(ha, a, hb, b, site);
}
HOOK void xch_bound(u32 hp, u32 hbytes) {
  if (hbytes) xc_bound_slow(hp, hbytes);
}
HOOK void xch_choose(u32 h, u32 site) {
  if (XC_UNLIKELY(h)) xc_choose(site, h, 0);
}

/* Locals that have an address. */
HOOK u64 xch_frame(void) { return XC_P->n_stack; }
HOOK void xch_unframe(u64 n) {
  if (XC_P->n_stack > n) xc_leave(n);
}
HOOK void xch_local(u64 p, u64 size, u32 name, u32 left) { xc_local(p, size, name, left); }
/* The stack pointer went back to sp: variable-length arrays below it are gone. */
HOOK void xch_unwind(u64 sp) {
  u64 n = XC_P->n_stack;
  while (n && XC_STACK_OBJECTS[n - 1].base < sp) n--;
  xch_unframe(n);
}
/* Foreign code is called next: it uses the stack below the stack pointer, and may pass pointers to it to callbacks. */
HOOK void xch_leaving(void) {
  u64 sp;
  __asm__ volatile("mov %%rsp, %0" : "=r"(sp));
  if (XC_UNLIKELY(XC_P->stack_low < sp)) xc_foreign_stack(sp);
}

/* Control. */
HOOK void xch_br(u32 h, u32 c, u32 site) {
  if (XC_UNLIKELY(h)) xc_br_slow(h, c, site);
}
HOOK void xch_sw(u32 h, u64 v, u32 site) {
  if (XC_UNLIKELY(h)) xc_sw_slow(h, v, site);
}
HOOK void xch_cover(u32 at) { ((volatile u8 *)XC_COVERAGE)[at] = 1; }
/* Also where all is concrete: the optimiser may take a division that must trap for one that cannot happen. */
HOOK void xch_div(u32 code, u32 ha, u32 hb, u64 a, u64 b, u32 site) {
  u32 width = XC_CODE_WIDTH(code), trapping = (XC_CODE_OP(code) == XC_OP_SDIV || XC_CODE_OP(code) == XC_OP_SREM) && width >= 32;
  u32 fails = !b || (trapping && b == XC_MASK(width) && a == 1ull << (width - 1));
  if (XC_UNLIKELY(ha | hb | fails)) xc_div_slow(code, ha, hb, a, b, site);
}
HOOK void xch_assume(u32 h, u32 c, u32 site) {
  if (XC_UNLIKELY(h)) xc_holds_slow(XC_EV_ASSUME, h, c, site);
}
HOOK void xch_assert(u32 h, u32 c, u32 site) {
  if (XC_UNLIKELY(h)) xc_holds_slow(XC_EV_CHECK, h, c, site);
}
HOOK void xch_pin(u32 h, u32 site) {
  if (XC_UNLIKELY(h)) xc_pin(site, h);
}
HOOK void xch_target(u32 h, u64 v, u32 site) {
  if (XC_UNLIKELY(h)) xc_target_slow(h, v, site);
}
HOOK void xch_goto(u32 h, u64 v, u32 site, u64 labels, u32 n) {
  if (XC_UNLIKELY(h)) xc_goto_slow(h, v, site, (const u64 *)labels, n);
}
/* The value that longjmp hands over, and what setjmp gives. */
HOOK void xch_jump(u32 h) { XC_P->jump = h; }
HOOK u32 xch_landing(u64 r) { return XC_LIKELY(!XC_P->jump) ? 0 : xc_landing_slow(r); }
HOOK void xch_fuel(void) {
  if (XC_UNLIKELY(--XC->fuel < 0)) xc_out_of_fuel();
}
/* Something may come from outside. */
HOOK void xch_outside(void) { XC_P->outside = 1; }
/* A loop that nothing leaves. */
HOOK void xch_endless(void) { XC_P->endless = 1; }
HOOK void xch_reject(void) { __xcute_assume(0); }

/* Calls: rt.h has the protocol. */
HOOK void xch_arg(u32 i, u32 h) { XC->args[i] = h; }
HOOK void xch_call(u64 callee) { XC->tag = callee; }
HOOK u32 xch_enter(u64 self) {
  u32 ours = XC->tag == self;
  XC->tag = 0;
  return ours;
}
HOOK u32 xch_param(u32 ours, u32 i) { return ours ? XC->args[i] : 0; }
HOOK void xch_ret(u32 i, u32 h) {
  if (i) XC_P->rets[i - 1] = h;
  else XC->ret = h;
}
HOOK void xch_returned(u64 self) { XC_P->returned = self; }
HOOK u32 xch_returned_by(u64 callee) { return XC_P->returned == callee; }
HOOK u32 xch_result(u32 ours, u32 i) { return !ours ? 0 : i ? XC_P->rets[i - 1] : XC->ret; }
HOOK void xch_byval_arg(u32 i, u64 from) { XC_P->byval[i] = from; }
HOOK void xch_byval_param(u32 ours, u32 i, u64 at, u64 size) {
  if (ours) xc_shadow_copy(at, XC_P->byval[i], size);
  else xc_shadow_clear(at, size);
}
HOOK void xch_foreign(u32 h, u32 index) {
  if (XC_UNLIKELY(h)) xc_value_seen(XC_EV_FOREIGN, h, index);
}
/* Before memory is shared: by mmap, if it is that of a file and can be written, now or after mprotect; or in any case. */
HOOK void xch_maps(u64 access, u64 flags, u32 index) {
  if (XC_UNLIKELY((flags & 0x21) == 1)) { /* MAP_SHARED, not MAP_ANONYMOUS */
    XC_P->mapped = XC->run;
    if (access & 2) xc_unsupported(index); /* PROT_WRITE */
  }
}
HOOK void xch_opens(u64 access, u32 index) {
  if (access & 2 && XC_P->mapped == XC->run) xc_unsupported(index);
}
HOOK void xch_forks(u32 index) { XC_P->forks = index; }
HOOK void xch_shares(u32 index) { xc_unsupported(index); }
/* Before a function that changes the process for good: another process takes the next run. */
HOOK void xch_lasting(void) { XC_P->lasting = 1; }
/* Code that may look at files is called: it sees the disk's. */
HOOK void xch_foreign_files(u32 index) {
  if (XC_UNLIKELY(XC_P->touched == XC->run)) xc_seen(XC_EV_FOREIGN, index);
}
/* 1 for the standard streams, to which things go for good. */
HOOK u32 xch_standard(u64 stream) { return stream == XC_P->standard[0] || stream == XC_P->standard[1]; }
/* Before foreign code: whether the callee is the program's own, and what it can come to if not (reach.c). */
HOOK u32 xch_is_ours(u64 callee) {
  return XC_LIKELY(callee < XC_SHARED && !(callee & 15)) ? (u32)(XC_OURS[callee >> 10] >> (callee >> 4 & 63) & 1) : 0;
}
HOOK void xch_reach(u32 ours, u64 p, u32 index, u32 how) {
  if (XC_UNLIKELY(!ours)) xc_reach(p, index, how);
}
HOOK void xch_reach_back(u32 ours, u32 index, u32 how) {
  if (XC_UNLIKELY(!ours)) xc_reach_back(index, how);
}
/* What comes next is not a step, though other threads may see it, unless it is the program's own. */
HOOK void xch_unseen(u32 ours, u32 index) {
  if (XC_UNLIKELY(XC->concurrent) && !ours) xc_unsupported(index);
}
/* Around foreign code that may call back; and in functions that it may call. */
HOOK void xch_inside(u32 ours, u32 inside) {
  if (XC_UNLIKELY(!ours)) XC_P->inside = inside;
}
HOOK u32 xch_called(void) {
  u32 inside = XC_P->inside;
  if (XC_UNLIKELY(inside)) XC_P->inside = 0;
  return inside;
}
HOOK void xch_gives_back(u32 inside, u32 h) {
  if (XC_UNLIKELY(inside && h)) xc_value_seen(XC_EV_FOREIGN, h, inside - 1);
}
HOOK void xch_goes_back(u32 inside) {
  if (XC_UNLIKELY(inside)) xc_reach_returned(inside);
}
HOOK void xch_linked_pointer(u64 p) { xc_linked_pointer(p); }
HOOK void xch_lost(u32 h, u32 index) {
  if (XC_UNLIKELY(h)) xc_value_seen(XC_EV_UNSUPPORTED, h, index);
}
HOOK void xch_va_arg(u32 i, u32 h, u32 kind, u64 size, u64 from) {
  struct xc_va va = {h, kind, size, from};
  XC_P->va[i] = va;
}
HOOK void xch_va_count(u64 n) { XC_P->n_va = n; }
/* buffer: a u64 count, then XC_VAS entries. */
HOOK void xch_va_save(u32 ours, u64 *buffer) {
  u64 n = ours ? XC_P->n_va : 0;
  buffer[0] = n;
  if (n) __builtin_memcpy(buffer + 1, XC_P->va, sizeof XC_P->va);
  XC_P->n_va = 0;
}
HOOK void xch_va_start(u64 list, u64 *buffer) {
  xc_shadow_clear(list, 24);
  xc_va_start(list, (struct xc_va *)(buffer + 1), buffer[0]);
}
HOOK void xch_move(u64 to, u64 from, u64 bytes) { xc_shadow_copy(to, from, bytes); }
HOOK void xch_unreachable(void) { __builtin_trap(); }

#include "hooks_follow.h"
