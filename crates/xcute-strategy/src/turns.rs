//! Schedule arms beside branch arms, for strategies that measure arms by the control-flow graph.
//!
//! A schedule choice is not a place of the program, and any statement may lie below it: no distance can be given. So both kinds are taken in
//! turn; the newest schedule arm and the oldest, too, as in the buckets of [`crate::Coverage`].
//!
//! **Invariant.** As long as one kind has an open arm, it gets every second pick.

use std::collections::VecDeque;

use xcute_trace::DecisionKind;
use xcute_tree::{Arm, ArmId, PathTree};

/// The schedule arms, and whose turn it is.
#[derive(Debug, Default)]
pub(crate) struct Turns {
    arms: VecDeque<ArmId>,
    picked: u32,
    /// The next pick is a schedule arm, if there is one.
    due: bool,
}

impl Turns {
    /// Keeps an arm if it is one of a schedule choice.
    pub(crate) fn keep(&mut self, tree: &PathTree, arm: ArmId) -> bool {
        let own = tree.kind(arm.node) == DecisionKind::Schedule;
        if own {
            self.arms.push_back(arm);
        }
        own
    }

    /// A schedule arm, if it is the turn of one.
    pub(crate) fn pick(&mut self, tree: &PathTree) -> Option<ArmId> {
        self.due = !self.due;
        if self.due { self.any(tree) } else { None }
    }

    /// A schedule arm, whoever's turn it is.
    pub(crate) fn any(&mut self, tree: &PathTree) -> Option<ArmId> {
        while let Some(arm) = if self.picked.is_multiple_of(2) { self.arms.pop_back() } else { self.arms.pop_front() } {
            if tree.arm(arm) == Arm::Open {
                self.picked = self.picked.wrapping_add(1);
                return Some(arm);
            }
        }
        None
    }
}
