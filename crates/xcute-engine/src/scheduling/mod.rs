//! Runs of several tasks: which schedules are run.
//!
//! The loop knows a [`Scheduler`] and no more; [`explored`] is the one there is. A program of one task has none, and pays nothing.
//!
//! **Invariant.** What one worker's scheduler takes in, all of them know ([`shared`]), in the order in which the runs are recorded.

pub(crate) mod explored;
mod sample;
pub(crate) mod shared;

use xcute_race::Causality;
use xcute_term::Model;
use xcute_trace::{Known, Schedule, Sites, Subject, Trace};
use xcute_tree::{Growth, PathTree};

use crate::observer::Asked;
use crate::runner::Runner;

/// A run of several tasks, as the scheduler sees it.
pub(crate) struct Interleaved<'r> {
    /// What came before what; `None` where one task ran alone.
    pub(crate) causality: Option<&'r Causality<'r>>,
    pub(crate) trace: &'r Trace,
    /// Of each step: what its place stands for ([`xcute_trace::Subject::race_place`]).
    pub(crate) places: &'r [u64],
    /// The decisions that were asked of it.
    pub(crate) promise: &'r [Known],
    /// The version of the search that the tree is of.
    pub(crate) version: u64,
}

/// Records a run that was taken in, with the schedule arms that it asked for.
pub(crate) type Recording<'r> = &'r mut dyn FnMut(&Runner<'_>, &PathTree, &Growth, &[Asked]);

/// What the loop asks of a scheduler: race detection and flipping [sen-marinov-agha-2006 Fig. 13], with any algorithm in place of "the last race".
pub(crate) trait Scheduler {
    /// Makes the subject ready for the run with this number: how it chooses where its case does not say.
    fn prepare(&mut self, subject: &mut dyn Subject, number: u64);

    /// The schedule of a run that is to keep a promise; `None` where nobody knows the way.
    fn schedule(&self, sites: &Sites, promise: &[Known]) -> Option<Schedule>;

    /// Takes in a run that has grown the tree: opens the arms that turn its races round. `record` is called before another run is taken in, by any worker.
    fn observe(&mut self, runner: &mut Runner<'_>, run: &Interleaved<'_>, grown: (&mut PathTree, &mut Growth), record: Recording<'_>);

    /// What lies below an arm will not be explored: nothing may rely on it. `promise` leads to the arm, in a tree of this version.
    fn give_up(&mut self, sites: &Sites, promise: &[Known], version: u64);

    /// When no arm is open: the input of a run that may still lead to something new.
    fn sample(&self, runs: u64) -> Option<Model>;

    /// Such a run was made; whether its path was new.
    fn sampled(&mut self, new: bool);
}
