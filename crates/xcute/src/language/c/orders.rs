//! The order of threads in a case: what a test case says in a few choices, step by step.
//!
//! The case is run once more, by a subject of our own: those of the campaign are busy, and have long forgotten it.
//!
//! **Invariant.** Programs without threads have none of this.

use std::sync::{Mutex, PoisonError};

use xcute_c::casefile::CaseSchedule;
use xcute_c::subject::CSubject;
use xcute_term::Terms;
use xcute_trace::{Failure, FailureKind, Subject as _, TestCase};

/// Tells the order of cases.
pub struct Orders {
    runner: Option<Mutex<(CSubject, Terms)>>,
}

impl Orders {
    /// This many subjects for the campaign, and one more for this if the program can create threads.
    pub fn of(subject: CSubject, jobs: u32) -> anyhow::Result<(Orders, Vec<CSubject>)> {
        let threads = subject.compiled().threads;
        let mut subjects = subject.times(jobs + u32::from(threads))?;
        let own = if threads { subjects.pop() } else { None };
        Ok((Orders { runner: own.map(|subject| Mutex::new((subject, Terms::new()))) }, subjects))
    }

    /// The order of a case, with what its failure is about; `None` if it has only one thread.
    pub fn order(&self, case: &TestCase, failure: Option<&Failure>) -> Option<CaseSchedule> {
        let mut runner = self.runner.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner);
        let (subject, terms) = &mut *runner;
        let case = TestCase { input: subject.import(&case.input, terms), schedule: case.schedule.clone() };
        let trace = subject.run(&case, &[], terms).ok()?;
        match (failure.filter(|f| f.kind == FailureKind::DataRace), trace.concurrent) {
            (Some(failure), Some(_)) => subject.order_of_race(failure),
            _ => subject.order(),
        }
    }
}
