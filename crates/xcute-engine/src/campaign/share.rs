//! Workers of one campaign: they share open arms, and what is covered; and when memory turns out to be shared, all of them restart.
//!
//! A run may show that memory is shared which earlier runs took for private: then all earlier records lack steps.
//! Tree, explorer and strategy forget everything; failures, coverage and budgets stay. The search has a version: a worker that sees that
//! it is behind drops its tree, and the one that found out makes the first run again.
//!
//! **Invariant.** An arm that is handed over comes with an input and a schedule that lead to it, and is explored by the worker that receives it. Arms of one version
//! are never explored in another.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use xcute_strategy::Seen;
use xcute_trace::{Limit, SubjectError, TestCase};
use xcute_tree::{Growth, Parcel, PathTree};

use super::Campaign;
use crate::fuzzing::Fuzzing;
use crate::observer::Observer;
use crate::runner::outdated;

/// At most this many arms are handed over at once.
const PARCEL: u64 = 64;

impl Campaign<'_> {
    /// Tells the strategy what other workers covered, and gives arms to those that have none.
    pub(super) fn exchange(&mut self) {
        let covered = self.runner.crew.news(&mut self.heard);
        if !covered.is_empty() {
            self.strategy.observe(&Seen { tree: &self.tree, growth: &Growth::default(), covered: &covered });
        }
        if self.runner.crew.hungry() && !self.fuzzing.as_ref().is_some_and(Fuzzing::is_only) {
            self.share();
        }
    }

    /// Gives half of the open arms, or a few, to those that wait.
    fn share(&mut self) {
        let open = self.tree.counts().open;
        if open >= 2 {
            let most = usize::try_from((open / 2).min(PARCEL)).unwrap_or(1);
            let mut parcels = self.tree.give(most);
            for parcel in &mut parcels {
                parcel.input = self.runner.subject.export(&parcel.input);
                parcel.schedule.choices = self.schedule(&parcel.path).unwrap_or_default().choices;
            }
            self.runner.crew.give(self.version, parcels);
        }
    }

    /// Takes over arms of another worker: one run that is not a new one, but makes their conditions known here.
    pub(super) fn receive(&mut self, observer: &dyn Observer, parcel: Parcel) -> Result<(), SubjectError> {
        let runner = &mut self.runner;
        let input = runner.subject.import(&parcel.input, &mut runner.terms);
        let trace = match runner.run(observer, &TestCase { input, schedule: parcel.schedule.clone() }, &[]) {
            Ok(trace) => trace,
            Err(error) => {
                // Its arms are still open.
                runner.crew.give(self.version, vec![parcel]);
                return Err(error);
            }
        };
        runner.results.handovers += 1;
        let covered = runner.cover(&trace.covered);
        if outdated(&trace) {
            self.restart(observer, false);
            return Ok(());
        }
        let growth = self.tree.receive(&runner.terms, &parcel, &trace);
        self.strategy.observe(&Seen { tree: &self.tree, growth: &growth, covered: &covered });
        self.count_open();
        Ok(())
    }

    /// Brings the crew's figure of open arms up to date.
    pub(super) fn count_open(&mut self) {
        let open = self.tree.counts().open;
        self.runner.crew.figures.open.fetch_add(open.wrapping_sub(self.open), Relaxed);
        self.open = open;
    }

    /// Restarts the search of all workers; this one will make the first run. `recorded`: the restart is known from an earlier campaign.
    pub(super) fn restart(&mut self, observer: &dyn Observer, recorded: bool) {
        let crew = Arc::clone(&self.runner.crew);
        crew.restart(|| observer.restarted(recorded));
        self.start_over();
        self.begin = true;
    }

    /// Catches up with the version of the others.
    pub(super) fn catch_up(&mut self) {
        if self.scheduling.is_some() && self.runner.crew.version() != self.version {
            self.start_over();
        }
    }

    fn start_over(&mut self) {
        self.version = self.runner.crew.version();
        self.tree = PathTree::new();
        self.strategy.restart();
        if let Some(pruning) = &mut self.pruning {
            pruning.restart();
        }
        let results = &mut self.runner.results;
        results.sleep_blocked = 0;
        // What was said about the old tree says nothing about the new one.
        results.limits.retain(|limit, _| !["nondeterminism", "depth", Limit::LATER].contains(&limit.kind.as_str()));
        (self.begin, self.runner.outdated) = (false, false);
        self.count_open();
    }
}
