//! Ends queries from another thread.
//!
//! Effort bounds a query the same on every machine, but not all that Z3 does counts as effort: a non-linear query may go on for minutes. Who watches a clock, or
//! waits for Ctrl-C, ends it with this.
//!
//! **Invariant.** Only contexts that exist are told: they are listed from when they are made until just before they are deleted, under one lock.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ffi::Handle;

/// Ends the queries of all solvers that were made with it ([`crate::Z3::interruptible`]).
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<Mutex<Vec<Handle>>>);

impl Interrupt {
    /// Ends what is being asked now. The answers are unknown, as may be those to what is asked later: solvers are not used any more after this.
    pub fn now(&self) {
        for handle in self.listed().iter() {
            handle.interrupt();
        }
    }

    pub(crate) fn enter(&self, handle: Handle) {
        self.listed().push(handle);
    }

    pub(crate) fn leave(&self, handle: Handle) {
        self.listed().retain(|other| *other != handle);
    }

    fn listed(&self) -> MutexGuard<'_, Vec<Handle>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
