//! The annotated execution tree: half and full interpolants at its nodes (Definition 2).
//!
//! A node is one decision of one path. Its half interpolant has an entry for each arm that is finished, over cells at the node; when all arms are, their
//! conjunction is the full interpolant.
//!
//! **Invariant.** I3: a node is full by its own arms or because it is subsumed; I5: one with a failure, a cut or a concretised value below is not.

use std::collections::BTreeMap;

use crate::counters::Half;
use crate::interpolant::Annotation;
use xcute_trace::segments::PointId;
use xcute_trace::segments::{Arm, Choice, Decision, End};

/// Names a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

/// What is below an arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// A decision.
    Node(NodeId),
    /// The end of a run.
    End(End),
    /// Nothing: no input goes there.
    Infeasible,
    /// The solver does not know.
    Unknown,
}

pub(crate) use Behind as Child;

/// A decision of a path.
#[derive(Debug)]
pub struct Node {
    pub(crate) point: PointId,
    pub(crate) parent: Option<(NodeId, Arm)>,
    /// Whether traces have this decision, too.
    pub(crate) in_trace: bool,
    /// Of the shape of an input: how many arms it has.
    pub(crate) shape: Option<u32>,
    /// The how many-th time its path came to the point.
    pub(crate) occurrence: u32,
    pub(crate) children: BTreeMap<Arm, Child>,
    /// The finished arms, in the order in which they were finished.
    pub(crate) arms: Vec<(Arm, Annotation)>,
    pub(crate) full: Option<Annotation>,
    pub(crate) subsumed: bool,
    /// Why it can never be full.
    pub(crate) taint: Option<Half>,
    /// How many of the interpolants of its point it was compared with.
    pub(crate) tried: usize,
}

impl Node {
    /// The program point.
    #[must_use]
    pub fn point(&self) -> PointId {
        self.point
    }

    /// The full interpolant.
    #[must_use]
    pub fn full(&self) -> Option<&Annotation> {
        self.full.as_ref()
    }

    /// Whether it is full because another node subsumes it.
    #[must_use]
    pub fn subsumed(&self) -> bool {
        self.subsumed
    }

    /// The finished arms with what holds of each: the half interpolant.
    #[must_use]
    pub fn half(&self) -> &[(Arm, Annotation)] {
        &self.arms
    }

    /// The arms that were met, in a fixed order, with what is below them.
    pub fn behind(&self) -> impl Iterator<Item = (Arm, Behind)> {
        self.children.iter().map(|(arm, behind)| (*arm, *behind))
    }

    /// Whether an arm is finished.
    pub(crate) fn finished(&self, arm: Arm) -> bool {
        self.arms.iter().any(|finished| finished.0 == arm)
    }

    /// The arms that were met, finished or not.
    pub(crate) fn seen(&self) -> Vec<Arm> {
        self.children.keys().copied().collect()
    }
}

/// All nodes.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    root: Option<NodeId>,
    /// Whether some node is of the shape of an input.
    pub(crate) shaped: bool,
}

impl Tree {
    pub(crate) fn get(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub(crate) fn get_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        (0..u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes")).map(NodeId)
    }

    pub(crate) fn root(&self) -> Option<NodeId> {
        self.root
    }

    /// The node below an arm, new or known. `None` where the known one is of another point: the runs do not fit together.
    pub(crate) fn enter(&mut self, parent: Option<(NodeId, Arm)>, decision: &Decision, occurrence: u32) -> Option<NodeId> {
        let (point, in_trace) = (decision.point, decision.in_trace);
        let known = match parent {
            None => self.root,
            Some((node, arm)) => match self.get(node).children.get(&arm) {
                Some(Child::Node(child)) => Some(*child),
                Some(Child::End(_) | Child::Infeasible) => return None,
                Some(Child::Unknown) | None => None,
            },
        };
        if let Some(node) = known {
            return (self.get(node).point == point).then_some(node);
        }
        let id = NodeId(u32::try_from(self.nodes.len()).expect("fewer than 2^32 nodes"));
        let shape = match &decision.choice {
            Choice::Shape(arms) => Some(u32::try_from(arms.len()).unwrap_or(u32::MAX)),
            _ => None,
        };
        self.shaped |= shape.is_some();
        let (children, arms) = (BTreeMap::new(), Vec::new());
        let node = Node { point, parent, in_trace, shape, occurrence, children, arms, full: None, subsumed: false, taint: None, tried: 0 };
        self.nodes.push(node);
        match parent {
            None => self.root = Some(id),
            Some((node, arm)) => drop(self.get_mut(node).children.insert(arm, Child::Node(id))),
        }
        Some(id)
    }

    /// Says why a node and those above it can never be full.
    pub(crate) fn taint(&mut self, mut node: NodeId, why: Half) {
        loop {
            let here = self.get_mut(node);
            debug_assert!(here.full.is_none(), "I5: a full node has something below that keeps it from being full: {why:?}");
            if here.taint.is_some() {
                return;
            }
            here.taint = Some(why);
            match here.parent {
                Some((parent, _)) => node = parent,
                None => return,
            }
        }
    }
}
