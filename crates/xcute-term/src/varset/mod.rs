//! Interned sets of variables: which inputs a term depends on, one word per term.
//!
//! Most terms depend on a few inputs: their sets are sorted lists. A sum over all inputs of a loop has one set per turn, each with one member more than the
//! last; as lists they would cost the square of the number of turns. So sets with more than [`SMALL`] members are tries that share their parts ([`trie`]),
//! and [`VarWalk`] goes over the sets of many terms without looking at a shared part twice.
//!
//! **Invariant.** Equal sets have equal ids: a set is a list exactly if it is small, lists are interned, and so are the nodes of tries.

mod trie;
mod walk;

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::ids::VarId;
use trie::{NodeId, Trie};

pub use walk::{VarSearch, VarWalk};

/// An interned set; 0 is the empty one.
pub(crate) type VarSetId = u32;

/// Sets with at most this many members are lists.
const SMALL: usize = 32;

/// How a set is kept.
#[derive(Clone, Copy, Debug)]
enum Kept {
    /// A part of the pool: its start and length.
    List(u32, u32),
    /// The root of a trie.
    Tree(NodeId),
}

/// The table of sets. Unions are remembered, so a chain of n operations over the same inputs costs n look-ups.
#[derive(Debug)]
pub(crate) struct VarSets {
    sets: Vec<Kept>,
    pool: Vec<VarId>,
    lists: HashTable<VarSetId>,
    trie: Trie,
    trees: FxHashMap<NodeId, VarSetId>,
    unions: FxHashMap<(VarSetId, VarSetId), VarSetId>,
}

impl VarSets {
    pub(crate) fn new() -> VarSets {
        let mut sets = VarSets {
            sets: Vec::new(),
            pool: Vec::new(),
            lists: HashTable::new(),
            trie: Trie::default(),
            trees: FxHashMap::default(),
            unions: FxHashMap::default(),
        };
        sets.list(&[]);
        sets
    }

    pub(crate) fn get(&self, id: VarSetId) -> Vars<'_> {
        Vars { sets: self, id }
    }

    pub(crate) fn single(&mut self, var: VarId) -> VarSetId {
        self.list(&[var])
    }

    pub(crate) fn union(&mut self, a: VarSetId, b: VarSetId) -> VarSetId {
        if a == b || b == 0 {
            return a;
        }
        if a == 0 {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&id) = self.unions.get(&key) {
            return id;
        }
        let id = match (self.members(a), self.members(b)) {
            (Some(x), Some(y)) => {
                let merged = merge(x, y);
                if merged.len() <= SMALL { self.list(&merged) } else { self.planted(&merged) }
            }
            _ => {
                let (x, y) = (self.root(a), self.root(b));
                let root = self.trie.union(x, y);
                self.tree(root)
            }
        };
        self.unions.insert(key, id);
        id
    }

    /// The members of a small set.
    fn members(&self, id: VarSetId) -> Option<&[VarId]> {
        match self.sets[id as usize] {
            Kept::List(start, len) => Some(&self.pool[start as usize..(start + len) as usize]),
            Kept::Tree(_) => None,
        }
    }

    /// The set as a trie.
    fn root(&mut self, id: VarSetId) -> NodeId {
        match self.sets[id as usize] {
            Kept::Tree(root) => root,
            Kept::List(start, len) => self.trie.plant(&self.pool[start as usize..(start + len) as usize]),
        }
    }

    fn planted(&mut self, members: &[VarId]) -> VarSetId {
        let root = self.trie.plant(members);
        self.tree(root)
    }

    fn tree(&mut self, root: NodeId) -> VarSetId {
        let next = u32::try_from(self.sets.len()).expect("fewer than 2^32 sets of variables");
        let id = *self.trees.entry(root).or_insert(next);
        if id == next {
            self.sets.push(Kept::Tree(root));
        }
        id
    }

    fn list(&mut self, members: &[VarId]) -> VarSetId {
        let hash = |members: &[VarId]| FxBuildHasher.hash_one(members);
        let (sets, pool) = (&self.sets, &self.pool);
        let listed = |id: VarSetId| match sets[id as usize] {
            Kept::List(start, len) => &pool[start as usize..(start + len) as usize],
            Kept::Tree(_) => unreachable!("only lists are in the table of lists"),
        };
        if let Some(&id) = self.lists.find(hash(members), |&id| listed(id) == members) {
            return id;
        }
        let id = u32::try_from(self.sets.len()).expect("fewer than 2^32 sets of variables");
        self.lists.insert_unique(hash(members), id, |&id| hash(listed(id)));
        let start = u32::try_from(self.pool.len()).expect("fewer than 2^32 members of small sets");
        self.sets.push(Kept::List(start, u32::try_from(members.len()).expect("a small set")));
        self.pool.extend_from_slice(members);
        id
    }
}

