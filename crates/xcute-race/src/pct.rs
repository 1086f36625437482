//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi & Nagarakatti, 2010).
//!
//! Each task has a random priority and the highest that can run does. At `depth - 1` random steps, the task that has just been chosen falls
//! below all others. A bug that needs `d` ordering constraints among `n` tasks and `k` steps is hit with probability at least
//! `1/(n·k^(d-1))`. The number of steps is not known before: the longest run so far is taken for it.

use rustc_hash::FxHashMap;

use crate::policy::{Policy, Ready};
use crate::task::Task;

/// Probabilistic concurrency testing.
#[derive(Debug)]
pub struct Pct {
    random: fastrand::Rng,
    depth: u32,
    /// Priorities of tasks: random and high, or low after a change.
    priorities: FxHashMap<Task, u64>,
    /// The steps at which priorities change, all different, each with the low priority it gives.
    changes: Vec<(usize, u64)>,
    steps: usize,
    longest: usize,
}

impl Pct {
    /// For bugs of this depth.
    #[must_use]
    pub fn new(depth: u32, seed: u64) -> Pct {
        let random = fastrand::Rng::with_seed(seed);
        Pct { random, depth, priorities: FxHashMap::default(), changes: Vec::new(), steps: 0, longest: 1 }
    }

    /// Expects runs of this many steps.
    #[must_use]
    pub fn expecting(self, steps: u32) -> Pct {
        Pct { longest: (steps as usize).max(1), ..self }
    }
}

impl Policy for Pct {
    fn begin(&mut self) {
        self.longest = self.longest.max(self.steps);
        self.steps = 0;
        self.priorities.clear();
        self.changes.clear();
        for low in 1..u64::from(self.depth).min(self.longest as u64 + 1) {
            let mut step = self.random.usize(..self.longest);
            while self.changes.iter().any(|(other, _)| *other == step) {
                step = self.random.usize(..self.longest);
            }
            self.changes.push((step, low));
        }
    }

    fn choose(&mut self, ready: &[Ready]) -> usize {
        let (random, lows) = (&mut self.random, u64::from(self.depth));
        for one in ready {
            self.priorities.entry(one.task).or_insert_with(|| random.u64(lows + 1..));
        }
        let mut best = highest(&self.priorities, ready);
        if let Some(&(_, low)) = self.changes.iter().find(|(step, _)| *step == self.steps) {
            self.priorities.insert(ready[best].task, low);
            best = highest(&self.priorities, ready);
        }
        self.steps += 1;
        best
    }
}

fn highest(priorities: &FxHashMap<Task, u64>, ready: &[Ready]) -> usize {
    (0..ready.len()).max_by_key(|at| priorities[&ready[*at].task]).expect("somebody can run")
}
