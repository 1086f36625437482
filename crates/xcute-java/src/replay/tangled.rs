//! Static initialisers that depend on more than themselves: what they leave may be something else in the next run, so it cannot be restored then.
//!
//! One that reads what others made leaves the same again as long as nothing changes. One that writes there changes it: a run in which it has run already finds too
//! much.
//!
//! **Invariant.** An initialiser that is not tangled read and wrote nothing that could change but its own static fields and what it made.

use xcute_classfile::access::FINAL;

use super::Replay;
use super::heap::Slot;
use crate::program::body::Method;

/// Whether a class is being initialised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Initialised {
    /// Its initialiser is the one that runs: whatever that calls belongs to it.
    Now,
    /// Its initialiser waits for the one that runs. Which of both was first decides what they find, and that may differ in the next run.
    Around,
    /// It has none that has begun and not ended.
    Elsewhere,
}

impl Replay<'_> {
    /// A static field is read, or written, perhaps by an initialiser.
    pub(super) fn entangles_static(&mut self, field: u32, written: bool) {
        if self.initialising == 0 {
            return;
        }
        let program = self.program;
        let info = &program.fields[field as usize];
        match self.initialised(&info.class) {
            Initialised::Now => {}
            Initialised::Around => self.entangled(true),
            Initialised::Elsewhere if info.access & FINAL == 0 => self.entangled(written),
            Initialised::Elsewhere => {}
        }
    }

    /// A method is called that would have its class initialised first.
    pub(super) fn entangles_call(&mut self, method: &Method) {
        if self.initialising > 1
            && (method.is_static() || method.name == "<init>")
            && self.initialised(&method.class) == Initialised::Around
        {
            self.entangled(true);
        }
    }

    /// Where a class stands, seen from the initialiser that runs.
    fn initialised(&self, class: &str) -> Initialised {
        let program = self.program;
        let mut running =
            self.s.frames.all().iter().rev().filter(|frame| frame.initialiser).map(|frame| &program.method(frame.method).class);
        match running.position(|running| running == class) {
            Some(0) => Initialised::Now,
            Some(_) => Initialised::Around,
            None => Initialised::Elsewhere,
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
