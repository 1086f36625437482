//! What pruning did in a campaign.

use std::collections::BTreeSet;
use std::time::Duration;

use xcute_prune::Counters;

use super::annotated::AnnotatedNode;

/// What pruning did in a campaign.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pruned {
    /// The pruner's figures; `skipped` are arms that were not tried.
    pub counters: Counters,
    /// Why there was no pruning, or none of a part of the runs, each once.
    pub reasons: BTreeSet<String>,
    /// Time in it, runs of greedy confirmation included.
    pub time: Duration,
    /// Time that the subject took to get ready for runs with segments; not in `time`.
    pub build: Duration,
    /// Whether some worker found the root to be full: no run can fail.
    pub verified: bool,
    /// The annotated tree, where there is one worker and the tree is small.
    pub tree: Vec<AnnotatedNode>,
}

impl Pruned {
    /// Adds what another worker did.
    pub(crate) fn add(&mut self, other: Pruned) {
        self.counters.add(&other.counters);
        self.reasons.extend(other.reasons);
        self.time += other.time;
        self.build = self.build.max(other.build);
        self.verified |= other.verified;
        self.tree.clear();
    }
}
