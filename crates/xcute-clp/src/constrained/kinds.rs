//! What is said about the kinds of terms: `integer(A)`, `atomic(A)` and their like.

use xcute_term::{CtorId, Op};

use super::scope::{Literal, Reading};
use crate::machine::cell::Cell;
use crate::machine::universe::Kind;
use crate::syntax::Atom;

impl Reading<'_> {
    /// What is known of the types of variables, unless a constraint says it anyway.
    pub(super) fn types(&mut self, constraints: &[Cell]) -> Vec<Cell> {
        let mut mentioned = Vec::new();
        for &constraint in constraints.iter().filter(|&&constraint| self.is_clpfd(constraint)) {
            mentioned.extend(self.variables(&[constraint], u32::MAX));
        }
        let (integers, atomic) = (std::mem::take(&mut self.scope().integers), std::mem::take(&mut self.scope().atomic));
        let mut types = Vec::new();
        for (cell, ctor) in integers.into_iter().map(|cell| (cell, None)).chain(atomic.into_iter().map(|(cell, ctor)| (cell, Some(ctor)))) {
            let Cell::Var(address) = self.resolve(cell) else { continue };
            if mentioned.contains(&address) {
                continue;
            }
            mentioned.push(address);
            types.push(match ctor {
                None => {
                    let (inf, sup) = (self.symbols.atom("inf"), self.symbols.atom("sup"));
                    let range = self.compound("..", &[inf, sup]);
                    self.compound("in", &[Cell::Var(address), range])
                }
                Some(ctor) => {
                    let test = self.is_atomic(Cell::Var(address), ctor);
                    self.compound("freeze", &[Cell::Var(address), test])
                }
            });
        }
        types
    }

    /// The test that a term has the constructor of some atomic terms.
    pub(super) fn is_atomic(&mut self, cell: Cell, ctor: CtorId) -> Cell {
        for (kind, test) in [(Kind::Integer, "integer"), (Kind::Float, "float"), (Kind::String, "string")] {
            if self.universe.kind_ctor(kind) == Some(ctor) {
                return self.compound(test, &[cell]);
            }
        }
        if self.universe.kind_ctor(Kind::Nil) == Some(ctor) {
            return self.compound("==", &[cell, Cell::Atom(Atom::NIL)]);
        }
        // The empty list is not an atom.
        if self.universe.spelled() || !self.universe.constants().contains(&Cell::Atom(Atom::NIL)) {
            return self.compound("atom", &[cell]);
        }
        let (atom, nil) = (self.compound("atom", &[cell]), self.compound("==", &[cell, Cell::Atom(Atom::NIL)]));
        self.compound(";", &[atom, nil])
    }

    /// A condition that is about several kinds at once: the term, and the test that says so.
    pub(super) fn kinds(&mut self, (holds, term): Literal) -> Option<(Cell, &'static str)> {
        let Op::And = self.terms.op(term) else { return None };
        let (mut found, mut of) = (Vec::new(), None);
        for &part in self.terms.args(term) {
            let (Op::Not, &[inner]) = (self.terms.op(part), self.terms.args(part)) else { return None };
            let (Op::IsCtor(ctor), &[about]) = (self.terms.op(inner), self.terms.args(inner)) else { return None };
            if *of.get_or_insert(about) != about {
                return None;
            }
            found.push(ctor);
        }
        found.sort_unstable_by_key(|ctor| ctor.index);
        let integer = self.universe.integer_ctor();
        let test = if found == self.universe.atomic_ctors().collect::<Vec<CtorId>>() {
            if holds { "compound" } else { "atomic" }
        } else if !holds
            && found.len() == 2
            && found.iter().all(|&ctor| Some(ctor) == integer || Some(ctor) == self.universe.kind_ctor(Kind::Float))
        {
            "number"
        } else {
            return None;
        };
        let cell = self.place(of?)?;
        Some((self.resolve(cell), test))
    }
}
