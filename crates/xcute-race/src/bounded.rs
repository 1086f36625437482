//! Bounded search: every interleaving with at most this many preemptions (context bounding, Musuvathi & Qadeer 2007).
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
use crate::tree::in_order;

/// Interleavings with few preemptions.
#[derive(Debug)]
pub struct Bounded {
    preemptions: u32,
    /// The fewest preemptions used before each past and last task.
    seen: FxHashMap<(ClassKey, Option<Task>), u32>,
    /// The bound kept a task from being asked for.
    left_out: bool,
}

impl Bounded {
    /// At most this many.
    #[must_use]
    pub fn new(preemptions: u32) -> Bounded {
        Bounded { preemptions, seen: FxHashMap::default(), left_out: false }
    }
}

impl Algorithm for Bounded {
    fn name(&self) -> &'static str {
        "bounded"
    }

    fn default_choice(&self) -> DefaultChoice {
        DefaultChoice::Current
    }

    fn classes(&self) -> bool {
        true
    }

    fn flips(&self) -> bool {
        false
    }

    fn enter(&mut self, arrival: &Arrival<'_>) -> Enter {
        let used = arrival.preemptions;
        let fewest = self.seen.entry((arrival.class, arrival.last)).or_insert(u32::MAX);
        if *fewest <= used {
            return Enter::Cut;
        }
        *fewest = used;
        let stays = arrival.last.filter(|last| arrival.enabled.iter().any(|next| next.task == *last));
        let cost = |task: Task| used + u32::from(stays.is_some_and(|last| last != task));
        let mut all = in_order(arrival.tasks, arrival.enabled).to_vec();
        all.retain(|task| cost(*task) <= self.preemptions);
        self.left_out |= all.len() < arrival.enabled.len();
        Enter::Open(all)
    }

    fn left_out(&self) -> bool {
        self.left_out
    }
}
