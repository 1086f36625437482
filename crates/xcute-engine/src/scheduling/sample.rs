//! Random schedules: when no arm is open, the program is run again, with a schedule that nobody planned.
//!
//! Branches are explored below each of these runs as ever, and inputs that took a new path are run again, so inputs and schedules meet. There is no end to it but the budget, unless run after run leads to
//! nothing new.
//!
//! **Invariant.** Only the worker that began samples: paths that two trees know would count twice.

use xcute_term::Model;
use xcute_trace::{Schedule, SubjectError, TestCase};

use crate::campaign::Campaign;
use crate::observer::Observer;
use crate::options::Scheduling;

/// After this many runs in a row that were known nothing new is expected.
const STALE: u32 = 1000;
/// Inputs that are kept to be run again.
const POOL: usize = 256;

impl Campaign<'_> {
    /// Makes a run with a random schedule, if that may lead to something new; whether it did so.
    pub(crate) fn sample(&mut self, observer: &dyn Observer) -> Result<bool, SubjectError> {
        let random = matches!(self.options.scheduling, Scheduling::Random { .. });
        if !random || self.stale >= STALE || self.crew.schedules().explorer.choices() == 0 {
            return Ok(false);
        }
        let before = self.tree.paths();
        let input = self.pool.get(scattered(self.results.runs, self.pool.len() + 1)).cloned().unwrap_or_default();
        self.promise.clear();
        self.step(observer, None, Model::new(), TestCase { input, schedule: Schedule::default() })?;
        self.stale = if self.tree.paths() == before { self.stale + 1 } else { 0 };
        Ok(true)
    }

    /// Keeps the input of a new path, to be run with other schedules.
    pub(crate) fn keep_input(&mut self, input: &Model) {
        if !matches!(self.options.scheduling, Scheduling::Random { .. }) {
            return;
        }
        if self.pool.len() < POOL {
            self.pool.push(input.clone());
        } else {
            self.pool[scattered(self.results.runs, POOL)] = input.clone();
        }
    }
}

/// A place among this many that neighbouring numbers do not share.
fn scattered(number: u64, among: usize) -> usize {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % among
}
