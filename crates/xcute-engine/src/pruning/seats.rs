//! Which node of the pruner's tree belongs to which decision of the path tree.
//!
//! The path tree knows decisions that inputs decide; the pruner's tree has nodes for all others as well, and ends where a node is full.
//!
//! **Invariant.** Nodes are of one pruner and of one partition of memory: with another one all of them are forgotten.

use xcute_prune::{NodeId as Node, Pruner};
use xcute_trace::segments::Arm;
use xcute_tree::{ArmId, PathTree};

use super::Skip;

/// Where a decision is in the pruner's tree.
#[derive(Clone, Copy, Debug)]
enum Seat {
    /// It is this node.
    At(Node),
    /// It comes after this one, which was full when a run came there.
    Below(Node),
}

impl Seat {
    fn node(self) -> Node {
        let (Seat::At(node) | Seat::Below(node)) = self;
        node
    }
}

/// The seats of all decisions that were met by runs with segments.
#[derive(Debug, Default)]
pub(crate) struct Seats {
    seats: Vec<Option<Seat>>,
}

impl Seats {
    /// Takes note of a run whose path ends with the arm `last`; `passed` are its nodes, and `ordinary` the places of its decisions among them.
    pub(crate) fn note(&mut self, tree: &PathTree, last: Option<ArmId>, passed: &[Node], ordinary: &[u32]) {
        let Some(end) = passed.last() else { return };
        self.seats.resize(tree.len().max(self.seats.len()), None);
        let mut at = last;
        while let Some(arm) = at {
            if let Some(&place) = ordinary.get(tree.depth(arm.node) as usize) {
                let seat = passed.get(place as usize).map_or(Seat::Below(*end), |node| Seat::At(*node));
                self.seats[arm.node.0 as usize] = Some(seat);
            }
            at = tree.parent(arm.node);
        }
    }

    /// What need not be tried because an arm cannot lead to a failure. Decisions that no run with segments came to are judged by the nearest one above them.
    pub(crate) fn subsumed(&self, tree: &PathTree, pruner: &Pruner, arm: ArmId) -> Option<Skip> {
        let way = std::iter::successors(Some(arm), |arm| tree.parent(arm.node));
        let mut seated = way.clone().filter_map(|arm| Some((arm, (*self.seats.get(arm.node.0 as usize)?)?)));
        if let Some((nearest, seat)) = seated.next() {
            if let Some(full) = pruner.covered(seat.node()) {
                // Along a path nodes are met in the order of their names.
                let above = seated.take_while(|(_, seat)| seat.node() >= full).last();
                return Some(Skip::Below(above.map_or(nearest, |(arm, _)| arm).node));
            }
            if let Seat::At(node) = seat
                && pruner.finished(node, Arm::Nth(nearest.arm))
            {
                return Some(Skip::Arm);
            }
        }
        if !pruner.has_shapes() {
            return None;
        }
        let mut arms: Vec<u32> = way.map(|arm| arm.arm).collect();
        arms.reverse();
        pruner.covers_trace(&arms).then_some(Skip::Arm)
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.seats.clear();
    }
}
