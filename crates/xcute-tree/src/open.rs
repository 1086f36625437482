//! Opening idle arms: schedule choices that somebody asks for.
//!
//! Branches open their arms by themselves. Which schedule arms are worth a run is known only later, from a race below the choice, perhaps in
//! a run that was not the first to come there. The arm then takes its input from that run.
//!
//! **Invariant.** An opened arm lies on the path of the run that opens it.

use xcute_term::Model;

use crate::grow::Growth;
use crate::tree::{Arm, ArmId, PathTree};

impl PathTree {
    /// The arms on the path of a run, by the depth of their decisions, as far as they are in the tree.
    #[must_use]
    pub fn path(&self, growth: &Growth) -> Vec<ArmId> {
        let mut path = Vec::new();
        let mut at = growth.last;
        while let Some(arm) = at {
            path.push(arm);
            at = self.parent(arm.node);
        }
        path.reverse();
        path
    }

    /// Opens arms of decisions on the path of the run that has just grown the tree; `input` is its input. Arms that are not idle, nor another
    /// tree's, stay as they are. What was opened is added to the growth.
    pub fn open(&mut self, growth: &mut Growth, arms: &[ArmId], input: &Model) {
        let before = growth.opened.len();
        for &arm in arms {
            let slot = self.slot(arm);
            if matches!(self.arms[slot], Arm::Idle | Arm::Foreign(None)) {
                self.arms[slot] = Arm::Open;
                self.count(Arm::Open, 1);
                if self.node(arm.node).run != growth.run {
                    self.openers.insert(arm, growth.run);
                }
                growth.opened.push(arm);
            }
        }
        let new = growth.opened.len() - before;
        if new == 0 {
            return;
        }
        let run = &mut self.runs[growth.run as usize];
        run.open += u32::try_from(new).expect("few arms");
        run.input.get_or_insert_with(|| Box::new(input.clone()));
        growth.opened[before..].sort_by_key(|arm| self.depth(arm.node));
        self.open_above(&growth.opened[before..]);
        growth.opened.sort_by_key(|arm| self.depth(arm.node));
    }

    /// Adds new open arms of one path, in its order, to the counts of their ancestors.
    fn open_above(&mut self, arms: &[ArmId]) {
        let mut pending = arms.iter().rev().peekable();
        let mut below = 0;
        let mut at = arms.last().map(|arm| arm.node);
        while let Some(node) = at {
            while pending.next_if(|arm| arm.node == node).is_some() {
                below += 1;
            }
            self.nodes[node.0 as usize].open += below;
            at = self.parent(node).map(|arm| arm.node);
        }
    }
}

#[cfg(test)]
mod tests;
