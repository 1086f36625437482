//! Coverage first, the default: open arms of branches that nobody has covered, nearest to the root of interest first; then the
//! branch that was tried least often, its newest and its oldest arm in turn.
//!
//! Every arm of a site is one bucket. Buckets are ordered by (covered?, distance to something uncovered, times tried), so a bucket
//! that keeps failing falls back and a rare branch comes forward. Within a bucket the newest and the oldest arm are taken in turn:
//! the newest keeps the next run close to the last one, as depth-first search does; the oldest keeps inputs small where
//! paths have no end. Schedule choices are no places of the program: their arms and those of branches are taken in turn.

use std::collections::{BTreeSet, VecDeque};

use xcute_trace::{SiteId, Sites};
use xcute_tree::{Arm, ArmId, PathTree};

use crate::distance::Distances;
use crate::strategy::{Seen, Strategy};
use crate::turns::Turns;

#[derive(Debug, Default)]
struct Bucket {
    arms: VecDeque<ArmId>,
    tried: u32,
}

/// Coverage first.
#[derive(Debug)]
pub struct Coverage {
    graph: Distances,
    covered: Vec<bool>,
    buckets: Vec<Bucket>,
    /// The buckets that hold arms: (rank, tried, bucket).
    queue: BTreeSet<(u32, u32, usize)>,
    /// The rank of each bucket: its distance to the nearest uncovered arm, 0 if it is one.
    rank: Vec<u32>,
    /// Whether anything is uncovered; when not, all ranks are equal and never change again.
    aiming: bool,
    schedules: Turns,
}

impl Coverage {
    /// A search over these sites.
    #[must_use]
    pub fn new(sites: &Sites) -> Coverage {
        let graph = Distances::new(sites);
        let mut covered = vec![true; graph.len()];
        for (id, site) in (0..).zip(&sites.sites) {
            for arm in 0..site.arms {
                covered[graph.index(SiteId(id), arm)] = !site.counts();
            }
        }
        let buckets = std::iter::repeat_with(Bucket::default).take(graph.len()).collect();
        let rank = vec![0; graph.len()];
        let mut search = Coverage { graph, covered, buckets, queue: BTreeSet::new(), rank, aiming: true, schedules: Turns::default() };
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
        for i in 0..self.rank.len() {
            let rank = self.graph.get(i);
            if rank != self.rank[i] {
                if self.queue.remove(&(self.rank[i], self.buckets[i].tried, i)) {
                    self.queue.insert((rank, self.buckets[i].tried, i));
                }
                self.rank[i] = rank;
            }
        }
    }
}

impl Strategy for Coverage {
    fn name(&self) -> &'static str {
        "coverage"
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
            if self.schedules.keep(seen.tree, arm) {
                continue;
            }
            let i = self.graph.index(seen.tree.site(arm.node), arm.arm);
            if self.buckets[i].arms.is_empty() {
                self.queue.insert((self.rank[i], self.buckets[i].tried, i));
            }
            self.buckets[i].arms.push_back(arm);
        }
    }

    fn restart(&mut self) {
        self.schedules = Turns::default();
        self.queue.clear();
        self.buckets.iter_mut().for_each(|bucket| *bucket = Bucket::default());
    }

    fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
        if let Some(arm) = self.schedules.pick(tree) {
            return Some(arm);
        }
        loop {
            let Some((_, tried, i)) = self.queue.pop_first() else { return self.schedules.any(tree) };
            let bucket = &mut self.buckets[i];
            let arm = if tried % 2 == 0 { bucket.arms.pop_back() } else { bucket.arms.pop_front() };
            let open = arm.filter(|&a| tree.arm(a) == Arm::Open);
            bucket.tried = tried.saturating_add(u32::from(open.is_some()));
            if !bucket.arms.is_empty() {
                self.queue.insert((self.rank[i], bucket.tried, i));
            }
            if open.is_some() {
                return open;
            }
        }
    }
}
