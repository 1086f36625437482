//! Uniform random search (URS): a random walk from the root, each arm that still leads to something open being equally likely.
//!
//! Jaffar, Murali & Navas call the strategy of CREST (Burnim & Sen) by this name: at each decision of the path a fair coin.
//! CREST's walk may come to the end of a path it has seen; ours knows the tree and never enters an exhausted subtree, so every pick
//! is a new arm and the search ends.

use xcute_tree::{Arm, ArmId, Child, NodeId, PathTree};

use crate::strategy::{Seen, Strategy};

/// Uniform random.
#[derive(Debug)]
pub struct UniformRandom {
    random: fastrand::Rng,
}

impl UniformRandom {
    /// A search with this seed.
    #[must_use]
    pub fn new(seed: u64) -> UniformRandom {
        UniformRandom { random: fastrand::Rng::with_seed(seed) }
    }

    /// The `k`-th arm of a decision behind which something is open.
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

    fn observe(&mut self, _: &Seen<'_>) {}

    fn restart(&mut self) {}

    fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
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
