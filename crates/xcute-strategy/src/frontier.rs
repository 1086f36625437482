//! Frontier: open arms of branches that nobody has covered, and those from which such a branch is near.
//!
//! Every arm of a site is one bucket. A bucket costs its distance to something uncovered, in the control-flow graph, and more the more often it was tried: with each doubling of its tries
//! it counts as [`STEP`] sites farther away. So what is near comes first, what keeps failing falls back, and nothing waits for ever. Within a bucket the newest and the oldest arm
//! are taken in turn: the newest keeps the next run close to the last one, as depth-first search does; the oldest keeps inputs small where paths have no end.
//!
//! When something new is covered, tries count half: what was in vain may be worth it now.
//!
//! **Invariant.** The queue holds each bucket that has arms once, by its present cost.

use std::collections::{BTreeSet, VecDeque};

use xcute_trace::{SiteId, Sites};
use xcute_tree::{Arm, ArmId, PathTree};

use crate::distance::{Distances, FAR};
use crate::strategy::{Seen, Strategy};

/// How many sites farther away a bucket counts that was tried twice as often.
const STEP: u32 = 2;

#[derive(Debug, Default)]
struct Bucket {
    arms: VecDeque<ArmId>,
    tried: u32,
    taken: u32,
    /// What it costs now; its place in the queue.
    cost: u32,
}

/// Near to what is not covered.
#[derive(Debug)]
pub(crate) struct Frontier {
    graph: Distances,
    covered: Vec<bool>,
    buckets: Vec<Bucket>,
    /// The buckets that hold arms: (cost, bucket).
    queue: BTreeSet<(u32, usize)>,
    /// Whether anything is uncovered; when not, no distance ever changes again.
    aiming: bool,
    /// What a site costs from which nothing uncovered can be reached: more than all others.
    far: u32,
}

impl Frontier {
    /// A search over these sites.
    pub(crate) fn new(sites: &Sites) -> Frontier {
        let graph = Distances::new(sites);
        let mut covered = vec![true; graph.len()];
        for (id, site) in (0..).zip(&sites.sites) {
            for arm in 0..site.arms {
                covered[graph.index(SiteId(id), arm)] = !site.counts();
            }
        }
        let buckets = std::iter::repeat_with(Bucket::default).take(graph.len()).collect();
        let mut search = Frontier { graph, covered, buckets, queue: BTreeSet::new(), aiming: true, far: 0 };
        search.aim();
        search
    }

    fn aim(&mut self) {
        if !self.aiming {
            return;
        }
        let targets: Vec<usize> = (0..self.covered.len()).filter(|&i| !self.covered[i]).collect();
        self.aiming = !targets.is_empty();
        self.graph.aim(targets.into_iter());
        let reached = (0..self.graph.len()).map(|i| self.graph.get(i)).filter(|&d| d != FAR);
        self.far = reached.max().unwrap_or(0) + 1;
        for i in 0..self.buckets.len() {
            self.buckets[i].tried /= 2;
            self.weigh(i);
        }
    }

    /// Puts a bucket where its cost belongs.
    fn weigh(&mut self, i: usize) {
        let bucket = &self.buckets[i];
        let cost = self.graph.get(i).min(self.far) + STEP * (bucket.tried + 1).ilog2();
        if cost != bucket.cost {
            if self.queue.remove(&(bucket.cost, i)) {
                self.queue.insert((cost, i));
            }
            self.buckets[i].cost = cost;
        }
    }
}

impl Strategy for Frontier {
    fn name(&self) -> &'static str {
        "frontier"
    }

    fn observe(&mut self, seen: &Seen<'_>) {
        if !seen.covered.is_empty() {
            for &(site, arm) in seen.covered {
                let index = self.graph.index(site, arm);
                self.covered[index] = true;
            }
            self.aim();
        }
        for &arm in &seen.growth.opened {
            let i = self.graph.index(seen.tree.site(arm.node), arm.arm);
            if self.buckets[i].arms.is_empty() {
                self.queue.insert((self.buckets[i].cost, i));
            }
            self.buckets[i].arms.push_back(arm);
        }
    }

    fn restart(&mut self) {
        self.queue.clear();
        for i in 0..self.buckets.len() {
            self.buckets[i] = Bucket::default();
            self.weigh(i);
        }
    }

    fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
        loop {
            let &(cost, i) = self.queue.first()?;
            let bucket = &mut self.buckets[i];
            let arm = if bucket.taken.is_multiple_of(2) { bucket.arms.pop_back() } else { bucket.arms.pop_front() };
            let open = arm.filter(|&a| tree.arm(a) == Arm::Open);
            if bucket.arms.is_empty() {
                self.queue.remove(&(cost, i));
            }
            if open.is_some() {
                bucket.taken = bucket.taken.wrapping_add(1);
                bucket.tried = bucket.tried.saturating_add(1);
                self.weigh(i);
                return open;
            }
        }
    }
}
