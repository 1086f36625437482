//! Uniform random search (URS): a random branch of the path that was run last, each being equally likely.
//!
//! Burnim & Sen's strategy (CREST) as [jaffar-murali-navas-2013] describes it: the search turns round at a random branch of the current path. CREST may run a
//! path again; ours knows the tree, so every pick is a new arm and the search ends. Where the current path has no open arm left, a random walk
//! from the root finds another one: each arm that still leads to something open is equally likely.

use xcute_tree::{Arm, ArmId, Child, NodeId, PathTree};

use crate::current::Current;
use crate::strategy::{Seen, Strategy};

/// Uniform random.
#[derive(Debug)]
pub struct UniformRandom {
    random: fastrand::Rng,
    current: Current,
}

impl UniformRandom {
    /// A search with this seed.
    #[must_use]
    pub fn new(seed: u64) -> UniformRandom {
        UniformRandom { random: fastrand::Rng::with_seed(seed), current: Current::default() }
    }

    /// The `k`-th arm of a decision below which something is open.
    fn choose(&mut self, tree: &PathTree, node: NodeId) -> Option<(ArmId, Arm)> {
        let alive = |arm: u32| {
            let id = ArmId { node, arm };
            let state = tree.arm(id);
            let open = match state {
                Arm::Open => true,
                Arm::Taken(Child::Node(child)) | Arm::Foreign(Some(Child::Node(child))) => tree.open_below(child) > 0,
                _ => false,
            };
            open.then_some((id, state))
        };
        let count = (0..tree.arm_count(node)).filter_map(alive).count();
        if count == 0 {
            return None;
        }
        let k = self.random.usize(..count);
        (0..tree.arm_count(node)).filter_map(alive).nth(k)
    }
}

impl Strategy for UniformRandom {
    fn name(&self) -> &'static str {
        "random"
    }

    fn observe(&mut self, seen: &Seen<'_>) {
        self.current.observe(seen);
    }

    fn restart(&mut self) {
        self.current = Current::default();
    }

    fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
        let open: Vec<ArmId> = self.current.open(tree).collect();
        if !open.is_empty() {
            return Some(open[self.random.usize(..open.len())]);
        }
        let Some(Child::Node(mut at)) = tree.root() else { return None };
        loop {
            match self.choose(tree, at)? {
                (arm, Arm::Open) => return Some(arm),
                (_, Arm::Taken(Child::Node(child)) | Arm::Foreign(Some(Child::Node(child)))) => at = child,
                _ => return None,
            }
        }
    }
}
