//! Look-ups: what the search asks before it runs an arm (IsSubsumedPath, [jaffar-murali-navas-2013 Fig. 4], line 4), and what others want to see of the tree.
//!
//! **Invariant.** Just look-ups: nothing is executed, asked or changed, except for the counter of what was skipped.

use crate::interpolant::{Annotation, Horizon};
use crate::pruner::Pruner;
use crate::tree::{Child, Node, NodeId};
use xcute_trace::segments::Arm;

/// How many nodes are looked at for one path before it is given up.
const STEPS: usize = 1 << 12;

impl Pruner {
    /// Whether an arm of a node need not be run because everything after it was.
    #[must_use]
    pub fn finished(&self, node: NodeId, arm: Arm) -> bool {
        self.node(node).finished(arm)
    }

    /// Nothing below a node need be run if it is full, or one above it: the first such node of its path.
    #[must_use]
    pub fn covered(&self, node: NodeId) -> Option<NodeId> {
        let above = |node: &NodeId| self.node(*node).parent.map(|parent| parent.0);
        std::iter::successors(Some(node), above).filter(|&node| self.node(node).full.is_some()).last()
    }

    /// Whether inputs have shapes, so that a path of traces may be several here.
    #[must_use]
    pub fn has_shapes(&self) -> bool {
        self.annotated.tree.shaped
    }

    /// Whether a path of traces, given by its arms, need not be run, whatever the shapes of inputs are: for each of them there is a full node on it, or its
    /// last arm is finished, or the shape excludes an arm. The look-up for who knows decisions of traces only.
    #[must_use]
    pub fn covers_trace(&self, arms: &[u32]) -> bool {
        let Some(root) = self.annotated.tree.root() else { return false };
        let (mut work, mut steps) = (vec![(root, 0)], 0);
        while let Some((id, at)) = work.pop() {
            steps += 1;
            let node = self.node(id);
            if node.full.is_some() {
                continue;
            }
            if at == arms.len() || steps > STEPS {
                return false;
            }
            let (ways, next): (Vec<Arm>, usize) = match node.shape {
                Some(count) => ((0..count).map(Arm::Nth).collect(), at),
                None if node.in_trace => (vec![Arm::Nth(arms[at])], at + 1),
                // It goes one way only, which shapes and arms above it decide.
                None => (node.children.iter().filter(|(_, child)| **child != Child::Infeasible).map(|(&arm, _)| arm).collect(), at),
            };
            if ways.is_empty() {
                return false;
            }
            for way in ways {
                match node.children.get(&way) {
                    _ if node.finished(way) => {}
                    Some(Child::Infeasible) => {}
                    Some(Child::Node(child)) => work.push((*child, next)),
                    _ => return false,
                }
            }
        }
        true
    }

    /// Whether a path need not be run: a node on it is full, or its last arm is finished. Just a look-up.
    pub fn is_subsumed_path(&mut self, arms: &[Arm]) -> bool {
        let subsumed = self.look_up(arms);
        self.counters.skipped += u64::from(subsumed);
        subsumed
    }

    fn look_up(&self, arms: &[Arm]) -> bool {
        let Some((last, before)) = arms.split_last() else { return false };
        self.full_on_path(arms).is_some() || self.node_at(before).is_some_and(|node| self.node(node).finished(*last))
    }

    /// The node that a path leads to.
    #[must_use]
    pub fn node_at(&self, arms: &[Arm]) -> Option<NodeId> {
        arms.iter().try_fold(self.annotated.tree.root()?, |node, arm| self.behind(node, *arm))
    }

    /// The first full node on a path.
    #[must_use]
    pub fn full_on_path(&self, arms: &[Arm]) -> Option<NodeId> {
        let mut at = self.annotated.tree.root()?;
        for arm in arms {
            if self.node(at).full.is_some() {
                break;
            }
            at = self.behind(at, *arm)?;
        }
        self.node(at).full.is_some().then_some(at)
    }

    fn behind(&self, node: NodeId, arm: Arm) -> Option<NodeId> {
        match self.node(node).children.get(&arm) {
            Some(Child::Node(child)) => Some(*child),
            _ => None,
        }
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        self.annotated.tree.get(id)
    }

    /// All nodes, in the order in which they were met.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> {
        self.annotated.tree.nodes()
    }

    /// What is known of the whole program. It is verified where the root is full without a horizon.
    #[must_use]
    pub fn root(&self) -> Option<&Annotation> {
        self.annotated.tree.root().and_then(|root| self.annotated.tree.get(root).full())
    }

    /// Whether no run can fail.
    #[must_use]
    pub fn verified(&self) -> bool {
        self.root().is_some_and(|root| root.horizon == Horizon::INFINITE)
    }
}
