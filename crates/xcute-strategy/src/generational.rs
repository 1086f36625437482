//! Generational search: expand the run that covered most new arms, all of its arms at once.
//!
//! Godefroid, Levin & Molnar, "Automated whitebox fuzz testing" (SAGE): each run is a parent, scored by the coverage it
//! added; all its open arms are its children. The bound that keeps SAGE from repeating a prefix is implicit here: the tree hands
//! out only arms that this run came to first.

use std::collections::{BinaryHeap, VecDeque};

use xcute_tree::{Arm, ArmId, PathTree};

use crate::strategy::{Seen, Strategy};

/// Generational.
#[derive(Debug, Default)]
pub struct Generational {
    /// Score, then the older run first.
    parents: BinaryHeap<(usize, std::cmp::Reverse<u32>)>,
    /// The arms of each run that is still in `parents`.
    arms: std::collections::BTreeMap<u32, Vec<ArmId>>,
    current: VecDeque<ArmId>,
}

impl Generational {
    /// An empty search.
    #[must_use]
    pub fn new() -> Generational {
        Generational::default()
    }
}

impl Strategy for Generational {
    fn name(&self) -> &'static str {
        "generational"
    }

    fn observe(&mut self, seen: &Seen<'_>) {
        if seen.growth.opened.is_empty() {
            return;
        }
        self.parents.push((seen.covered.len(), std::cmp::Reverse(seen.growth.run)));
        self.arms.insert(seen.growth.run, seen.growth.opened.clone());
    }

    fn restart(&mut self) {
        *self = Generational::new();
    }

    fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
        loop {
            while let Some(arm) = self.current.pop_front() {
                if tree.arm(arm) == Arm::Open {
                    return Some(arm);
                }
            }
            let (_, std::cmp::Reverse(run)) = self.parents.pop()?;
            self.current.extend(self.arms.remove(&run).unwrap_or_default());
        }
    }
}
