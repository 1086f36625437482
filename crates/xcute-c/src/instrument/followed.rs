//! Programs whose memory is followed: what lives in registers across decisions is put on the stack, and every access is recorded.
//!
//! At a decision the state of a program is memory, then, and nothing else: LLVM's `reg2mem` and [`spill`](super::slots::spill) take out of registers what lives longer.
//!
//! **Invariant.** What the runtime cannot record is announced before it happens, or right after it.

use super::llvm::Value;
use super::ours;
use super::slots::SLOT;
use super::walk::Walker;

/// Kinds of `enum xc_untold`.
const CONSTRUCT: u32 = 0;
const FOREIGN: u32 = 1;
const STACK: u32 = 4;

/// Functions of the runtime that do to memory what no event says.
pub(super) fn is_untold(name: &str) -> bool {
    let outside = ["__xcute_text", "__xcute_name", "__xcute_receive", "__xcute_fetch", "__xcute_print", "__xcute_say", "__xcute_lost"];
    matches!(name, "atexit" | "fork" | "strdup" | "strndup" | "malloc_usable_size" | "__xcute_alive")
        || outside.iter().any(|start| name.starts_with(start))
}

impl Walker<'_> {
    /// Says that what comes is so only for this address. The builder stands where the address is used.
    pub(super) fn follow_address(&self, pointer: Value) {
        let handle = self.one(pointer);
        if self.program.follow && !self.emit.is_zero(handle) {
            self.emit.hook("xch_follow_address", &[handle]);
        }
    }

    /// Tells the name of a local. Whether it is only a slot for a register, and no object.
    pub(super) fn followed_local(&mut self, i: Value) -> bool {
        let name = i.name();
        let slot = name.find(SLOT);
        let name = self.program.local(&name[..slot.unwrap_or(name.len())], &self.function.name());
        self.emit.after(i);
        let entry = self.function.blocks().first() == Some(&i.block());
        match i.operand(0).constant().filter(|_| entry) {
            Some(n) => {
                let (p, bytes) = (self.emit.word(i), self.emit.long(self.emit.layout.size(i.allocated()) * n));
                self.emit.hook("xch_follow_local", &[p, bytes, self.emit.int(name)]);
            }
            None => {
                self.emit.hook("xch_follow_untold", &[self.emit.int(STACK), self.emit.zero()]);
            }
        }
        slot.is_some()
    }

    /// Says, where the builder stands, that something happens that cannot be recorded.
    pub(super) fn untold(&mut self, what: &str) {
        if self.program.follow {
            let index = self.program.unsupported(what);
            self.emit.hook("xch_follow_untold", &[self.emit.int(CONSTRUCT), self.emit.int(index)]);
        }
    }

    /// The same before an instruction.
    pub(super) fn untold_construct(&mut self, i: Value, what: &str) {
        if self.program.follow {
            self.emit.before(i);
            self.untold(what);
        }
    }

    /// The same for a function that is not instrumented.
    pub(super) fn untold_call(&mut self, name: &str) {
        if self.program.follow {
            // What models ask of the runtime is the library's to the program.
            let asked = name.starts_with("__xcute_") && ours::is_model(&self.function.name());
            let index = self.program.foreign(if asked { "the C library" } else { name });
            self.emit.hook("xch_follow_untold", &[self.emit.int(FOREIGN), self.emit.int(index)]);
        }
    }

    /// The same for a function called through a pointer, unless it was `ours`.
    pub(super) fn untold_unless(&mut self, ours: Value) {
        if self.program.follow {
            let index = self.program.foreign("(a function called through a pointer)");
            self.emit.hook("xch_follow_called", &[ours, self.emit.int(index)]);
        }
    }
}
