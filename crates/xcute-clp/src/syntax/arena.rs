//! Terms as they stand in a source file, kept flat.
//!
//! A clause owns one [`Arena`]. Arguments come before the term they belong to, so one pass from the front can copy, evaluate or
//! compile a term without recursion.
//!
//! **Invariant.** Every argument of a compound has a smaller [`TermRef`] than the compound.

use std::sync::Arc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::{Atom, Indicator, Span};

/// A term of an [`Arena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermRef(u32);

impl TermRef {
    /// Its place in the arena.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One term; the arguments of a compound are elsewhere in the arena.
#[derive(Clone, Debug, PartialEq)]
pub enum Term {
    /// A variable: its number in the clause.
    Var(u32),
    /// An atom; the empty list is [`Atom::NIL`].
    Atom(Atom),
    /// An unbounded integer.
    Integer(BigInt),
    /// A float, which is never NaN in source text.
    Float(f64),
    /// A string object of SWI-Prolog.
    String(Arc<str>),
    /// A compound; [`Arena::args`] gives its arguments. Lists are built by [`Atom::DOT`].
    Compound(Compound),
}

/// Name and arity of a compound, and where its arguments are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compound {
    /// Its name.
    pub name: Atom,
    start: u32,
    arity: u32,
}

impl Compound {
    /// How many arguments it has; zero is possible, as in `f()`.
    pub fn arity(self) -> usize {
        self.arity as usize
    }
}

/// Terms that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Arena {
    terms: Vec<Term>,
    args: Vec<TermRef>,
    spans: Vec<(u32, u32)>,
}

impl Arena {
    /// Adds a term that is not a compound, without a place in the source.
    pub fn push(&mut self, term: Term) -> TermRef {
        debug_assert!(!matches!(term, Term::Compound(_)), "compounds are made by Arena::compound");
        self.add(term)
    }

    /// Adds a compound.
    pub fn compound(&mut self, name: Atom, args: &[TermRef]) -> TermRef {
        debug_assert!(args.iter().all(|arg| arg.index() < self.terms.len()), "arguments come first");
        let start = u32::try_from(self.args.len()).expect("fewer than 2^32 arguments");
        self.args.extend_from_slice(args);
        let arity = u32::try_from(args.len()).expect("fewer than 2^32 arguments");
        self.add(Term::Compound(Compound { name, start, arity }))
    }

    /// Adds an atom.
    pub fn atom(&mut self, atom: Atom) -> TermRef {
        self.add(Term::Atom(atom))
    }

    /// Adds an integer.
    pub fn integer(&mut self, value: impl Into<BigInt>) -> TermRef {
        self.add(Term::Integer(value.into()))
    }

    /// Adds a variable.
    pub fn var(&mut self, number: u32) -> TermRef {
        self.add(Term::Var(number))
    }

    /// Adds a list with this tail.
    pub fn list(&mut self, elements: &[TermRef], tail: TermRef) -> TermRef {
        elements.iter().rev().fold(tail, |rest, &element| self.compound(Atom::DOT, &[element, rest]))
    }

    fn add(&mut self, term: Term) -> TermRef {
        let reference = TermRef(u32::try_from(self.terms.len()).expect("fewer than 2^32 terms"));
        self.terms.push(term);
        self.spans.push((0, 0));
        reference
    }

    /// Takes a term over from another arena; its variables get numbers from `offset` on.
    pub fn import(&mut self, from: &Arena, root: TermRef, offset: u32) -> TermRef {
        let mut needed = vec![false; root.index() + 1];
        needed[root.index()] = true;
        // Arguments come before their compounds: one pass from the end marks, one from the front copies.
        for index in (0..=root.index()).rev() {
            if let (true, Term::Compound(compound)) = (needed[index], &from.terms[index]) {
                from.args(*compound).iter().for_each(|arg| needed[arg.index()] = true);
            }
        }
        let mut copies = vec![root; root.index() + 1];
        for index in (0..=root.index()).filter(|&index| needed[index]) {
            copies[index] = match &from.terms[index] {
                Term::Var(number) => self.var(number + offset),
                Term::Compound(compound) => {
                    let args: Vec<TermRef> = from.args(*compound).iter().map(|arg| copies[arg.index()]).collect();
                    self.compound(compound.name, &args)
                }
                other => self.push(other.clone()),
            };
        }
        copies[root.index()]
    }

