//! The world outside the engine: clock, Ctrl-C, confirmation, progress, and the cases that go to the results directory.

use std::time::{Duration, Instant};

use xcute_engine::{Confirmation, Observer, RunEvent};
use xcute_term::Terms;
use xcute_trace::{Failure, Outcome, TestCase};

use crate::front::FrontEnd;
use crate::interrupt::Interrupt;
use crate::plan::Keep;
use crate::progress::Progress;
use crate::results::Directory;

/// Watches one campaign.
pub struct Watch<'a, F: FrontEnd> {
    pub front: &'a mut F,
    pub directory: &'a Directory,
    pub keep: Keep,
    pub time: Option<Duration>,
    pub interrupt: Interrupt,
    pub progress: Progress,
    pub start: Instant,
    /// The first thing that could not be written. It stops the campaign.
    pub trouble: Option<anyhow::Error>,
}

impl<F: FrontEnd> Observer for Watch<'_, F> {
    fn elapsed(&mut self) -> Duration {
        self.start.elapsed()
    }

    fn stop(&mut self) -> bool {
        self.interrupt.came() || self.trouble.is_some() || self.time.is_some_and(|time| self.start.elapsed() >= time)
    }

    fn confirm(&mut self, terms: &Terms, failure: &Failure, case: &TestCase) -> Confirmation {
        self.front.confirm(terms, failure, case)
    }

    fn ran(&mut self, terms: &Terms, event: &RunEvent<'_>) {
        let keep = match self.keep {
            Keep::New => !event.trace.covered.is_empty(),
            Keep::All => true,
            Keep::None => false,
        };
        if keep && self.trouble.is_none() {
            let failure = match &event.trace.outcome {
                Outcome::Failed(failure) => Some(failure),
                _ => None,
            };
            let text = self.front.case_file(terms, event.case, failure);
            self.trouble = self.directory.case(event.results.runs, &text).err();
        }
        if event.trace.outcome == Outcome::Passed && !event.trace.covered.is_empty() && self.trouble.is_none() {
            self.trouble = self.front.export(event.case, None).err();
        }
        self.progress.show(self.start.elapsed(), event.results);
    }
}
