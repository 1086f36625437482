//! Dynamic partial order reduction with source sets and sleep sets (Abdulla, Aronis, Jonsson & Sagonas, 2014), on a tree that stays.
//!
//! A race asks at the choice before its first event for a task that can begin the reversed run, unless one of those was asked for or
//! sleeps there. Deviations: the original explores depth first and needs a sibling's subtree finished before the next; here the sleep set of
//! a sibling holds those *asked for* before it, so arms can be run in any order. Races are also looked for at the ends of runs,
//! sleep-blocked ones included, for the operations that blocked tasks could not do: without that, deadlocks hide classes.

use crate::algorithm::{Algorithm, Flip};
use crate::initials::initials;
use crate::task::Task;

/// Source sets with sleep sets.
#[derive(Clone, Copy, Debug)]
pub struct Dpor;

impl Algorithm for Dpor {
    fn name(&self) -> &'static str {
        "dpor"
    }

    fn sleeps(&self) -> bool {
        true
    }

    fn flip(&self, flip: &Flip<'_>) -> Option<Task> {
        let initials = initials(flip.causality, flip.race);
        if initials.iter().any(|task| flip.node.asked(*task) || flip.node.sleep.contains(task)) {
            return None;
        }
        initials.into_iter().find(|task| flip.enabled.iter().any(|next| next.task == *task))
    }
}
