//! Settling open arms that no run will take, one or a whole subtree at once.
//!
//! **Invariant.** A subtree is settled in time linear in its decisions with open arms, whatever its depth: the counts above it change once.

use crate::tree::{Arm, ArmId, Child, NodeId, PathTree};

impl PathTree {
    /// Settles an open arm that no run will take: infeasible, unknown, pruned, subsumed or diverged.
    pub fn settle(&mut self, id: ArmId, state: Arm) {
        let slot = self.slot(id);
        debug_assert_eq!(self.arms[slot], Arm::Open, "an arm leaves Open once");
        self.arms[slot] = state;
        self.count(Arm::Open, -1);
        self.count(state, 1);
        self.close_one(id);
    }

    /// Settles all open arms of a decision and below it; returns them, those of a decision before those below it.
    pub fn settle_below(&mut self, top: NodeId, state: Arm) -> Vec<ArmId> {
        let mut settled = Vec::new();
        let mut work = vec![top];
        while let Some(node) = work.pop() {
            for arm in (0..self.node(node).arms).map(|arm| ArmId { node, arm }) {
                match self.arm(arm) {
                    Arm::Open => settled.push(arm),
                    Arm::Taken(Child::Node(child)) | Arm::Foreign(Some(Child::Node(child))) if self.open_below(child) > 0 => {
                        work.push(child)
                    }
                    _ => {}
                }
            }
            if node != top {
                self.nodes[node.0 as usize].open = 0;
            }
        }
        for &arm in &settled {
            let slot = self.slot(arm);
            self.arms[slot] = state;
            self.count(Arm::Open, -1);
            self.count(state, 1);
            self.release(arm);
        }
        let open = u32::try_from(settled.len()).expect("fewer than 2^32 arms");
        debug_assert_eq!(self.open_below(top), open, "the counts know every open arm");
        self.close_above(top, open);
        settled
    }

    /// An arm is no longer open: its ancestors and the run that opened it know.
    pub(crate) fn close_one(&mut self, arm: ArmId) {
        self.release(arm);
        self.close_above(arm.node, 1);
    }

    /// The run that opened an arm no longer keeps its input for it.
    fn release(&mut self, arm: ArmId) {
        let run = self.openers.remove(&arm).unwrap_or_else(|| self.node(arm.node).run) as usize;
        self.runs[run].open -= 1;
        if self.runs[run].open == 0 {
            self.runs[run].input = None;
        }
    }

    /// This many arms here and below are no longer open.
    fn close_above(&mut self, node: NodeId, arms: u32) {
        let mut at = Some(node);
        while let Some(n) = at {
            self.nodes[n.0 as usize].open -= arms;
            at = self.parent(n).map(|a| a.node);
        }
    }
}

#[cfg(test)]
mod tests;
