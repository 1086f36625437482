//! Classes of terms that meet: a union-find structure whose classes know the symbols that were seen in them.
//!
//! Two terms that a run may unify or compare are of one class. So a class is a regular type: its symbols, and for each functor the classes of the arguments.
//!
//! **Invariant.** Merging is complete when it returns: the arguments of a functor that both classes have are merged, too.

use rustc_hash::FxHashSet;

use crate::machine::cell::{Cell, FunctorId};

/// A class, or what was one before it was merged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Class(u32);

/// What the program may look for in terms of a class besides symbols of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Looks {
    pub(crate) integer: bool,
    pub(crate) float: bool,
    pub(crate) string: bool,
    /// All strings, and not only those that the program names.
    pub(crate) any_string: bool,
    /// Compounds of no known functor.
    pub(crate) compound: bool,
    /// Atoms, as opposed to whatever else is not a compound.
    pub(crate) atom: bool,
    /// It is evaluated.
    pub(crate) evaluated: bool,
    /// It is compared by the standard order.
    pub(crate) ordered: bool,
    /// Its arguments are.
    pub(crate) keyed: bool,
    /// Its characters are looked at.
    pub(crate) text: bool,
}

impl Looks {
    pub(crate) const NONE: Looks = Looks {
        integer: false,
        float: false,
        string: false,
        any_string: false,
        compound: false,
        atom: false,
        evaluated: false,
        ordered: false,
        keyed: false,
        text: false,
    };
    pub(crate) const INTEGER: Looks = Looks { integer: true, ..Looks::NONE };
    pub(crate) const FLOAT: Looks = Looks { float: true, ..Looks::NONE };
    pub(crate) const STRING: Looks = Looks { string: true, ..Looks::NONE };
    pub(crate) const COMPOUND: Looks = Looks { compound: true, ..Looks::NONE };
    pub(crate) const NUMBER: Looks = Looks { integer: true, float: true, ..Looks::NONE };
    pub(crate) const EVALUATED: Looks = Looks { integer: true, float: true, evaluated: true, ..Looks::NONE };
    pub(crate) const ORDERED: Looks = Looks { ordered: true, ..Looks::NONE };
    pub(crate) const KEYED: Looks = Looks { keyed: true, ..Looks::NONE };
    pub(crate) const TEXT: Looks = Looks { text: true, ..Looks::ALL };
    pub(crate) const ALL: Looks = Looks { integer: true, float: true, string: true, any_string: true, compound: true, ..Looks::NONE };

