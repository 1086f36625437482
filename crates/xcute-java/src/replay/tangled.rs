//! Static initialisers that depend on more than themselves: what they leave may be something else in the next run, so it cannot be restored then.
//!
//! One that reads what others made leaves the same again as long as nothing changes. One that writes there changes it: a run in which it has run already finds too
//! much.
//!
//! **Invariant.** An initialiser that is not tangled read and wrote nothing that could change but its own static fields and what it made.

use xcute_classfile::access::FINAL;

use super::Replay;
use super::heap::Slot;

impl Replay<'_> {
    /// A static field is read, or written, perhaps by an initialiser.
    pub(super) fn entangles_static(&mut self, field: u32, written: bool) {
        if self.initialising == 0 {
            return;
        }
        let program = self.program;
        let info = &program.fields[field as usize];
        let own = self.s.frames.all().iter().any(|frame| frame.initialiser && program.method(frame.method).class == info.class);
        if !own && info.access & FINAL == 0 {
            self.entangled(written);
        }
    }

    /// A field or an element of an object is read, or written.
    pub(super) fn entangles(&mut self, object: u32, slot: Slot, written: bool) {
        if self.initialising > 0 && !self.born.contains(&object) {
            let constant = matches!(slot, Slot::Field(field) if self.program.fields[field as usize].access & FINAL != 0);
            if !constant {
                self.entangled(written);
            }
        }
    }

    /// The current initialiser depends on others, or others on it.
    pub(super) fn entangled(&mut self, written: bool) {
        self.tangled = true;
        if written {
            self.dirty = [true, true];
        }
    }

    /// An input is taken: an initialiser that does so has to run again each time, whatever it makes of it.
    pub(super) fn entangles_input(&mut self) {
        if self.initialising > 0 {
            self.entangled(true);
        }
    }

    /// An object is made.
    pub(super) fn bears(&mut self, object: u32) {
        if self.initialising > 0 {
            self.born.insert(object);
        }
    }
}
