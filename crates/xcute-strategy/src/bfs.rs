//! Breadth-first search: the open arm with the fewest decisions before it; among equals the one found first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use xcute_tree::{Arm, ArmId, PathTree};

use crate::strategy::{Seen, Strategy};

/// Breadth first.
#[derive(Debug, Default)]
pub struct Bfs {
    heap: BinaryHeap<Reverse<(u32, ArmId)>>,
}

impl Bfs {
    /// An empty search.
    #[must_use]
    pub fn new() -> Bfs {
        Bfs::default()
    }
}

impl Strategy for Bfs {
    fn name(&self) -> &'static str {
        "bfs"
    }

    fn observe(&mut self, seen: &Seen<'_>) {
        self.heap.extend(seen.growth.opened.iter().map(|&arm| Reverse((seen.tree.depth(arm.node), arm))));
    }

    fn restart(&mut self) {
        self.heap.clear();
    }

    fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
        while let Some(Reverse((_, arm))) = self.heap.pop() {
            if tree.arm(arm) == Arm::Open {
                return Some(arm);
            }
        }
        None
    }
}
