//! What the explorer answers: the arms to be run, and how to come to them.
//!
//! **Invariant.** An opening lies on the path of the run that gave the reason for it.

pub use xcute_trace::Schedule as Plan;

use crate::race::Race;
use crate::record::NodeKey;
use crate::task::Task;

/// A schedule arm to be run.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The choice.
    pub node: NodeKey,
    /// The step of the run that opened it before which the choice is.
    pub step: usize,
    /// Who is to run there.
    pub task: Task,
    /// In which arm.
    pub arm: u32,
    /// Its number among all ways to go on, as [`xcute_trace::Step::option`] counts them.
    pub option: u32,
    /// Why: the race to be flipped, by its steps in the run that opened the arm. `None` for arms that are run in any case.
    pub cause: Option<Race>,
}

/// What became of a record.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The arms it opened.
    pub opened: Vec<Opening>,
    /// From this step on nothing is opened, for an equal choice was seen; branches need not be opened either.
    pub cut: Option<usize>,
}

/// A record that contradicts earlier ones: the same key, but other tasks could run. The executor is not deterministic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("schedule choice {} came up again with other tasks, at step {step}", .node.0)]
pub struct Diverged {
    /// The choice.
    pub node: NodeKey,
    /// The step of the run.
    pub step: usize,
}
