//! The world outside the engine: clock, Ctrl-C, confirmation, progress, and what goes to the results directory while the campaign runs.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use xcute_engine::{Aside, Confirmation, Observer, Place, Record, RunEvent};
use xcute_report::{InputValue, Moment, Timeline, Unconfirmed};
use xcute_term::{Interrupt as Flag, Terms};
use xcute_trace::{Failure, Outcome, TestCase, Trace};
use xcute_tree::Arm;

use super::changeover::{Confirmed, Earlier};
use super::progress::Progress;
use super::provenance::FirstRuns;
use crate::front::FrontEnd;
use crate::interrupt::Interrupt;
use crate::memory;
use crate::plan::Keep;
use crate::results::Directory;
use crate::results::failures::Failures;
use crate::results::journal::Journal;
use crate::results::origin::Begun;
use crate::results::summary::Asked;

/// Watches one campaign, whose workers share it.
pub struct Watch<'a, F> {
    pub front: &'a F,
    pub directory: &'a Directory,
    pub journal: &'a Journal,
    pub keep: Keep,
    pub budget: Budget,
    pub interrupt: Interrupt,
    pub start: Instant,
    /// Raised when the campaign has to end.
    pub flag: Flag,
    progress: Mutex<Progress>,
    failures: Mutex<Failures>,
    figures: Mutex<SoFar>,
    timeline: Mutex<Timeline>,
    /// The run that took each arm first, with the number of the run alongside it, if it was one.
    first: Mutex<FirstRuns>,
    /// The first thing that could not be written. It stops the campaign.
    trouble: Mutex<Option<anyhow::Error>>,
    troubled: AtomicBool,
    /// More memory is used than may be.
    full: AtomicBool,
    /// When the search began, in nanoseconds: after the runs of an earlier campaign were repeated. Until then it is [`NOT_BEGUN`].
    begun: AtomicU64,
    /// What is known from before the subjects were replaced by faster ones; `None` where they were not.
    earlier: Option<Earlier>,
    /// What came of repetitions so far.
    confirmed: Confirmed,
    /// The subjects are to be replaced by faster ones.
    faster: AtomicBool,
    /// Since when a run is being pruned, in nanoseconds; 0 where none is.
    pruning: AtomicU64,
    /// The search panicked.
    broken: AtomicBool,
}

/// What takes longer is shown, in nanoseconds.
const A_WHILE: u64 = 200_000_000;

/// The runs of an earlier campaign are being repeated.
const NOT_BEGUN: u64 = u64::MAX;

/// Subjects are replaced in this part of the time at the latest: compiling takes about as long as the runs before it, and repeating them less.
const EARLY: u32 = 4;

/// The figures at the last run that was heard of.
#[derive(Clone, Copy, Debug, Default)]
pub struct SoFar {
    pub runs: u64,
    pub paths: u64,
    pub branches: (u64, u64),
    pub open: u64,
}

/// What a campaign may use.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub time: Option<Duration>,
    /// In bytes.
    pub memory: Option<u64>,
}

impl<'a, F: FrontEnd> Watch<'a, F> {
    /// Watches from now on.
    pub fn new(front: &'a F, begun: &'a Begun, keep: Keep, budget: Budget, interrupt: Interrupt, progress: Progress) -> Self {
        Watch {
            front,
            directory: &begun.directory,
            journal: &begun.journal,
            keep,
            budget,
            interrupt,
            start: Instant::now(),
            flag: Flag::new(),
            progress: Mutex::new(progress),
            failures: Mutex::default(),
            figures: Mutex::default(),
            timeline: Mutex::default(),
            first: Mutex::default(),
            trouble: Mutex::default(),
            troubled: AtomicBool::new(false),
            full: AtomicBool::new(false),
            begun: AtomicU64::new(if begun.past.is_empty() { 0 } else { NOT_BEGUN }),
            earlier: None,
            confirmed: Confirmed::default(),
            faster: AtomicBool::new(false),
            pruning: AtomicU64::new(0),
            broken: AtomicBool::new(false),
        }
    }

    /// Goes on where the watch over slower subjects ended.
    pub fn after(mut self, earlier: Option<Earlier>) -> Self {
        let Some(mut earlier) = earlier else { return self };
        self.start = earlier.start;
        self.timeline = Mutex::new(std::mem::take(&mut earlier.timeline));
        self.confirmed = std::mem::take(&mut earlier.confirmed);
        self.earlier = Some(earlier);
        self
    }