    pub(crate) fn and(self, other: Looks) -> Looks {
        Looks {
            integer: self.integer | other.integer,
            float: self.float | other.float,
            string: self.string | other.string,
            any_string: self.any_string | other.any_string,
            compound: self.compound | other.compound,
            atom: self.atom | other.atom,
            evaluated: self.evaluated | other.evaluated,
            ordered: self.ordered | other.ordered,
            keyed: self.keyed | other.keyed,
            text: self.text | other.text,
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Node {
    constants: Vec<Cell>,
    seen: FxHashSet<Cell>,
    functors: Vec<(FunctorId, Vec<Class>)>,
    looks: Looks,
}

/// All classes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    parents: Vec<u32>,
    nodes: Vec<Node>,
    /// How often something changed.
    pub(crate) changes: u64,
}

impl Graph {
    /// A class of its own.
    pub(crate) fn fresh(&mut self) -> Class {
        let number = u32::try_from(self.nodes.len()).expect("fewer than 2^32 classes");
        self.parents.push(number);
        self.nodes.push(Node::default());
        Class(number)
    }

    /// The class that this one is now a part of.
    pub(crate) fn find(&mut self, class: Class) -> Class {
        let mut at = class.0;
        while self.parents[at as usize] != at {
            // Halves the path.
            self.parents[at as usize] = self.parents[self.parents[at as usize] as usize];
            at = self.parents[at as usize];
        }
        Class(at)
    }

    fn node(&mut self, class: Class) -> &mut Node {
        let Class(at) = self.find(class);
        &mut self.nodes[at as usize]
    }

    /// Takes in a constant.
    pub(crate) fn constant(&mut self, class: Class, cell: Cell) {
        let node = self.node(class);
        if node.seen.insert(cell) {
            node.constants.push(cell);
            self.changes += 1;
        }
    }

    /// Takes in what the program looks for.
    pub(crate) fn look(&mut self, class: Class, looks: Looks) {
        let node = self.node(class);
        let all = node.looks.and(looks);
        if all != node.looks {
            node.looks = all;
            self.changes += 1;
        }
    }

    /// The classes of the arguments of a functor, which is taken in.
    pub(crate) fn functor(&mut self, class: Class, functor: FunctorId, arity: u32) -> Vec<Class> {
        if let Some((_, args)) = self.node(class).functors.iter().find(|(known, _)| *known == functor) {
            return args.clone();
        }
        let args: Vec<Class> = (0..arity).map(|_| self.fresh()).collect();
        self.node(class).functors.push((functor, args.clone()));
        self.changes += 1;
        args
    }

    /// Makes two classes one.
    pub(crate) fn merge(&mut self, a: Class, b: Class) {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            let (a, b) = (self.find(a), self.find(b));
            if a == b {
                continue;
            }
            self.changes += 1;
            // The smaller becomes a part of the larger.
            let size = |node: &Node| node.constants.len() + node.functors.len();
            let (into, from) = if size(&self.nodes[a.0 as usize]) < size(&self.nodes[b.0 as usize]) { (b, a) } else { (a, b) };
            self.parents[from.0 as usize] = into.0;
            let node = std::mem::take(&mut self.nodes[from.0 as usize]);
            node.constants.into_iter().for_each(|cell| self.constant(into, cell));
            self.look(into, node.looks);
            for (functor, args) in node.functors {
                match self.nodes[into.0 as usize].functors.iter().find(|(known, _)| *known == functor) {
                    Some((_, known)) => pending.extend(known.iter().copied().zip(args)),
                    None => self.nodes[into.0 as usize].functors.push((functor, args)),
                }
            }
        }
    }

    /// Its constants, in the order in which they were met.
    pub(crate) fn constants(&mut self, class: Class) -> Vec<Cell> {
        self.node(class).constants.clone()
    }

    /// Its functors with the classes of their arguments.
    pub(crate) fn functors(&mut self, class: Class) -> Vec<(FunctorId, Vec<Class>)> {
        self.node(class).functors.clone()
    }

    /// What the program looks for in it.
    pub(crate) fn looks(&mut self, class: Class) -> Looks {
        self.node(class).looks
    }

    /// All classes that terms of these ones have parts of, these first.
    pub(crate) fn parts(&mut self, roots: &[Class]) -> Vec<Class> {
        let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
        let mut pending: Vec<Class> = roots.iter().rev().copied().collect();
        while let Some(class) = pending.pop() {
            let class = self.find(class);
            if seen.insert(class) {
                found.push(class);
                let args: Vec<Class> = self.functors(class).into_iter().flat_map(|(_, args)| args).collect();
                pending.extend(args.into_iter().rev());
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::symbols::Symbols;
    use crate::syntax::Atoms;

    #[test]
    fn merging_merges_arguments_and_all_that_was_seen() {
        let mut symbols = Symbols::new(Atoms::default());
        let (f, a, b) = (symbols.functor_named("f", 2), symbols.atom("a"), symbols.atom("b"));
        let mut graph = Graph::default();
        let (x, y) = (graph.fresh(), graph.fresh());
        let (p, q) = (graph.functor(x, f, 2), graph.functor(y, f, 2));
        graph.constant(p[0], a);
        graph.constant(q[0], b);
        graph.look(q[1], Looks::INTEGER);
        // A class may be a part of itself.
        graph.merge(q[1], y);
        graph.merge(x, y);
        assert_eq!(graph.constants(p[0]), graph.constants(q[0]));
        assert_eq!(graph.constants(p[0]).len(), 2);
        assert!(graph.looks(x).integer && graph.find(p[1]) == graph.find(x));
        assert_eq!(graph.parts(&[x]).len(), 2);
    }
}
