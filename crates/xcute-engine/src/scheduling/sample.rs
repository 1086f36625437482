//! Random schedules: when no arm is open, the program is run again, with a schedule that nobody planned.
//!
//! Branches are explored below each of these runs as ever, and inputs that took a new path are run again, so inputs and schedules meet. There is no end to it but the budget, unless run after run leads to
//! nothing new.
//!
//! **Invariant.** Bounded memory: a new input takes the place of an old one when there are [`POOL`].

use xcute_term::Model;

/// After this many runs in a row that were known nothing new is expected.
const STALE: u32 = 1000;
/// Inputs that are kept to be run again.
const POOL: usize = 256;

/// What is known about random schedules.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// Inputs of paths.
    pool: Vec<Model>,
    /// Runs that led to nothing new, in a row.
    stale: u32,
}

impl Samples {
    /// The input of a run with a random schedule, after this many runs; `None` where nothing new is expected.
    pub(super) fn next(&self, runs: u64) -> Option<Model> {
        (self.stale < STALE).then(|| self.pool.get(scattered(runs, self.pool.len() + 1)).cloned().unwrap_or_default())
    }

    /// Such a run was made; whether its path was new.
    pub(super) fn made(&mut self, new: bool) {
        self.stale = if new { 0 } else { self.stale + 1 };
    }

    /// Keeps the input of a new path, to be run with other schedules.
    pub(super) fn keep(&mut self, runs: u64, input: &Model) {
        if self.pool.len() < POOL {
            self.pool.push(input.clone());
        } else {
            self.pool[scattered(runs, POOL)] = input.clone();
        }
    }
}

/// A place among this many that neighbouring numbers do not share.
fn scattered(number: u64, among: usize) -> usize {
    (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % among
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_term::VarId;

    #[test]
    fn what_leads_to_nothing_new_ends_and_the_pool_is_bounded() {
        let mut samples = Samples::default();
        for run in 0..2 * POOL as u64 {
            let mut input = Model::new();
            input.set_word(VarId(0), run);
            samples.keep(run, &input);
        }
        assert_eq!(samples.pool.len(), POOL);
        (0..STALE - 1).for_each(|_| samples.made(false));
        samples.made(true);
        (0..STALE - 1).for_each(|_| samples.made(false));
        assert!(samples.next(7).is_some());
        samples.made(false);
        assert!(samples.next(7).is_none());
    }
}
