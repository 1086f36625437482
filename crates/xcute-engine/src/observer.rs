//! What the engine asks of, and tells, the world outside.

use std::time::Duration;

use xcute_term::Terms;
use xcute_trace::{Failure, Schedule, Subject, TestCase, Trace};
use xcute_tree::Growth;

use crate::crew::Figures;

/// Whether a failure showed again on the uninstrumented program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// It did.
    Confirmed,
    /// It did not; why, in one line.
    NotReproduced(String),
}

/// A run that has just been inserted.
pub struct RunEvent<'a> {
    /// Its number, from 1, over all workers.
    pub number: u64,
    /// Who ran it.
    pub(crate) subject: &'a dyn Subject,
    /// What it did; `covered` is what no worker had covered before.
    pub trace: &'a Trace,
    /// What it added to the tree.
    pub growth: &'a Growth,
    /// The figures so far, this run included.
    pub figures: &'a Figures,
}

impl RunEvent<'_> {
    /// What was run: the whole input, in the numbering that all subjects share.
    #[must_use]
    pub fn case(&self) -> TestCase {
        TestCase { input: self.subject.export(&self.trace.input), schedule: Schedule::default() }
    }
}

/// The world outside: clock, cancellation, confirmation of failures, progress. All workers of a campaign share it.
pub trait Observer: Sync {
    /// Time since the campaign began, from a clock that does not go back.
    fn elapsed(&self) -> Duration;

    /// Whether to stop now; asked between runs.
    fn stop(&self) -> bool;

    /// Replays a case, in the numbering that all subjects share, on the uninstrumented program. One call at a time.
    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase) -> Confirmation;

    /// Takes note of a run.
    fn ran(&self, terms: &Terms, event: &RunEvent<'_>);
}
