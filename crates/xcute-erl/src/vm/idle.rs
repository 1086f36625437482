//! Emulators that nobody uses at the moment: starting one takes longer than many searches do, so the next function of a program gets it.
//!
//! **Invariant.** Only an emulator that answered its last request is kept.

use std::sync::{Mutex, PoisonError};

use super::Vm;

/// Emulators with the same modules.
#[derive(Debug, Default)]
pub struct Idle(Mutex<Vec<Vm>>);

impl Idle {
    /// One that is alive, if there is one.
    pub fn take(&self) -> Option<Vm> {
        let mut idle = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| idle.pop()).find_map(|mut vm| vm.alive().then_some(vm))
    }

    /// Keeps one for later.
    pub fn keep(&self, vm: Vm) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(vm);
    }
}
