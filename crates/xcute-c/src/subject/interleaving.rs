//! The interleaving that led to a failure: what the threads did, in order.
//!
//! **Invariant.** The steps that a failure is about are always in it; of the others, the last ones.

use xcute_trace::Happening;

use super::telling::Teller;

/// So many steps are told, and those that are marked.
const MOST: usize = 200;

/// The steps of the run, and in the end those who wait. `marked` are steps that the failure is about; with `stuck` so are all who wait.
pub(super) fn of(teller: &mut Teller<'_>, marked: &[usize], stuck: bool) -> Vec<Happening> {
    let steps = teller.recorded.steps.len();
    let from = steps.saturating_sub(MOST);
    let mut earlier: Vec<usize> = marked.iter().copied().filter(|step| *step < from).collect();
    earlier.sort_unstable();
    earlier.dedup();
    let told = earlier.into_iter().chain(from..steps);
    let mut all: Vec<Happening> = told.filter_map(|step| teller.happening(step, marked.contains(&step))).collect();
    if stuck {
        let waiting = 0..teller.recorded.pending.len();
        all.extend(waiting.filter_map(|at| teller.waiting(at, true)));
    }
    all
}
