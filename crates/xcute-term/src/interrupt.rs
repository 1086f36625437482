//! The flag that ends work from another thread.
//!
//! Layers below the binary read no clock: who watches one, or waits for Ctrl-C, raises this flag, and whatever may take long asks for it: solvers, the simplification of
//! inputs, pruning, subjects that wait for a run. It is in this crate because these share no other.
//!
//! **Invariant.** A flag that is up stays up. What was broken off says nothing: its result must not be remembered.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether work has to end now. Clones are the same flag.
#[derive(Clone, Debug)]
pub struct Interrupt(Option<Arc<AtomicBool>>);

static NEVER: Interrupt = Interrupt(None);

impl Default for Interrupt {
    fn default() -> Interrupt {
        Interrupt::new()
    }
}

impl Interrupt {
    /// A flag that is down.
    #[must_use]
    pub fn new() -> Interrupt {
        Interrupt(Some(Arc::default()))
    }

    /// The flag that nobody can raise.
    #[must_use]
    pub fn never() -> &'static Interrupt {
        &NEVER
    }

    /// Ends all work that asks for this flag.
    pub fn raise(&self) {
        if let Some(flag) = &self.0 {
            flag.store(true, Ordering::Relaxed);
        }
    }

    /// Whether to end. As cheap as reading a variable.
    #[inline]
    #[must_use]
    pub fn raised(&self) -> bool {
        self.0.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_raised_flag_stays_up() {
        let interrupt = Interrupt::new();
        let same = interrupt.clone();
        assert!(!interrupt.raised());
        same.raise();
        assert!(interrupt.raised() && same.raised() && !Interrupt::new().raised());
        Interrupt::never().raise();
        assert!(!Interrupt::never().raised());
    }
}
