//! The world outside the engine: clock, Ctrl-C, confirmation, progress, and what goes to the results directory while the campaign runs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use xcute_engine::{Aside, Confirmation, Observer, Place, Record, RunEvent};
use xcute_term::Terms;
use xcute_trace::{Failure, Outcome, TestCase};
use xcute_tree::Arm;

use crate::failures::Failures;
use crate::front::FrontEnd;
use crate::interrupt::Interrupt;
use crate::journal::Journal;
use crate::plan::Keep;
use crate::progress::Progress;
use crate::results::Directory;
use crate::resume::Begun;

/// Watches one campaign, whose workers share it.
pub struct Watch<'a, F> {
    pub front: &'a F,
    pub directory: &'a Directory,
    pub journal: &'a Journal,
    pub keep: Keep,
    pub time: Option<Duration>,
    pub interrupt: Interrupt,
    pub start: Instant,
    progress: Mutex<Progress>,
    failures: Mutex<Failures>,
    /// The first thing that could not be written. It stops the campaign.
    trouble: Mutex<Option<anyhow::Error>>,
    troubled: AtomicBool,
    /// When the search began: after the runs of an earlier campaign were repeated. In nanoseconds.
    begun: AtomicU64,
}

impl<'a, F: FrontEnd> Watch<'a, F> {
    /// Watches from now on.
    pub fn new(front: &'a F, begun: &'a Begun, keep: Keep, time: Option<Duration>, interrupt: Interrupt, progress: Progress) -> Self {
        Watch {
            front,
            directory: &begun.directory,
            journal: &begun.journal,
            keep,
            time,
            interrupt,
            start: Instant::now(),
            progress: Mutex::new(progress),
            failures: Mutex::default(),
            trouble: Mutex::default(),
            troubled: AtomicBool::new(false),
            begun: AtomicU64::new(0),
        }
    }

    /// What was found. An error if something could not be written.
    pub fn into_failures(self) -> anyhow::Result<Failures> {
        match self.trouble.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(trouble) => Err(trouble),
            None => Ok(self.failures.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    fn record(&self, record: &Record, now: bool) {
        self.written(self.journal.add(record, self.start.elapsed(), now, |known| self.front.variables(known)));
    }

    /// Whether the case of a run is kept.
    fn kept(&self, new: bool) -> bool {
        match self.keep {
            Keep::New => new,
            Keep::All => true,
            Keep::None => false,
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
        let searched = || self.start.elapsed().saturating_sub(Duration::from_nanos(self.begun.load(Ordering::Relaxed)));
        self.interrupt.came() || self.troubled.load(Ordering::Relaxed) || self.time.is_some_and(|time| searched() >= time)
    }

    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase) -> Confirmation {
        let confirmation = self.front.confirm(terms, failure, case);
        if confirmation == Confirmation::Confirmed {
            self.written(lock(&self.failures).add(self.front, terms, failure, case, self.directory));
        }
        confirmation
    }

    fn settled(&self, place: Place, state: Arm) {
        self.record(&Record::Settled { place, state }, false);
    }

    fn restarted(&self, repeated: bool) {
        if !repeated {
            self.record(&Record::Restart, false);
        }
    }

    fn repeated(&self) {
        self.begun.store(u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    fn ran_aside(&self, terms: &Terms, event: &Aside<'_>) {
        let new = !event.trace.covered.is_empty();
        if event.repeated || self.troubled.load(Ordering::Relaxed) {
            return;
        }
        if self.kept(new) {
            let failure = if let Outcome::Failed(failure) = &event.trace.outcome { Some(failure) } else { None };
            let text = self.front.case_file(terms, &event.case(), failure);
            self.written(self.directory.case_aside(event.number, event.nth, &text));
        }
        if event.trace.outcome == Outcome::Passed && new {
            self.written(self.front.export(&event.case(), None));
        }
    }

    fn ran(&self, terms: &Terms, event: &RunEvent<'_>) {
        if let Ok(mut progress) = self.progress.try_lock() {
            progress.show(self.start.elapsed(), event.figures);
        }
        if event.growth.new_path {
            self.front.path(terms, &event.case());
        }
        if event.repeated {
            return;
        }
        self.record(&event.record(), matches!(event.trace.outcome, Outcome::Failed(_)));
        if self.kept(!event.trace.covered.is_empty()) && !self.troubled.load(Ordering::Relaxed) {
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
    }
}

/// What is locked here is whole even where a worker panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
