//! A run on its way through the schedule tree.

use smallvec::SmallVec;

use crate::causality::Causality;
use crate::class::ClassKey;
use crate::opening::Opening;
use crate::record::Step;
use crate::task::Task;
use crate::tree::{Edge, NodeIndex};

/// A record on its way through the tree.
pub(crate) struct Passage<'a> {
    pub(crate) causality: &'a Causality<'a>,
    /// The choice before each step; `None` where it could go one way only.
    pub(crate) nodes: Vec<Option<NodeIndex>>,
    pub(crate) opened: Vec<Opening>,
}

impl<'a> Passage<'a> {
    pub(crate) fn step(&self, at: usize) -> &'a Step {
        &self.causality.record().steps[at]
    }
}

/// What a choice learns from the one before.
pub(crate) struct Come {
    /// That choice and what was taken there.
    pub(crate) edge: Option<Edge>,
    pub(crate) asleep: SmallVec<[Task; 4]>,
    pub(crate) class: ClassKey,
    pub(crate) preemptions: u32,
}
