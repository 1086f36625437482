//! CFG-directed search: the arm of the current path that is nearest, in the control-flow graph, to a target arm nobody has covered.
//!
//! Burnim & Sen's control-flow directed search in the form that [jaffar-murali-navas-2013] describes: the branch of the path run last with the least distance
//! to a target block, the next closest of that path when an arm fails, a new random target when one is reached. Where the path has no arm left from
//! which the target can be reached, the nearest of all open arms is taken; when no target can be reached any longer, the
//! remaining arms are taken at random, so the search still ends. Schedule choices are not in the graph: their arms and the others are
//! taken in turn.

use std::collections::BTreeSet;

use xcute_trace::{DecisionKind, Sites};
use xcute_tree::{Arm, ArmId, PathTree};

use crate::current::Current;
use crate::distance::{Distances, FAR};
use crate::strategy::{Seen, Strategy};
use crate::turns::Turns;

/// Directed by the control-flow graph.
#[derive(Debug)]
pub struct CfgDirected {
    graph: Distances,
    covered: Vec<bool>,
    target: Option<usize>,
    /// Targets that no open arm reached.
    hopeless: Vec<bool>,
    /// No target is left, until something new is covered.
    aimless: bool,
    queue: BTreeSet<(u32, ArmId)>,
    current: Current,
    random: fastrand::Rng,
    schedules: Turns,
}

impl CfgDirected {
    /// A search over these sites.
    #[must_use]
    pub fn new(sites: &Sites, seed: u64) -> CfgDirected {
        let graph = Distances::new(sites);
        let mut covered = vec![true; graph.len()];
        for (id, site) in (0..).zip(&sites.sites) {
            if site.counts() {
                for arm in 0..site.arms {
                    covered[graph.index(xcute_trace::SiteId(id), arm)] = false;
                }
            }
        }
        let hopeless = vec![false; covered.len()];
        CfgDirected {
            graph,
            covered,
            target: None,
            hopeless,
            aimless: false,
            queue: BTreeSet::new(),
            current: Current::default(),
            random: fastrand::Rng::with_seed(seed),
            schedules: Turns::default(),
        }
    }

    fn distance(&self, tree: &PathTree, arm: ArmId) -> u32 {
        self.graph.get(self.graph.index(tree.site(arm.node), arm.arm))
    }

    /// Chooses a target at random among those not covered and measures all open arms against it.
    fn aim(&mut self, tree: &PathTree) {
        let free: Vec<usize> = (0..self.covered.len()).filter(|&i| !self.covered[i] && !self.hopeless[i]).collect();
        self.aimless = free.is_empty();
        self.target = (!free.is_empty()).then(|| free[self.random.usize(..free.len())]);
        self.graph.aim(self.target.into_iter());
        let arms: Vec<ArmId> = self.queue.iter().map(|&(_, arm)| arm).filter(|&arm| tree.arm(arm) == Arm::Open).collect();
        self.queue = arms.into_iter().map(|arm| (self.distance(tree, arm), arm)).collect();
    }

    /// The arm of the current path that is nearest to the target, if any leads there.
    fn along(&mut self, tree: &PathTree) -> Option<ArmId> {
        let branches = self.current.open(tree).filter(|arm| tree.kind(arm.node) != DecisionKind::Schedule);
        let nearest = branches.map(|arm| (self.distance(tree, arm), arm)).min().filter(|(distance, _)| *distance < FAR)?;
        self.queue.remove(&nearest);
        Some(nearest.1)
    }

    fn any(&mut self) -> Option<ArmId> {
        let k = self.random.usize(..self.queue.len().max(1));
        let entry = *self.queue.iter().nth(k.min(63))?;
        self.queue.remove(&entry);
        Some(entry.1)
    }
}

impl Strategy for CfgDirected {
    fn name(&self) -> &'static str {
        "cfg"
    }

    fn observe(&mut self, seen: &Seen<'_>) {
        for &(site, arm) in seen.covered {
            let index = self.graph.index(site, arm);
            self.covered[index] = true;
            if self.target == Some(index) {
                self.target = None;
            }
        }
        if !seen.covered.is_empty() {
            self.hopeless.fill(false);
            self.aimless = false;
        }
        self.current.observe(seen);
        for &arm in &seen.growth.opened {
            if self.schedules.keep(seen.tree, arm) {
                continue;
            }
            let d = self.distance(seen.tree, arm);
            self.queue.insert((d, arm));
        }
    }

    fn restart(&mut self) {
        self.schedules = Turns::default();
        self.queue.clear();
        self.current = Current::default();
        self.hopeless.fill(false);
        self.aimless = false;
    }

    fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
        self.schedules.pick(tree).or_else(|| self.branch(tree)).or_else(|| self.schedules.any(tree))
    }
}

impl CfgDirected {
    /// The next arm of a branch.
    fn branch(&mut self, tree: &PathTree) -> Option<ArmId> {
        loop {
            if self.target.is_none() && !self.aimless {
                self.aim(tree);
            }
            let Some(target) = self.target else {
                let arm = self.any()?;
                if tree.arm(arm) == Arm::Open {
                    return Some(arm);
                }
                continue;
            };
            if let Some(arm) = self.along(tree) {
                return Some(arm);
            }
            let &(distance, arm) = self.queue.first()?;
            if distance == FAR {
                self.hopeless[target] = true;
                self.target = None;
                continue;
            }
            self.queue.pop_first();
            if tree.arm(arm) == Arm::Open {
                return Some(arm);
            }
        }
    }
}