    /// The term.
    pub fn get(&self, term: TermRef) -> &Term {
        &self.terms[term.index()]
    }

    /// The arguments of a compound of this arena.
    pub fn args(&self, compound: Compound) -> &[TermRef] {
        &self.args[compound.start as usize..(compound.start + compound.arity) as usize]
    }

    /// Name and arguments of a compound, or an atom with none; `None` for all others.
    pub fn callable(&self, term: TermRef) -> Option<(Atom, &[TermRef])> {
        match *self.get(term) {
            Term::Atom(name) => Some((name, &[])),
            Term::Compound(compound) => Some((compound.name, self.args(compound))),
            _ => None,
        }
    }

    /// The arguments, if the term is a compound of this name and arity.
    pub fn matches<const N: usize>(&self, term: TermRef, name: Atom) -> Option<[TermRef; N]> {
        match *self.get(term) {
            Term::Compound(compound) if compound.name == name => self.args(compound).try_into().ok(),
            _ => None,
        }
    }

    /// The elements of a list and its tail, which is not a list cell.
    pub fn elements(&self, mut list: TermRef) -> (Vec<TermRef>, TermRef) {
        let mut elements = Vec::new();
        while let Some([head, tail]) = self.matches(list, Atom::DOT) {
            elements.push(head);
            list = tail;
        }
        (elements, list)
    }

    /// The elements of a list that ends in `[]`.
    pub fn proper_list(&self, list: TermRef) -> Option<Vec<TermRef>> {
        let (elements, tail) = self.elements(list);
        (*self.get(tail) == Term::Atom(Atom::NIL)).then_some(elements)
    }

    /// How many terms there are; references are below.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// All references, arguments before their compounds.
    pub(crate) fn refs(&self) -> impl Iterator<Item = TermRef> + use<> {
        (0..u32::try_from(self.terms.len()).expect("fewer than 2^32 terms")).map(TermRef)
    }

    /// Gives all compounds of these names and arities other names.
    pub fn rename(&mut self, names: &FxHashMap<Indicator, Atom>) {
        for term in &mut self.terms {
            if let Term::Compound(compound) = term
                && let Some(&name) = names.get(&Indicator { name: compound.name, arity: compound.arity })
            {
                compound.name = name;
            }
        }
    }

    /// Says where in its source a term is.
    pub(crate) fn set_span(&mut self, term: TermRef, start: u32, end: u32) {
        self.spans[term.index()] = (start, end);
    }

    /// Gives a term that was made of another the place of it.
    pub(crate) fn copy_span(&mut self, from: TermRef, to: TermRef) {
        self.spans[to.index()] = self.spans[from.index()];
    }

    /// Where in the source `of` is part of a term is; `None` for terms that no text stands for.
    pub fn span(&self, term: TermRef, of: Span) -> Option<Span> {
        let (start, end) = self.spans[term.index()];
        (end > 0).then_some(Span { source: of.source, start, end })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_built_and_taken_apart() {
        let mut arena = Arena::default();
        let elements = [arena.integer(1), arena.integer(2)];
        let nil = arena.atom(Atom::NIL);
        let list = arena.list(&elements, nil);
        assert_eq!(arena.proper_list(list), Some(elements.to_vec()));
        let open = arena.var(0);
        let partial = arena.list(&elements, open);
        assert_eq!(arena.proper_list(partial), None);
        assert_eq!(arena.elements(partial), (elements.to_vec(), open));
    }

    #[test]
    fn arguments_come_before_their_compounds() {
        let mut arena = Arena::default();
        let one = arena.integer(1);
        let sum = arena.compound(Atom::PLUS, &[one, one]);
        assert!(one < sum);
        assert_eq!(arena.matches(sum, Atom::PLUS), Some([one, one]));
        assert_eq!(arena.matches::<1>(sum, Atom::PLUS), None);
        assert_eq!(arena.matches::<2>(sum, Atom::MINUS), None);
    }
}
