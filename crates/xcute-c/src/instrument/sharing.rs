//! Calls that let others see the program's memory, or run beside it, where the runtime does not notice.
//!
//! What is stored in a file's mapping can be read from the file; what is in shared memory, by other processes. A process made by `clone` or by a system
//! call of its own is not the runtime's.
//!
//! **Invariant.** The run says so before the call.

use super::llvm::Value;
use super::walk::{Walker, placed};

/// The system calls that make processes: `fork`, `vfork`, `clone`, `clone3`.
const MAKING: [u64; 4] = [57, 58, 56, 435];

impl Walker<'_> {
    /// Says that memory will be shared, or that somebody else will run, if this call does that.
    pub(super) fn shares(&mut self, i: Value, name: &str, arguments: &[Value]) {
        let what = match (name, arguments) {
            ("mmap" | "mmap64", [_, _, access, flags, ..]) => {
                let index = self.program.unsupported(&placed(i, "memory that is shared with a file"));
                self.emit.before(i);
                self.emit.hook("xch_maps", &[self.emit.word(*access), self.emit.word(*flags), self.emit.int(index)]);
                return;
            }
            ("mprotect", [_, _, access]) => {
                let index = self.program.unsupported(&placed(i, "memory that is shared with a file"));
                self.emit.before(i);
                self.emit.hook("xch_opens", &[self.emit.word(*access), self.emit.int(index)]);
                return;
            }
            ("fork" | "vfork", _) => {
                let index =
                    self.program.unsupported(&placed(i, "fork: what the child does is not explored, and its failures are not seen"));
                self.emit.before(i);
                self.emit.hook("xch_forks", &[self.emit.int(index)]);
                return;
            }
            ("shmat", _) => "memory that is shared with other processes",
            ("clone" | "__clone" | "clone3", _) => "a process made by clone",
            ("syscall", [number, ..]) if number.constant().is_some_and(|n| MAKING.contains(&n)) => "a process made by a system call",
            _ => return,
        };
        let index = self.program.unsupported(&placed(i, what));
        self.emit.before(i);
        self.emit.hook("xch_shares", &[self.emit.int(index)]);
    }
}
