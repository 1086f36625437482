//! Bounded search: every interleaving with at most so many preemptions (context bounding, Musuvathi & Qadeer 2007).
//!
//! A preemption is a switch away from a task that could have gone on. Race filters and sleep sets cannot be used with it: what a
//! schedule costs is not the same for all of a causal class, and a sleeping task trusts a sibling that the bound has truncated. Instead a choice is
//! cut off if one with the same past was seen, up to the order of independent events, with the same last task and no fewer preemptions left.
//!
//! **Invariant.** The classes explored are those of all interleavings within the bound. They need not be all classes.

use rustc_hash::FxHashMap;

use crate::algorithm::{Algorithm, Arrival, DefaultChoice, Enter};
use crate::class::ClassKey;
use crate::task::Task;

/// Interleavings with few preemptions.
#[derive(Debug)]
pub struct Bounded {
    preemptions: u32,
    /// The fewest preemptions used before each past and last task.
    seen: FxHashMap<(ClassKey, Option<Task>), u32>,
}

impl Bounded {
    /// At most so many.
    #[must_use]
    pub fn new(preemptions: u32) -> Bounded {
        Bounded { preemptions, seen: FxHashMap::default() }
    }
}

impl Algorithm for Bounded {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn default_choice(&self) -> DefaultChoice {
        DefaultChoice::Current
    }

    fn enter(&mut self, arrival: &Arrival<'_>) -> Enter {
        let used = arrival.preemptions;
        let fewest = self.seen.entry((arrival.class, arrival.last)).or_insert(u32::MAX);
        if *fewest <= used {
            return Enter::Cut;
        }
        *fewest = used;
        let stays = arrival.last.filter(|last| arrival.node.can_run(*last));
        let cost = |task: Task| used + u32::from(stays.is_some_and(|last| last != task));
        Enter::Open(arrival.node.enabled.iter().map(|(task, _)| *task).filter(|task| cost(*task) <= self.preemptions).collect())
    }
}