fn merge(a: &[VarId], b: &[VarId]) -> Vec<VarId> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        out.push(x.min(y));
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}

/// The variables of a term. Equal sets are equal in constant time.
#[derive(Clone, Copy)]
pub struct Vars<'a> {
    sets: &'a VarSets,
    id: VarSetId,
}

impl<'a> Vars<'a> {
    /// How many there are; in constant time.
    #[must_use]
    pub fn len(self) -> usize {
        match self.sets.sets[self.id as usize] {
            Kept::List(_, len) => len as usize,
            Kept::Tree(root) => self.sets.trie.len(root),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.id == 0
    }

    /// Whether a variable is among them; in logarithmic time.
    #[must_use]
    pub fn contains(self, var: VarId) -> bool {
        match self.sets.sets[self.id as usize] {
            Kept::Tree(root) => self.sets.trie.contains(root, var),
            Kept::List(..) => self.sets.members(self.id).is_some_and(|members| members.contains(&var)),
        }
    }

    /// The one with the smallest number; in logarithmic time.
    #[must_use]
    pub fn first(self) -> Option<VarId> {
        match self.sets.sets[self.id as usize] {
            Kept::Tree(root) => Some(self.sets.trie.first(root)),
            Kept::List(..) => self.sets.members(self.id).and_then(|members| members.first().copied()),
        }
    }

    /// The only one, where there is exactly one.
    #[must_use]
    pub fn only(self) -> Option<VarId> {
        if self.len() == 1 { self.first() } else { None }
    }

    /// All of them, by their numbers.
    #[must_use]
    pub fn iter(self) -> VarsIter<'a> {
        match self.sets.sets[self.id as usize] {
            Kept::Tree(root) => VarsIter::Tree(self.sets.trie.iter(root)),
            Kept::List(..) => VarsIter::List(self.sets.members(self.id).unwrap_or_default().iter()),
        }
    }
}

impl PartialEq for Vars<'_> {
    fn eq(&self, other: &Self) -> bool {
        if std::ptr::eq(self.sets, other.sets) { self.id == other.id } else { self.iter().eq(other.iter()) }
    }
}

impl<const N: usize> PartialEq<[VarId; N]> for Vars<'_> {
    fn eq(&self, other: &[VarId; N]) -> bool {
        self.len() == N && self.iter().eq(other.iter().copied())
    }
}

impl std::fmt::Debug for Vars<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<'a> IntoIterator for Vars<'a> {
    type Item = VarId;
    type IntoIter = VarsIter<'a>;

    fn into_iter(self) -> VarsIter<'a> {
        self.iter()
    }
}

/// The variables of a term, one after the other.
#[derive(Clone)]
pub enum VarsIter<'a> {
    #[doc(hidden)]
    List(std::slice::Iter<'a, VarId>),
    #[doc(hidden)]
    Tree(trie::Iter<'a>),
}

impl Iterator for VarsIter<'_> {
    type Item = VarId;

    #[inline]
    fn next(&mut self) -> Option<VarId> {
        match self {
            VarsIter::List(list) => list.next().copied(),
            VarsIter::Tree(tree) => tree.next(),
        }
    }
}

#[cfg(test)]
mod tests;
