//! Partial order sampling (Yuan, Yang & Gu, 2018).
//!
//! Each pending operation has a random priority and the highest that can run does. Then new priorities are drawn for its task and for every
//! pending operation that conflicts with it, so the order of each race is decided again. A task that was not offered before was blocked by
//! something that conflicted, or is new: it draws as well.

use rustc_hash::FxHashMap;

use crate::operation::conflict;
use crate::policy::{Policy, Ready};
use crate::task::Task;

/// Partial order sampling.
#[derive(Debug)]
pub struct Pos {
    random: fastrand::Rng,
    priorities: FxHashMap<Task, u64>,
}

impl Pos {
    /// Sampling with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Pos {
        Pos { random: fastrand::Rng::with_seed(seed), priorities: FxHashMap::default() }
    }
}

impl Policy for Pos {
    fn begin(&mut self) {
        self.priorities.clear();
    }

    fn choose(&mut self, ready: &[Ready]) -> usize {
        let (random, old) = (&mut self.random, &self.priorities);
        let drawn: Vec<u64> = ready.iter().map(|one| old.get(&one.task).copied().unwrap_or_else(|| random.u64(..))).collect();
        let best = (0..ready.len()).max_by_key(|at| drawn[*at]).expect("somebody can run");
        let stays = |at: &usize| *at != best && !conflict(&ready[*at].accesses, &ready[best].accesses);
        self.priorities = (0..ready.len()).filter(stays).map(|at| (ready[at].task, drawn[at])).collect();
        best
    }
}
