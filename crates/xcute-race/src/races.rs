//! Race detection and flipping: the efficient algorithm [sen-marinov-agha-2006 §5.3, Figs. 17 and 18].
//!
//! A race whose first event was chosen at `j` postpones that task: the next smallest task that nobody asked for runs at `j` instead.
//! In the tree: a race seen below the last sibling of a choice appends the next one.
//!
//! Deviations from the figures, each with a counterexample in the tests: a race stays noted until that very arm is flipped, however
//! many runs later; the race relation is [`crate::races()`], which also knows operations that were never executed.

use crate::algorithm::{Algorithm, DefaultChoice, Flip};
use crate::task::Task;
use crate::tree::in_order;

/// Race detection and flipping.
#[derive(Clone, Copy, Debug)]
pub struct Races;

impl Algorithm for Races {
    fn name(&self) -> &'static str {
        "races"
    }

    fn default_choice(&self) -> DefaultChoice {
        DefaultChoice::Current
    }

    fn flip(&self, flip: &Flip<'_>) -> Option<Task> {
        postpone(flip)
    }
}

/// The smallest task that was not asked for and does not sleep, if the first event of the race is of the last that was.
pub(crate) fn postpone(flip: &Flip<'_>) -> Option<Task> {
    let chosen = flip.causality.events()[flip.race.first].task;
    if flip.node.order.last().is_none_or(|last| last.task != chosen) {
        return None;
    }
    let free = |task: &Task| !flip.node.asked(*task) && !flip.node.sleep.contains(task);
    in_order(flip.tasks, flip.enabled).into_iter().find(free)
}
