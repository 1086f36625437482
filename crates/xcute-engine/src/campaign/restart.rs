//! Restarting: when a run shows that memory is shared which earlier runs took for private, all earlier records lack steps.
//!
//! Tree, explorer and strategy forget everything; failures, coverage and budgets stay. With several workers there is a version: who sees that
//! it is behind drops its tree, and who found out makes the first run again.
//!
//! **Invariant.** Arms of one version are never explored in another.

use std::sync::Arc;

use xcute_trace::{Limit, SubjectError};
use xcute_tree::PathTree;

use crate::campaign::Campaign;
use crate::observer::Observer;

impl Campaign<'_> {
    /// Restarts the search of all workers; this one will make the first run. `recorded`: the restart is known from an earlier campaign.
    pub(crate) fn restart(&mut self, observer: &dyn Observer, recorded: bool) {
        let crew = Arc::clone(&self.crew);
        crew.restart(|| observer.restarted(recorded));
        self.start_over();
        self.begin = true;
    }

    /// Catches up with the version of the others.
    pub(crate) fn catch_up(&mut self) {
        if self.threads && self.crew.version() != self.version {
            self.start_over();
        }
    }

    fn start_over(&mut self) {
        self.version = self.crew.version();
        self.tree = PathTree::new();
        self.strategy.restart();
        self.forget_pruning();
        self.results.sleep_blocked = 0;
        // What was said about the old tree says nothing about the new one.
        self.results.limits.retain(|limit, _| !["nondeterminism", "depth", Limit::LATER].contains(&limit.kind.as_str()));
        (self.begin, self.outdated) = (false, false);
        self.tell_open();
    }

    /// Makes the first runs: the one without a promise, and the seeds.
    pub(crate) fn begin_runs(&mut self, observer: &dyn Observer) -> Result<(), SubjectError> {
        self.begin = false;
        self.first_run(observer)?;
        self.sow(observer)
    }
}
