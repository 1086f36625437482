//! Generational search: expand the run that covered most new arms, all of its arms at once.
//!
//! Godefroid, Levin & Molnar, "Automated whitebox fuzz testing" (SAGE): each run is a parent, scored by the coverage it
//! added; all its open arms are its children. The bound that keeps SAGE from repeating a prefix is implicit here: the tree hands
//! out only arms that this run came to first.

use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};

use xcute_tree::{Arm, ArmId, PathTree};

use crate::strategy::{Seen, Strategy};

/// Generational.
#[derive(Debug, Default)]
pub struct Generational {
    /// The arms of each run that is not expanded yet: the best score first, then the oldest run.
    parents: BTreeMap<(Reverse<usize>, u32), Vec<ArmId>>,
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
        self.parents.insert((Reverse(seen.covered.len()), seen.growth.run), seen.growth.opened.clone());
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
            self.current.extend(self.parents.pop_first()?.1);
        }
    }
}
