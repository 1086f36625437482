//! Pruning in the loop: which arms need not be tried.
//!
//! The loop knows a [`PathPruner`] and no more; [`interpolation`] is the one there is. A search without pruning has none, and pays nothing.
//!
//! **Invariant.** I6: a pruner sees the tree and cannot change it; strategy and solver of the search are out of its reach. It only says which arms to skip,
//! and an arm is skipped only where no failure is below it.

pub(crate) mod annotated;
mod confirm;
pub(crate) mod figures;
pub(crate) mod interpolation;
pub(crate) mod options;
mod seats;
mod worth;

use xcute_term::Interrupt;
use xcute_trace::segments::Followed;
use xcute_trace::{SubjectError, Trace};
use xcute_tree::{ArmId, Growth, NodeId, PathTree};

use crate::failing::Run;
use crate::observer::Observer;
use crate::runner::Runner;
use annotated::AnnotatedNode;
use figures::Pruned;

/// What need not be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Skip {
    /// This arm.
    Arm,
    /// Every open arm of this decision and below it.
    Below(NodeId),
}

/// What the loop asks of a pruner: the lines that GenericConcolicWithPruning [jaffar-murali-navas-2013 Fig. 4] adds to the generic loop.
pub(crate) trait PathPruner {
    /// From now on what takes long ends when this is raised.
    fn interrupt_by(&mut self, interrupt: &Interrupt);

    /// Makes the subject ready for the next run of the search: it is to record segments, or not.
    fn prepare(&mut self, runner: &mut Runner<'_>, observer: &dyn Observer) -> Result<(), SubjectError>;

    /// How many decisions of a run may be explored; `None`: no fewer than the options say.
    fn depth(&self, trace: &Trace) -> Option<u32>;

    /// Takes in a run of the search, the last one that grew the tree; makes runs of its own besides if they show that more can be skipped.
    fn observe(
        &mut self,
        runner: &mut Runner<'_>,
        run: &Run<'_>,
        grown: (&PathTree, &Growth),
        followed: Box<Followed>,
    ) -> Result<(), SubjectError>;

    /// What need not be tried because an arm leads to no failure; `None` where it must be tried.
    fn skips(&mut self, tree: &PathTree, arm: ArmId) -> Option<Skip>;

    /// The loop skipped this many arms.
    fn skipped(&mut self, arms: u64);

    /// The tree restarts: what is known of the old one is forgotten.
    fn restart(&mut self);

    /// What it did. `subsumed`: the arms that are skipped in the tree.
    fn figures(&self, runner: &Runner<'_>, subsumed: u64) -> Pruned;

    /// Its tree for people; `None` where it has none, or one with more nodes than `most`.
    fn annotated(&self, _runner: &Runner<'_>, _most: usize) -> Option<Vec<AnnotatedNode>> {
        None
    }

    /// The interpolants so far, if it has such.
    fn interpolants(&self) -> Option<&xcute_prune::Pruner> {
        None
    }
}
