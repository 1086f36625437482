//! Walks over the variables of many terms, and searches among them, looking at what their sets share only once.
//!
//! **Invariant.** Since the last [`VarWalk::clear`], every variable of every term that was visited was handed out at least once, and all variables that a visit does not hand
//! out were handed out together with one that it does, in one earlier visit. So who joins what one visit hands out has joined all variables of the term.

use super::trie::{Node, NodeId, Trie};
use super::{Kept, VarSets};
use crate::ids::{TermId, VarId};
use crate::terms::Terms;

/// Which parts of sets were visited; the memory is reused.
#[derive(Debug)]
pub struct VarWalk {
    /// By node of a trie: the walk in which it was visited.
    nodes: Vec<u32>,
    now: u32,
    todo: Vec<NodeId>,
}

impl Default for VarWalk {
    fn default() -> VarWalk {
        VarWalk { nodes: Vec::new(), now: 1, todo: Vec::new() }
    }
}

impl VarWalk {
    /// Forgets what was visited.
    pub fn clear(&mut self) {
        if self.now == u32::MAX {
            self.nodes.fill(0);
            self.now = 0;
        }
        self.now += 1;
    }

    /// Hands out the variables of a term; of what a large set shares with terms that were visited before, one variable for each part.
    pub fn visit(&mut self, terms: &Terms, t: TermId, mut hand_out: impl FnMut(VarId)) {
        let vars = terms.vars(t);
        let sets: &VarSets = vars.sets;
        let root = match sets.sets[vars.id as usize] {
            Kept::List(..) => return vars.iter().for_each(hand_out),
            Kept::Tree(root) => root,
        };
        let trie = &sets.trie;
        if self.nodes.len() < trie.size() {
            self.nodes.resize(trie.size().next_power_of_two(), 0);
        }
        self.todo.push(root);
        while let Some(at) = self.todo.pop() {
            if std::mem::replace(&mut self.nodes[at.0 as usize], self.now) == self.now {
                hand_out(trie.first(at));
                continue;
            }
            match trie.node(at) {
                Node::Branch { left, right, .. } => self.todo.extend([right, left]),
                Node::Leaf { key, mut bits } => {
                    while bits != 0 {
                        hand_out(VarId(key << 6 | bits.trailing_zeros()));
                        bits &= bits - 1;
                    }
                }
            }
        }
    }
}

/// Whether terms have a variable of some kind; remembers the answer for each part of a large set.
#[derive(Debug)]
pub struct VarSearch {
    /// By node of a trie: the search in which it was looked at, and what was found.
    nodes: Vec<(u32, bool)>,
    now: u32,
}

impl Default for VarSearch {
    fn default() -> VarSearch {
        VarSearch { nodes: Vec::new(), now: 1 }
    }
}

impl VarSearch {
    /// Forgets all answers: the kind is another one.
    pub fn clear(&mut self) {
        if self.now == u32::MAX {
            self.nodes.fill((0, false));
            self.now = 0;
        }
        self.now += 1;
    }

    /// Whether some variable of a term is of the kind. Until the next [`VarSearch::clear`] the kind must stay the same.
    pub fn any(&mut self, terms: &Terms, t: TermId, kind: impl Fn(VarId) -> bool) -> bool {
        let vars = terms.vars(t);
        let root = match vars.sets.sets[vars.id as usize] {
            Kept::List(..) => return vars.iter().any(kind),
            Kept::Tree(root) => root,
        };
        let trie = &vars.sets.trie;
        if self.nodes.len() < trie.size() {
            self.nodes.resize(trie.size().next_power_of_two(), (0, false));
        }
        self.below(trie, root, &kind)
    }

    /// As deep as the keys have bits.
    fn below(&mut self, trie: &Trie, at: NodeId, kind: &impl Fn(VarId) -> bool) -> bool {
        if let (search, found) = self.nodes[at.0 as usize]
            && search == self.now
        {
            return found;
        }
        let found = match trie.node(at) {
            Node::Branch { left, right, .. } => self.below(trie, left, kind) || self.below(trie, right, kind),
            Node::Leaf { key, bits } => (0..64).any(|bit| bits >> bit & 1 == 1 && kind(VarId(key << 6 | bit))),
        };
        self.nodes[at.0 as usize] = (self.now, found);
        found
    }
}
