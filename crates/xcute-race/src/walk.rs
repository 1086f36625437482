//! The random walk: each task that can run is equally likely, each time.

use crate::policy::{Policy, Ready};

/// Any task, each time.
#[derive(Debug)]
pub struct Walk {
    random: fastrand::Rng,
}

impl Walk {
    /// A walk with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Walk {
        Walk { random: fastrand::Rng::with_seed(seed) }
    }
}

impl Policy for Walk {
    fn begin(&mut self) {}

    fn choose(&mut self, ready: &[Ready]) -> usize {
        self.random.usize(..ready.len())
    }
}