    /// What the watch over faster subjects needs to know.
    pub fn into_earlier(self) -> Earlier {
        Earlier {
            start: self.start,
            begun: self.begun.into_inner(),
            timeline: self.timeline.into_inner().unwrap_or_else(PoisonError::into_inner),
            confirmed: self.confirmed,
        }
    }

    /// Whether the subjects are to be replaced from now on. What an earlier campaign recorded is repeated first; where little time is left it does not pay.
    fn wants_faster(&self) -> bool {
        if self.caught_up() && self.front.is_slow() && self.budget.time.is_none_or(|time| self.searched() < time / EARLY) {
            self.faster.store(true, Ordering::Relaxed);
        }
        self.faster.load(Ordering::Relaxed)
    }

    /// Whether the campaign has to end.
    fn is_over(&self) -> bool {
        if self.earlier.is_some() && !self.caught_up() {
            // What was known is known again soon: faster than it was found.
            return false;
        }
        let raised = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        self.interrupt.came() || raised(&self.troubled) || raised(&self.full) || self.is_late()
    }

    /// Looks at the clock, at what memory is used, and whether a signal came; whether the campaign has to end. Costs some system calls.
    pub fn look(&self) -> bool {
        let since = self.pruning.load(Ordering::Relaxed);
        if since > 0 && self.nanoseconds().saturating_sub(since) > A_WHILE {
            self.say("pruning paths");
        }
        if self.budget.memory.is_some_and(|most| memory::used() > most) {
            self.full.store(true, Ordering::Relaxed);
        }
        self.is_over()
    }

    /// The search ended with a panic.
    pub fn break_off(&self) {
        self.broken.store(true, Ordering::Relaxed);
    }

    /// Why the campaign had to end, if it had.
    pub fn asked(&self) -> Asked {
        match () {
            () if self.broken.load(Ordering::Relaxed) => Asked::Broken,
            () if self.interrupt.came() => Asked::Interrupted,
            () if self.full.load(Ordering::Relaxed) => Asked::Memory,
            () if self.troubled.load(Ordering::Relaxed) => Asked::Unwritten,
            () if self.is_late() => Asked::Time,
            () if self.faster.load(Ordering::Relaxed) => Asked::Faster,
            () => Asked::Time,
        }
    }

    /// What was found so far: failures, those that are not confirmed, their inputs, figures.
    pub fn so_far(&self) -> (Vec<xcute_report::Failure>, Vec<Unconfirmed>, BTreeMap<String, Vec<InputValue>>, SoFar) {
        let failures = lock(&self.failures);
        (failures.list.clone(), failures.unconfirmed(), failures.inputs.clone(), *lock(&self.figures))
    }

    /// How coverage grew so far.
    pub fn timeline(&self) -> Vec<Moment> {
        lock(&self.timeline).moments()
    }

    /// The run that took each arm first.
    pub fn first(&self) -> FirstRuns {
        lock(&self.first).clone()
    }

    /// Whether all runs of an earlier campaign were repeated, so that what is known now is at least what was known then.
    pub fn caught_up(&self) -> bool {
        self.begun.load(Ordering::Relaxed) != NOT_BEGUN
    }

    /// What was found, and what could not be written, if anything.
    pub fn into_failures(self) -> (Failures, Option<anyhow::Error>) {
        let trouble = self.trouble.into_inner().unwrap_or_else(PoisonError::into_inner);
        (self.failures.into_inner().unwrap_or_else(PoisonError::into_inner), trouble)
    }

