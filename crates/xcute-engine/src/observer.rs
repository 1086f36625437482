//! What the engine asks of, and tells, the world outside.

use std::time::Duration;

use xcute_term::Terms;
use xcute_trace::{Failure, TestCase, Trace};
use xcute_tree::Growth;

use crate::results::Results;

/// Whether a failure showed again on the uninstrumented program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// It did.
    Confirmed,
    /// It did not; why, in one line.
    NotReproduced(String),
}

/// A run that has just been inserted.
#[derive(Debug)]
pub struct RunEvent<'a> {
    /// What was run.
    pub case: &'a TestCase,
    /// What it did.
    pub trace: &'a Trace,
    /// What it added to the tree.
    pub growth: &'a Growth,
    /// The figures so far, this run included.
    pub results: &'a Results,
}

/// The world outside: clock, cancellation, confirmation of failures, progress.
pub trait Observer {
    /// Time since the campaign began, from a clock that does not go back.
    fn elapsed(&mut self) -> Duration;

    /// Whether to stop now; asked between runs.
    fn stop(&mut self) -> bool;

    /// Replays a case on the uninstrumented program.
    fn confirm(&mut self, terms: &Terms, failure: &Failure, case: &TestCase) -> Confirmation;

    /// Takes note of a run.
    fn ran(&mut self, terms: &Terms, event: &RunEvent<'_>);
}
