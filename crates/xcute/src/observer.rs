//! The world outside the engine: clock, Ctrl-C, confirmation, progress, and what goes to the results directory while the campaign runs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use xcute_engine::{Confirmation, Observer, RunEvent};
use xcute_term::Terms;
use xcute_trace::{Failure, Outcome, TestCase};

use crate::failures::Failures;
use crate::front::FrontEnd;
use crate::interrupt::Interrupt;
use crate::plan::Keep;
use crate::progress::Progress;
use crate::results::Directory;

/// Watches one campaign, whose workers share it.
pub struct Watch<'a, F> {
    pub front: &'a F,
    pub directory: &'a Directory,
    pub keep: Keep,
    pub time: Option<Duration>,
    pub interrupt: Interrupt,
    pub start: Instant,
    progress: Mutex<Progress>,
    failures: Mutex<Failures>,
    /// The first thing that could not be written. It stops the campaign.
    trouble: Mutex<Option<anyhow::Error>>,
    troubled: AtomicBool,
}

impl<'a, F: FrontEnd> Watch<'a, F> {
    /// Watches from now on.
    pub fn new(
        front: &'a F,
        directory: &'a Directory,
        keep: Keep,
        time: Option<Duration>,
        interrupt: Interrupt,
        progress: Progress,
    ) -> Self {
        Watch {
            front,
            directory,
            keep,
            time,
            interrupt,
            start: Instant::now(),
            progress: Mutex::new(progress),
            failures: Mutex::default(),
            trouble: Mutex::default(),
            troubled: AtomicBool::new(false),
        }
    }

    /// What was found. An error if something could not be written.
    pub fn into_failures(self) -> anyhow::Result<Failures> {
        match self.trouble.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(trouble) => Err(trouble),
            None => Ok(self.failures.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    fn written(&self, result: anyhow::Result<()>) {
        if let Err(trouble) = result {
            lock(&self.trouble).get_or_insert(trouble);
            self.troubled.store(true, Ordering::Relaxed);
        }
    }
}

impl<F: FrontEnd> Observer for Watch<'_, F> {
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    fn stop(&self) -> bool {
        self.interrupt.came() || self.troubled.load(Ordering::Relaxed) || self.time.is_some_and(|time| self.start.elapsed() >= time)
    }

    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase) -> Confirmation {
        let confirmation = self.front.confirm(terms, failure, case);
        if confirmation == Confirmation::Confirmed {
            self.written(lock(&self.failures).add(self.front, terms, failure, case, self.directory));
        }
        confirmation
    }

    fn ran(&self, terms: &Terms, event: &RunEvent<'_>) {
        let keep = match self.keep {
            Keep::New => !event.trace.covered.is_empty(),
            Keep::All => true,
            Keep::None => false,
        };
        if keep && !self.troubled.load(Ordering::Relaxed) {
            let failure = match &event.trace.outcome {
                Outcome::Failed(failure) => Some(failure),
                _ => None,
            };
            let text = self.front.case_file(terms, &event.case(), failure);
            self.written(self.directory.case(event.number, &text));
        }
        if event.trace.outcome == Outcome::Passed && !event.trace.covered.is_empty() && !self.troubled.load(Ordering::Relaxed) {
            self.written(self.front.export(&event.case(), None));
        }
        if let Ok(mut progress) = self.progress.try_lock() {
            progress.show(self.start.elapsed(), event.figures);
        }
    }
}

/// What is locked here is whole even where a worker panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