    /// Since it began, and at least one.
    fn nanoseconds(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX).max(1)
    }

    /// For how long it has searched.
    fn searched(&self) -> Duration {
        self.start.elapsed().saturating_sub(Duration::from_nanos(self.begun.load(Ordering::Relaxed)))
    }

    /// Whether the time is used up.
    fn is_late(&self) -> bool {
        self.budget.time.is_some_and(|time| self.searched() >= time)
    }

    /// Whether this run was reported before the subjects were replaced.
    fn heard(&self, repeated: bool) -> bool {
        repeated && self.earlier.is_some()
    }

    fn record(&self, record: &Record, now: bool) {
        self.written(self.journal.add(record, self.start.elapsed(), now, |known| self.front.variables(known)));
    }

    /// Keeps the case of a run, here and for other tools. What an earlier campaign recorded it kept as well, unless it was killed before; other tools get
    /// all of it again.
    fn keep_case(&self, terms: &Terms, (run, nth): (u64, Option<usize>), trace: &Trace, repeated: bool, case: impl Fn() -> TestCase) {
        let new = self.is_new(trace, (run, nth));
        if self.troubled.load(Ordering::Relaxed) {
            return;
        }
        if self.kept(new) && !(repeated && self.directory.has_case(run, nth)) {
            let failure = if let Outcome::Failed(failure) = &trace.outcome { Some(failure) } else { None };
            let text = self.front.case_file(terms, &case(), failure);
            self.written(self.directory.case(run, nth, &text));
        }
        if trace.outcome == Outcome::Passed && new && !self.heard(repeated) {
            self.written(self.front.export(terms, &case(), None));
        }
    }

    /// Whether a run came to something first; takes note of that.
    fn is_new(&self, trace: &Trace, run: (u64, Option<usize>)) -> bool {
        if trace.covered.is_empty() && trace.reached.is_empty() {
            return false;
        }
        let mut first = lock(&self.first);
        let FirstRuns { arms, places } = &mut *first;
        trace.covered.iter().for_each(|arm| _ = arms.entry(*arm).or_insert(run));
        let known = places.len();
        // What another worker came to is not new.
        trace.reached.iter().for_each(|place| _ = places.entry(*place).or_insert(run));
        !trace.covered.is_empty() || places.len() > known
    }

    /// Whether the case of a run is kept.
    fn kept(&self, new: bool) -> bool {
        match self.keep {
            Keep::New => new,
            Keep::All => true,
            Keep::None => false,
        }
    }

    /// The name that the next failure gets.
    fn next_failure(&self) -> String {
        lock(&self.failures).next()
    }

    /// Shows what is done, until the next run ends.
    fn say(&self, what: &str) {
        if let Ok(progress) = self.progress.try_lock() {
            progress.say(what);
        }
    }

    /// Takes note of what could not be written.
    pub fn written(&self, result: anyhow::Result<()>) {
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
        // Faster subjects can wait for the end of a run or a query.
        self.is_over() || self.wants_faster()
    }

    fn interrupt(&self) -> Flag {
        self.flag.clone()
    }

    fn building(&self) {
        self.say("building the program so that paths can be pruned");
    }

    fn pruning(&self, now: bool) {
        let since = if now { self.nanoseconds() } else { 0 };
        self.pruning.store(since, Ordering::Relaxed);
    }

    fn minimising(&self) {
        self.say(&format!("minimising {}", self.next_failure()));
    }

    fn confirm(&self, terms: &Terms, failure: &Failure, case: &TestCase) -> Confirmation {
        self.say(&format!("confirming {} on the uninstrumented program", self.next_failure()));
        if !self.front.speeds_up() {
            return self.front.confirm(terms, failure, case, &self.flag);
        }
        // It may be asked for again when it is found by faster subjects.
        let text = self.front.case_file(terms, case, Some(failure)).text;
        self.confirmed.or(text, || self.front.confirm(terms, failure, case, &self.flag))
    }

    fn found(&self, terms: &Terms, failure: &Failure, case: &TestCase) {
        self.written(lock(&self.failures).add(self.front, terms, failure, case, self.directory));
    }

    fn doubted(&self, terms: &Terms, failure: &Failure, case: &TestCase, why: &str) {
        self.written(lock(&self.failures).doubt(self.front, terms, (failure, why), case, self.directory));
    }

    fn cleared(&self, failure: &Failure) {
        lock(&self.failures).clear(failure, self.directory);
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
        self.begun.store(self.earlier.as_ref().map_or_else(|| self.nanoseconds(), |earlier| earlier.begun), Ordering::Relaxed);
    }

    fn ran_aside(&self, terms: &Terms, event: &Aside<'_>) {
        self.keep_case(terms, (event.number, Some(event.nth)), event.trace, event.repeated, || event.case());
    }

    fn ran(&self, terms: &Terms, event: &RunEvent<'_>) {
        if let Ok(mut progress) = self.progress.try_lock() {
            progress.show(self.start.elapsed(), event.figures);
        }
        let figures = event.figures;
        *lock(&self.figures) = SoFar { runs: figures.runs(), paths: figures.paths(), branches: figures.branches(), open: figures.open() };
        if !event.trace.covered.is_empty() && !self.heard(event.repeated) {
            let (runs, branches) = (figures.runs(), figures.branches().0);
            lock(&self.timeline).note(Moment { seconds: self.start.elapsed().as_secs_f64(), runs, branches, paths: figures.paths() });
        }
        if event.growth.new_path && !self.heard(event.repeated) {
            self.front.path(terms, &event.case(), &event.trace.outcome);
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
