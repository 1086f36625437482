//! The tree as it is shown to people: decisions and what became of their arms, without conditions and inputs.
//!
//! It is taken breadth first, so that a bounded outline of a large tree shows where paths part, and not one of them to its end. Decisions whose conditions are
//! constants decide nothing and are left out.
//!
//! **Invariant.** Parents come before their children. The outlines of the trees of a campaign, merged, are the outline of one tree: every arm is shown by its owner.

use std::collections::VecDeque;

use xcute_trace::SiteId;

use crate::tree::{Arm, ArmId, Child, End, NodeId, PathTree};

/// What became of an arm, and what is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was taken and leads to this decision of the outline.
    Decision(u32),
    /// It was taken, and the path ended.
    End(End),
    /// It was taken; what is below it is beyond the bound of the outline.
    Beyond,
    /// It was not taken: why.
    Not(Arm),
}

/// A decision of the outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineNode {
    /// Its site.
    pub site: SiteId,
    /// The number of the run that came here first.
    pub run: u64,
    /// Where its arms are.
    arms: (u32, u32),
}

/// A bounded part of a tree, from the root on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The decisions; the first one is the root.
    pub nodes: Vec<OutlineNode>,
    /// The arms of all of them.
    arms: Vec<Fate>,
}

impl PathTree {
    /// The outline of at most this many decisions.
    #[must_use]
    pub fn outline(&self, most: usize) -> Outline {
        let (nodes, arms) = (self.nodes.len().min(most), self.arms.len().min(3 * most));
        let mut outline = Outline { nodes: Vec::with_capacity(nodes), arms: Vec::with_capacity(arms) };
        // In the order of the outline's nodes: so are the arms.
        let mut todo = VecDeque::new();
        if let Some(Child::Node(root)) = self.root().map(|root| self.deciding(root)) {
            outline.nodes.push(self.bare(root));
            todo.push_back((0, root));
        }
        while let Some((at, node)) = todo.pop_front() {
            outline.nodes[at].arms = (number(outline.arms.len()), self.arm_count(node));
            for arm in 0..self.arm_count(node) {
                let fate = match self.arm(ArmId { node, arm }) {
                    Arm::Taken(child) | Arm::Foreign(Some(child)) => match self.deciding(child) {
                        Child::End(end) => Fate::End(end),
                        Child::Node(_) if outline.nodes.len() >= most => Fate::Beyond,
                        Child::Node(below) => {
                            let next = outline.nodes.len();
                            outline.nodes.push(self.bare(below));
                            todo.push_back((next, below));
                            Fate::Decision(number(next))
                        }
                    },
                    other => Fate::Not(other),
                };
                outline.arms.push(fate);
            }
        }
        outline
    }

    fn bare(&self, node: NodeId) -> OutlineNode {
        OutlineNode { site: self.site(node), run: self.number_of(node), arms: (0, 0) }
    }

    /// What is below, without decisions that decide nothing. Where such a decision has no arm that was taken, it stays.
    fn deciding(&self, mut child: Child) -> Child {
        while let Child::Node(node) = child {
            let arms = (0..self.arm_count(node)).map(|arm| self.arm(ArmId { node, arm }));
            let mut taken = arms.filter_map(|arm| if let Arm::Taken(below) | Arm::Foreign(Some(below)) = arm { Some(below) } else { None });
            match taken.next() {
                Some(below) if self.node(node).trivial => child = below,
                _ => break,
            }
        }
        child
    }
}

impl Outline {
    /// What became of the arms of a decision.
    #[must_use]
    pub fn arms(&self, node: &OutlineNode) -> &[Fate] {
        let (first, count) = node.arms;
        &self.arms[first as usize..][..count as usize]
    }

    /// Adds what another tree of the same campaign knows, up to this many decisions in all.
    pub fn merge(&mut self, other: &Outline, most: usize) {
        let Some(root) = other.nodes.first() else { return };
        if self.nodes.is_empty() {
            self.push_unknown(root);
        }
        let mut todo = VecDeque::from([(0, 0)]);
        while let Some((here, there)) = todo.pop_front() {
            let theirs = &other.nodes[there];
            if self.nodes[here].site != theirs.site {
                // Runs that did not repeat themselves: the first tree counts.
                continue;
            }
            let (first, count) = self.nodes[here].arms;
            for (arm, &fate) in (first as usize..).zip(other.arms(theirs)).take(count as usize) {
                match (self.arms[arm], fate) {
                    (Fate::Decision(ours), Fate::Decision(below)) => todo.push_back((ours as usize, below as usize)),
                    (Fate::Not(Arm::Foreign(_) | Arm::Idle) | Fate::Beyond, Fate::Decision(below)) => {
                        self.arms[arm] = if self.nodes.len() >= most {
                            Fate::Beyond
                        } else {
                            let next = self.nodes.len();
                            self.push_unknown(&other.nodes[below as usize]);
                            todo.push_back((next, below as usize));
                            Fate::Decision(number(next))
                        };
                    }
                    (Fate::Not(Arm::Foreign(_) | Arm::Idle), better) => self.arms[arm] = better,
                    _ => {}
                }
            }
        }
    }

    /// Adds a decision of which nothing is known yet but where it is.
    fn push_unknown(&mut self, node: &OutlineNode) {
        let (first, (_, count)) = (self.arms.len(), node.arms);
        self.nodes.push(OutlineNode { arms: (number(first), count), ..node.clone() });
        self.arms.resize(first + count as usize, Fate::Not(Arm::Foreign(None)));
    }
}

fn number(at: usize) -> u32 {
    u32::try_from(at).expect("fewer than 2^32 decisions")
}

#[cfg(test)]
mod tests;
