//! Large sets as tries whose nodes are interned, so that sets which have a part in common share it.
//!
//! Okasaki & Gill, "Fast Mergeable Integer Maps" (1998): big-endian Patricia trees. We deviate by keeping 64 neighbouring variables in one leaf, as bits, and by
//! hash-consing the nodes (Filliâtre & Conchon, "Type-Safe Modular Hash-Consing", 2006): the tree of a set is unique, so equal sets are the same node, and a set with
//! one member more costs a logarithmic number of new nodes.
//!
//! **Invariant.** A branch has two children, none of them empty; keys below its left child have a zero in the branch's bit, those below the right one a one.

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

use crate::ids::VarId;

/// Names a node: a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(pub(super) u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// 64 neighbours: the number of the first, divided by 64, and which of them are members.
    Leaf { key: u32, bits: u64 },
    /// What the keys have in common above `bit`, the bit in which they differ, and the two halves.
    Branch { prefix: u32, bit: u32, left: NodeId, right: NodeId },
}

/// All nodes.
#[derive(Debug, Default)]
pub(super) struct Trie {
    nodes: Vec<(Node, u32)>,
    table: HashTable<u32>,
}

impl Trie {
    /// How many nodes there are.
    pub(super) fn size(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize].0
    }

    /// How many members a set has.
    pub(super) fn len(&self, id: NodeId) -> usize {
        self.nodes[id.0 as usize].1 as usize
    }

    /// The set of these variables, which are sorted and at least one.
    pub(super) fn plant(&mut self, members: &[VarId]) -> NodeId {
        let mut leaves = Vec::new();
        for group in members.chunk_by(|a, b| a.0 >> 6 == b.0 >> 6) {
            let bits = group.iter().fold(0, |bits, var| bits | 1 << (var.0 & 63));
            leaves.push(self.intern(Node::Leaf { key: group[0].0 >> 6, bits }));
        }
        leaves.into_iter().reduce(|a, b| self.union(a, b)).expect("at least one member")
    }

    pub(super) fn union(&mut self, a: NodeId, b: NodeId) -> NodeId {
        if a == b {
            return a;
        }
        match (self.node(a), self.node(b)) {
            (Node::Leaf { key, bits }, Node::Leaf { key: other, bits: more }) if key == other => {
                self.intern(Node::Leaf { key, bits: bits | more })
            }
            (Node::Branch { prefix, bit, left, right }, Node::Branch { prefix: p, bit: b2, left: l2, right: r2 })
                if bit == b2 && prefix == p =>
            {
                let (left, right) = (self.union(left, l2), self.union(right, r2));
                self.intern(Node::Branch { prefix, bit, left, right })
            }
            (Node::Branch { prefix, bit, left, right }, other) if above(bit, other) && prefix == common(key(other), bit) => {
                self.descend((prefix, bit, left, right), b, key(other))
            }
            (other, Node::Branch { prefix, bit, left, right }) if above(bit, other) && prefix == common(key(other), bit) => {
                self.descend((prefix, bit, left, right), a, key(other))
            }
            (x, y) => {
                let bit = 1 << (key(x) ^ key(y)).ilog2();
                let prefix = common(key(x), bit);
                let (left, right) = if key(x) & bit == 0 { (a, b) } else { (b, a) };
                self.intern(Node::Branch { prefix, bit, left, right })
            }
        }
    }

    /// Adds a set to the half of a branch that its keys belong to.
    fn descend(&mut self, (prefix, bit, left, right): (u32, u32, NodeId, NodeId), more: NodeId, key: u32) -> NodeId {
        let (left, right) = if key & bit == 0 { (self.union(left, more), right) } else { (left, self.union(right, more)) };
        self.intern(Node::Branch { prefix, bit, left, right })
    }

    pub(super) fn contains(&self, id: NodeId, var: VarId) -> bool {
        let mut at = id;
        loop {
            match self.node(at) {
                Node::Leaf { key, bits } => return key == var.0 >> 6 && bits >> (var.0 & 63) & 1 == 1,
                Node::Branch { bit, left, right, .. } => at = if (var.0 >> 6) & bit == 0 { left } else { right },
            }
        }
    }

    pub(super) fn first(&self, id: NodeId) -> VarId {
        let mut at = id;
        loop {
            match self.node(at) {
                Node::Leaf { key, bits } => return VarId(key << 6 | bits.trailing_zeros()),
                Node::Branch { left, .. } => at = left,
            }
        }
    }

    pub(super) fn iter(&self, id: NodeId) -> Iter<'_> {
        Iter { trie: self, todo: vec![id], leaf: (0, 0) }
    }

    fn intern(&mut self, node: Node) -> NodeId {
        let hash = |node: &Node| FxBuildHasher.hash_one(node);
        let nodes = &self.nodes;
        if let Some(&id) = self.table.find(hash(&node), |&id| nodes[id as usize].0 == node) {
            return NodeId(id);
        }
        let id = u32::try_from(nodes.len()).expect("fewer than 2^32 parts of sets of variables");
        self.table.insert_unique(hash(&node), id, |&id| hash(&nodes[id as usize].0));
        let len = match node {
            Node::Leaf { bits, .. } => bits.count_ones(),
            Node::Branch { left, right, .. } => self.nodes[left.0 as usize].1 + self.nodes[right.0 as usize].1,
        };
        self.nodes.push((node, len));
        NodeId(id)
    }
}

/// What a key has above a bit.
fn common(key: u32, bit: u32) -> u32 {
    key & !(bit | (bit - 1))
}

/// A key of a node: what all its keys begin with.
fn key(node: Node) -> u32 {
    match node {
        Node::Leaf { key, .. } => key,
        Node::Branch { prefix, .. } => prefix,
    }
}

/// Whether a bit is above all that the keys of a node differ in.
fn above(bit: u32, node: Node) -> bool {
    match node {
        Node::Leaf { .. } => true,
        Node::Branch { bit: lower, .. } => bit > lower,
    }
}

/// The members of a set, by their numbers.
#[derive(Clone)]
pub struct Iter<'a> {
    trie: &'a Trie,
    todo: Vec<NodeId>,
    /// The leaf at hand: its key, and the members that are still to come.
    leaf: (u32, u64),
}

impl Iterator for Iter<'_> {
    type Item = VarId;

    fn next(&mut self) -> Option<VarId> {
        while self.leaf.1 == 0 {
            match self.trie.node(self.todo.pop()?) {
                Node::Leaf { key, bits } => self.leaf = (key, bits),
                Node::Branch { left, right, .. } => self.todo.extend([right, left]),
            }
        }
        let (key, bits) = self.leaf;
        self.leaf.1 = bits & (bits - 1);
        Some(VarId(key << 6 | bits.trailing_zeros()))
    }
}
