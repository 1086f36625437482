//! Random schedules: nothing is asked for, runs go where a policy takes them.
//!
//! What a random run finds is taken in like any other; only its races ask for nothing, for there are too many schedules to run them all.

use crate::algorithm::{Algorithm, Arrival, Enter};

/// What happens to be run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sampled {
    /// There was a choice.
    choice: bool,
}

impl Algorithm for Sampled {
    fn name(&self) -> &'static str {
        "sampled"
    }

    fn flips(&self) -> bool {
        false
    }

    fn enter(&mut self, _: &Arrival<'_>) -> Enter {
        self.choice = true;
        Enter::Open(Vec::new())
    }

    fn left_out(&self) -> bool {
        self.choice
    }
}
