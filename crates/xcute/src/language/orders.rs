//! The order of threads in a case: what a test case says in a few choices, step by step.
//!
//! The case is run once more, by a subject of our own: those of the campaign are busy, and no longer know it.
//!
//! **Invariant.** Programs without threads have none of this.

use std::sync::{Mutex, PoisonError};

use xcute_term::Terms;
use xcute_trace::{Failure, Subject, TestCase};

/// A subject that can say in which order the threads of a case run.
pub trait Ordering: Subject {
    /// The order, as a case file holds it.
    type Order;

    /// Runs a case, with what its failure is about; `None` if it has only one thread.
    fn order(&mut self, case: &TestCase, failure: Option<&Failure>, terms: &mut Terms) -> Option<Self::Order>;
}

/// Finds the order of cases.
pub struct Orders<S> {
    runner: Option<Mutex<(S, Terms)>>,
}

impl<S: Ordering> Orders<S> {
    /// `times` makes this many subjects for the campaign, and one more for this if the program can create threads.
    pub fn with<E>(threads: bool, jobs: u32, times: impl FnOnce(u32) -> Result<Vec<S>, E>) -> Result<(Orders<S>, Vec<S>), E> {
        let mut subjects = times(jobs + u32::from(threads))?;
        let own = if threads { subjects.pop() } else { None };
        Ok((Orders { runner: own.map(|subject| Mutex::new((subject, Terms::new()))) }, subjects))
    }

    /// The order of a case, with what its failure is about; `None` if it has only one thread.
    pub fn order(&self, case: &TestCase, failure: Option<&Failure>) -> Option<S::Order> {
        let mut runner = self.runner.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let (subject, terms) = &mut *runner;
        let case = TestCase { input: subject.import(&case.input, terms), schedule: case.schedule.clone() };
        subject.order(&case, failure, terms)
    }
}
