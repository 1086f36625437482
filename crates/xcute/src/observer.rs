//! The world outside the engine: clock, Ctrl-C, confirmation, progress, and what goes to the results directory while the campaign runs.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use xcute_engine::{Aside, Confirmation, Observer, Place, Record, RunEvent};
use xcute_term::Terms;
use xcute_trace::{Failure, Outcome, TestCase, Trace};
use xcute_tree::Arm;

use crate::failures::Failures;
use crate::front::FrontEnd;
use crate::interrupt::Interrupt;
use crate::journal::Journal;
use crate::plan::Keep;
use crate::progress::Progress;
use crate::results::Directory;
use crate::resume::Begun;

/// A failure that is being repeated when the search is to end has so long to show itself.
const GRACE: Duration = Duration::from_millis(500);

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
    /// When it was first seen that the search is to end. In nanoseconds; 0: not yet.
    ended: AtomicU64,
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
            ended: AtomicU64::new(0),
        }
    }

    /// What was found, and what could not be written, if anything.
    pub fn into_failures(self) -> (Failures, Option<anyhow::Error>) {
        let trouble = self.trouble.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.failures.into_inner().unwrap_or_else(PoisonError::into_inner), trouble)
    }

    /// Whether a failure that is being repeated has to be left: the search is to end, and has been for a while. A full disk is no reason.
    fn overdue(&self) -> bool {
        if !self.interrupt.came() && !self.time_is_up() {
            return false;
        }
        let now = self.start.elapsed();
        let nanoseconds = u64::try_from(now.as_nanos()).unwrap_or(u64::MAX).max(1);
        let first = self.ended.compare_exchange(0, nanoseconds, Ordering::Relaxed, Ordering::Relaxed).unwrap_or_else(|first| first);
        first != 0 && now.saturating_sub(Duration::from_nanos(first)) > GRACE
    }

    fn time_is_up(&self) -> bool {
        let searched = || self.start.elapsed().saturating_sub(Duration::from_nanos(self.begun.load(Ordering::Relaxed)));
        self.time.is_some_and(|time| searched() >= time)
    }

    fn record(&self, record: &Record, now: bool) {
        self.written(self.journal.add(record, self.start.elapsed(), now, |known| self.front.variables(known)));
    }

    /// Keeps the case of a run, here and for other tools. What an earlier campaign recorded it kept as well, unless it was killed before; other tools get
    /// all of it again.
    fn keep_case(&self, terms: &Terms, (run, nth): (u64, Option<usize>), trace: &Trace, repeated: bool, case: impl Fn() -> TestCase) {
        let new = !trace.covered.is_empty();
        if self.troubled.load(Ordering::Relaxed) {
            return;
        }
        if self.kept(new) && !(repeated && self.directory.has_case(run, nth)) {
            let failure = if let Outcome::Failed(failure) = &trace.outcome { Some(failure) } else { None };
            let text = self.front.case_file(terms, &case(), failure);
            self.written(self.directory.case(run, nth, &text));
        }
        if trace.outcome == Outcome::Passed && new {
            self.written(self.front.export(&case(), None));
        }
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
        self.interrupt.came() || self.troubled.load(Ordering::Relaxed) || self.time_is_up()
    }

    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase) -> Confirmation {
        self.front.confirm(terms, failure, case, &|| self.overdue())
    }

    fn found(&self, terms: &Terms, failure: &Failure, case: &TestCase) {
        self.written(lock(&self.failures).add(self.front, terms, failure, case, self.directory));
    }

    fn doubted(&self, terms: &Terms, failure: &Failure, case: &TestCase, why: &str) {
        self.written(lock(&self.failures).doubt(self.front, terms, (failure, why), case, self.directory));
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
        self.keep_case(terms, (event.number, Some(event.nth)), event.trace, event.repeated, || event.case());
    }

    fn ran(&self, terms: &Terms, event: &RunEvent<'_>) {
        if let Ok(mut progress) = self.progress.try_lock() {
            progress.show(self.start.elapsed(), event.figures);
        }
        if event.growth.new_path {
            self.front.path(terms, &event.case());
        }
        if !event.repeated {
            self.record(&event.record(), matches!(event.trace.outcome, Outcome::Failed(_)));
        }
        self.keep_case(terms, (event.number, None), event.trace, event.repeated, || event.case());
    }
}

/// What is locked here is whole even where a worker panicked.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
