//! Failures of runs: counted, made smaller, confirmed.
//!
//! It is cut here because failures are those of single runs: nothing here knows the search but for the way that a run came.
//!
//! **Invariant.** What a run did wrong is looked at in one order: data races first, because the subject is asked about steps of its last run; then its
//! outcome; then failures that came after that.

mod data_races;
mod failed;
pub(crate) mod found;
mod later;
mod minimise;

use xcute_race::Causality;
use xcute_trace::{Known, Outcome, Trace};
use xcute_tree::{ArmId, PathTree};

use crate::observer::Observer;
use crate::options::Races;
use crate::runner::Runner;
use crate::scheduling::shared::Reported;
use data_races::NewRace;

/// A run whose failures are looked at.
#[derive(Clone, Copy)]
pub(crate) struct Run<'r> {
    pub(crate) observer: &'r dyn Observer,
    pub(crate) number: u64,
    /// The arm that it was sent to and took, in the tree with the conditions up to there. `None`: nothing was asked of it, or it went elsewhere.
    pub(crate) way: Option<(&'r PathTree, ArmId)>,
    /// Whether an earlier campaign recorded it.
    pub(crate) repeated: bool,
    /// The decisions that were asked of it.
    pub(crate) promise: &'r [Known],
    /// Of each step of its schedule: what its place stands for ([`xcute_trace::Subject::race_place`]).
    pub(crate) places: &'r [u64],
}

/// Counts all that went wrong in a run: its outcome, and its data races.
pub(crate) fn fail(runner: &mut Runner<'_>, run: &Run<'_>, causality: Option<&Causality<'_>>, trace: &Trace) {
    let looked = causality.filter(|_| runner.options.races != Races::Off);
    let races = looked.map(|causality| data_races::new_races(runner, run, causality, &trace.outcome)).unwrap_or_default();
    if causality.is_some() {
        data_races::note_flip(runner, run.promise, &trace.outcome);
    }
    let others = runner.options.races != Races::Only;
    if let (Outcome::Failed(failure), true) = (&trace.outcome, others) {
        failed::failed(runner, run, failure, trace, None);
    }
    for NewRace { group, known, second, failure } in races {
        let reported = failed::failed(runner, run, &failure, trace, known);
        runner.crew.schedules().races.insert(group, Reported { second: Some(second), ..reported });
    }
    if let (Some(causality), true) = (causality, others) {
        later::failed_later(runner, run, causality, trace);
    }
}
