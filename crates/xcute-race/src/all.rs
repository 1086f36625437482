//! The simple algorithm [sen-marinov-agha-2006 §5.2, Fig. 16]: every enabled task at every choice, hence every interleaving.

use crate::algorithm::{Algorithm, Arrival, Enter};
use crate::tree::in_order;

/// Every interleaving.
#[derive(Clone, Copy, Debug)]
pub struct All;

impl Algorithm for All {
    fn name(&self) -> &'static str {
        "all"
    }

    fn flips(&self) -> bool {
        false
    }

    fn enter(&mut self, arrival: &Arrival<'_>) -> Enter {
        Enter::Open(in_order(arrival.tasks, arrival.enabled).to_vec())
    }
}
