//! Ends queries from another thread.
//!
//! Effort bounds a query the same on every machine, but not all that Z3 does counts as effort: a non-linear query may go on for minutes. Who watches a clock, or
//! waits for Ctrl-C, ends it with this.
//!
//! **Invariant.** Only contexts that exist are told: they are listed from when they are made until just before they are deleted, under one lock.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::ffi::Handle;

/// Ends the queries of all solvers that were made with it ([`crate::Z3::interruptible`]).
#[derive(Clone, Debug, Default)]
pub struct Interrupt {
    contexts: Arc<Mutex<Vec<Handle>>>,
    /// How many queries are being answered.
    asked: Arc<AtomicUsize>,
}

/// A query that is being answered, until this is dropped.
pub(crate) struct Asking<'a>(&'a AtomicUsize);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Interrupt {
    /// Ends what is being asked now. The answers are unknown, as may be those to what is asked later: solvers are not used any more after this.
    pub fn now(&self) {
        for handle in self.listed().iter() {
            handle.interrupt();
        }
    }

    /// Whether a query is being answered. Where Z3 works with huge numbers it does not notice that it is told to end.
    #[must_use]
    pub fn asking(&self) -> bool {
        self.asked.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn ask(&self) -> Asking<'_> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Asking(&self.asked)
    }

    pub(crate) fn enter(&self, handle: Handle) {
        self.listed().push(handle);
    }

    pub(crate) fn leave(&self, handle: Handle) {
        self.listed().retain(|other| *other != handle);
    }

    fn listed(&self) -> MutexGuard<'_, Vec<Handle>> {
        self.contexts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
