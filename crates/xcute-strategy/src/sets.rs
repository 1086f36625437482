//! Transition sets and their executions (iexec) [ahmadi-dingel-2019 §4]: a set that was run a number of times lets others go first.
//!
//! A set is what the choices of a path have in common: which message came in each step, whatever its data and the action code did. The paper runs a set iexec times, and then
//! selects a transition that was not executed before, or any one if all were executed iexec times. Here any strategy selects; an arm that stays in a set that has had
//! its runs waits until no other arm is open.
//!
//! **Deviation.** The paper leaves a set for good; here its arms come back in the end, so a search can still be complete.
//!
//! **Invariant.** Every arm that the strategy picks is handed out once, sooner or later.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use xcute_tree::{Arm, ArmId, PathTree};

use crate::strategy::{Seen, Strategy};

/// A strategy that leaves a set after some runs.
pub struct TransitionSets {
    inner: Box<dyn Strategy>,
    /// Of each site, whether its decisions are choices of what comes next.
    choices: Vec<bool>,
    most: u32,
    /// The runs of each set, which is named by the last choice that its paths share.
    runs: FxHashMap<Option<ArmId>, u32>,
    /// The set of the arm that was picked last, until it is run.
    picked: Option<Option<ArmId>>,
    waiting: VecDeque<ArmId>,
}

impl TransitionSets {
    /// Lets a set be run `most` times before others.
    #[must_use]
    pub fn new(inner: Box<dyn Strategy>, choices: Vec<bool>, most: u32) -> TransitionSets {
        TransitionSets { inner, choices, most, runs: FxHashMap::default(), picked: None, waiting: VecDeque::new() }
    }

    fn is_choice(&self, tree: &PathTree, arm: ArmId) -> bool {
        self.choices.get(tree.site(arm.node).0 as usize).copied().unwrap_or(false)
    }

    /// The last choice before an arm, or the arm itself.
    fn set(&self, tree: &PathTree, arm: ArmId) -> Option<ArmId> {
        let mut last = Some(arm);
        while let Some(arm) = last.filter(|&arm| !self.is_choice(tree, arm)) {
            last = tree.parent(arm.node);
        }
        last
    }
}

impl Strategy for TransitionSets {
    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn observe(&mut self, seen: &Seen<'_>) {
        self.inner.observe(seen);
        // An arm that cannot be taken leads to no run.
        if let Some(set) = self.picked.take() {
            *self.runs.entry(set).or_insert(0) += 1;
        }
    }

    fn restart(&mut self) {
        self.inner.restart();
        self.runs.clear();
        self.picked = None;
        self.waiting.clear();
    }

    fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
        while let Some(arm) = self.inner.pick(tree) {
            let set = self.set(tree, arm);
            if set == Some(arm) || self.runs.get(&set).is_none_or(|runs| *runs < self.most) {
                self.picked = Some(set);
                return Some(arm);
            }
            self.waiting.push_back(arm);
        }
        self.picked = None;
        while let Some(arm) = self.waiting.pop_front() {
            if tree.arm(arm) == Arm::Open {
                return Some(arm);
            }
        }
        None
    }

    fn samples(&self) -> bool {
        self.inner.samples()
    }
}
