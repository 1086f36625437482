//! What the workers of one campaign share: budgets, open arms for idle workers, coverage, failures.
//!
//! Every worker has a subject, a solver, a strategy, terms and a tree of its own, so nothing of the hot loop is locked. Work is shared by
//! handing over open arms ([`xcute_tree::Parcel`]): idle workers wait here; busy ones give away arms near the root, where most
//! work is likely.
//!
//! **Invariant.** The campaign is over when every worker waits and no parcel is left, or when one of them says so. A failure is
//! confirmed by one worker at a time.

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use xcute_trace::SiteId;
use xcute_tree::Parcel;

use crate::failing::found::FoundList;
use crate::options::Scheduling;
use crate::results::StopReason;
use crate::scheduling::shared::Schedules;

/// The figures of a campaign that runs, over all workers.
#[derive(Debug, Default)]
pub struct Figures {
    pub(crate) runs: AtomicU64,
    pub(crate) paths: AtomicU64,
    pub(crate) open: AtomicU64,
    pub(crate) covered: AtomicU64,
    pub(crate) failures: AtomicU64,
    pub(crate) branches: u64,
}

impl Figures {
    /// Runs of the subject.
    #[must_use]
    pub fn runs(&self) -> u64 {
        self.runs.load(Relaxed)
    }

    /// Distinct paths that ran to an end.
    #[must_use]
    pub fn paths(&self) -> u64 {
        self.paths.load(Relaxed)
    }

    /// Open arms.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.open.load(Relaxed)
    }

    /// Branch arms covered, and all there are.
    #[must_use]
    pub fn branches(&self) -> (u64, u64) {
        (self.covered.load(Relaxed), self.branches)
    }

    /// Confirmed failures.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.failures.load(Relaxed)
    }
}

/// The shared part.
#[derive(Debug)]
pub(crate) struct Crew {
    pub(crate) figures: Figures,
    workers: usize,
    exchange: Mutex<Exchange>,
    wake: Condvar,
    /// Workers that wait and have no parcel in sight.
    hungry: AtomicUsize,
    ended: AtomicBool,
    covered: Mutex<Covered>,
    /// How many arms are in the log of `covered`.
    news: AtomicUsize,
    failures: Mutex<FoundList>,
    schedules: Mutex<Schedules>,
    /// How often the search restarted.
    version: AtomicU64,
}

#[derive(Debug, Default)]
struct Exchange {
    /// Each with the version it is of.
    parcels: VecDeque<(u64, Parcel)>,
    waiting: usize,
    reason: Option<StopReason>,
}

#[derive(Debug, Default)]
struct Covered {
    known: BTreeSet<(SiteId, u32)>,
    log: Vec<(SiteId, u32)>,
}

impl Crew {
    pub(crate) fn new(workers: usize, branches: u64, scheduling: Scheduling) -> Crew {
        Crew {
            figures: Figures { branches, ..Figures::default() },
            workers,
            exchange: Mutex::default(),
            wake: Condvar::new(),
            hungry: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            covered: Mutex::default(),
            news: AtomicUsize::new(0),
            failures: Mutex::default(),
            schedules: Mutex::new(Schedules::new(scheduling)),
            version: AtomicU64::new(0),
        }
    }

    /// Whether somebody waits for arms.
    pub(crate) fn hungry(&self) -> bool {
        self.hungry.load(Relaxed) > 0
    }

    /// Why the campaign is over, if it is.
    pub(crate) fn ended(&self) -> Option<StopReason> {
        if self.ended.load(Relaxed) { lock(&self.exchange).reason } else { None }
    }

    /// Ends the campaign for everybody. The first reason counts.
    pub(crate) fn end(&self, reason: StopReason) -> StopReason {
        let mut exchange = lock(&self.exchange);
        let reason = *exchange.reason.get_or_insert(reason);
        self.ended.store(true, Relaxed);
        self.wake.notify_all();
        reason
    }

    /// Puts arms up for whoever waits, unless the search restarted since this version.
    pub(crate) fn give(&self, version: u64, parcels: Vec<Parcel>) {
        let mut exchange = lock(&self.exchange);
        if self.version() != version {
            return;
        }
        exchange.parcels.extend(parcels.into_iter().map(|parcel| (version, parcel)));
        self.count(&exchange);
        self.wake.notify_all();
    }

    /// Waits for arms, which are of the version that comes with them. `None` when the campaign is over.
    pub(crate) fn wait(&self) -> Option<(u64, Parcel)> {
        let mut exchange = lock(&self.exchange);
        exchange.waiting += 1;
        loop {
            if exchange.reason.is_some() {
                return None;
            }
            if let Some(parcel) = exchange.parcels.pop_front() {
                exchange.waiting -= 1;
                self.count(&exchange);
                return Some(parcel);
            }
            if exchange.waiting == self.workers {
                drop(exchange);
                self.end(StopReason::Exhausted);
                return None;
            }
            self.count(&exchange);
            exchange = self.wake.wait(exchange).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The parcels that nobody took before the end.
    pub(crate) fn left(&self) -> u64 {
        lock(&self.exchange).parcels.iter().map(|(_, parcel)| parcel.offers.len() as u64).sum()
    }

    fn count(&self, exchange: &Exchange) {
        self.hungry.store(exchange.waiting.saturating_sub(exchange.parcels.len()), Relaxed);
    }

    /// Of these arms, those that no worker had covered before.
    pub(crate) fn cover(&self, arms: &[(SiteId, u32)]) -> Vec<(SiteId, u32)> {
        let mut covered = lock(&self.covered);
        let new: Vec<_> = arms.iter().copied().filter(|&arm| covered.known.insert(arm)).collect();
        covered.log.extend_from_slice(&new);
        self.news.store(covered.log.len(), Relaxed);
        new
    }

    /// What was covered since `heard` arms were.
    pub(crate) fn news(&self, heard: &mut usize) -> Vec<(SiteId, u32)> {
        if self.workers == 1 || self.news.load(Relaxed) == *heard {
            return Vec::new();
        }
        let covered = lock(&self.covered);
        let new = covered.log[*heard..].to_vec();
        *heard = covered.log.len();
        new
    }

    /// What is known about schedules.
    pub(crate) fn schedules(&self) -> MutexGuard<'_, Schedules> {
        lock(&self.schedules)
    }

    /// How often the search restarted.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Relaxed)
    }

    /// Restarts the search; `tell` is called before anybody can record something of the new one.
    pub(crate) fn restart(&self, tell: impl FnOnce()) {
        let mut schedules = lock(&self.schedules);
        let mut exchange = lock(&self.exchange);
        self.version.store(schedules.restart(), Relaxed);
        self.figures.paths.store(0, Relaxed);
        exchange.parcels.clear();
        self.count(&exchange);
        tell();
    }

    /// The failures; locked while one is confirmed.
    pub(crate) fn failures(&self) -> MutexGuard<'_, FoundList> {
        lock(&self.failures)
    }
}

/// A panic of another worker ends the campaign by itself; what it left here is whole, for nothing here can panic half-way.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
