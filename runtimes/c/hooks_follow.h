/* Hooks of programs whose memory is followed (follow.c): in the place of those of hooks.c that cost nothing where all is concrete. */

HOOK u32 xch_follow_ld(u64 p, u32 bytes, u32 hp, u64 r) { return xc_followed_load(p, bytes, hp, r); }
HOOK void xch_follow_st(u64 p, u32 bytes, u32 h, u64 v) { xc_followed_store(p, bytes, h, v); }
HOOK u32 xch_follow_ldp(u64 p, u32 bytes, u32 hp, u64 r) { return hp ? xc_followed_load_planned(p, bytes, r) : xc_followed_load(p, bytes, 0, r); }
HOOK void xch_follow_stp(u64 p, u32 bytes, u32 hp, u32 h, u64 v) {
  if (hp) xc_store_planned(p, bytes, h, v);
  else xc_followed_store(p, bytes, h, v);
}
/* An address that no input can change. */
HOOK void xch_follow_address(u32 h) {
  if (h) xc_follow_address(h);
}
HOOK void xch_follow_fill(u64 to, u32 hto, u64 tobase, u32 htobase, u64 byte, u32 hbyte, u64 bytes, u32 hbytes, u32 site) {
  struct xc_access a = {to, tobase, hto, htobase, (u32)bytes, site, 1};
  xc_fill_slow(&a, hbyte, byte, bytes, hbytes);
}
HOOK void xch_follow_byval(u32 ours, u32 i, u64 at, u64 size) {
  if (ours) xc_follow_byval(at, XC_P->byval[i], size);
  else xc_follow_untold(XC_UNTOLD_VARIADIC, 0);
}
/* Frames: a function begins; it goes on after a call, a jump or an exception. */
HOOK void xch_follow_enter(u64 self) { xc_follow_enter((u64)__builtin_frame_address(0), (u64)__builtin_return_address(0), self); }
HOOK void xch_follow_frame(void) { xc_follow_frame((u64)__builtin_frame_address(0)); }
/* The function is over. */
HOOK void xch_follow_leave(void) { xc_follow_frame((u64)__builtin_frame_address(0) + 1); }
HOOK void xch_follow_called(u32 ours, u32 index) {
  if (!ours) xc_follow_untold(XC_UNTOLD_FOREIGN, index);
}
HOOK void xch_follow_local(u64 p, u64 size, u32 name) { xc_follow_local(p, size, name); }
HOOK void xch_follow_untold(u32 what, u32 index) { xc_follow_untold(what, index); }
