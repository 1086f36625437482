//! Bounded depth-first search: the deepest open arm of the latest path.
//!
//! [sen-marinov-agha-2006 §4.1.4, Fig. 11]. The bound itself is the tree's: decisions beyond `--depth` are not inserted.
//! We deviate in one point: after a run that missed its promise the search goes on instead of starting again.

use xcute_tree::{Arm, ArmId, PathTree};

use crate::strategy::{Seen, Strategy};

/// Depth first.
#[derive(Debug, Default)]
pub struct BoundedDfs {
    stack: Vec<ArmId>,
}

impl BoundedDfs {
    /// An empty search.
    #[must_use]
    pub fn new() -> BoundedDfs {
        BoundedDfs::default()
    }
}

impl Strategy for BoundedDfs {
    fn name(&self) -> &'static str {
        "dfs"
    }

    fn observe(&mut self, seen: &Seen<'_>) {
        self.stack.extend_from_slice(&seen.growth.opened);
    }

    fn restart(&mut self) {
        self.stack.clear();
    }

    fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
        while let Some(arm) = self.stack.pop() {
            if tree.arm(arm) == Arm::Open {
                return Some(arm);
            }
        }
        None
    }
}
