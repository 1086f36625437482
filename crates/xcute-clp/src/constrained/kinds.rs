//! What is said about the kinds of terms: `integer(A)`, `atomic(A)` and their like.

use xcute_term::{CtorId, Op, TermId};

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

    /// What was evaluated and is not a number: whatever else it is, it has no value, as `1 + 2` and `"a"` have.
    pub(super) fn not_numbers(&mut self, terms: &[TermId]) -> Vec<Cell> {
        let (mut found, mut seen): (Vec<Cell>, Vec<Cell>) = (Vec::new(), Vec::new());
        for &term in terms {
            let Some(cell) = self.place(term).map(|cell| self.resolve(cell)) else { continue };
            let known = !matches!(cell, Cell::Var(_) | Cell::Struct(_));
            if known || seen.contains(&cell) || self.variables(&[cell], u32::MAX).is_empty() {
                continue;
            }
            seen.push(cell);
            let (value, ball, fail) = (self.heap.var(), self.heap.var(), self.symbols.atom("fail"));
            let open = matches!(cell, Cell::Var(_));
            // SWI-Prolog does not evaluate `[X|T]` where T became the empty list later: a copy is evaluated.
            let whole = if open { cell } else { self.heap.var() };
            let is = self.compound("is", &[value, whole]);
            let mut test = self.compound("catch", &[is, ball, fail]);
            if !open {
                let copy = self.compound("duplicate_term", &[cell, whole]);
                test = self.compound(",", &[copy, test]);
            }
            let test = self.compound("\\+", &[test]);
            let wait = if open { cell } else { self.compound("ground", &[cell]) };
            found.push(self.compound(if open { "freeze" } else { "when" }, &[wait, test]));
        }
        found
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

    /// Takes out what says that terms are of none of the kinds that are not compounds: they are compounds then, and not of a kind that inputs are not made of. The tests of these.
    pub(super) fn compounds(&mut self, literals: &mut Vec<Literal>) -> Vec<Cell> {
        let all: Vec<CtorId> = self.universe.atomic_ctors().collect();
        let mut excluded: Vec<(Cell, Vec<CtorId>)> = Vec::new();
        let mut about = Vec::new();
        for &(holds, term) in &*literals {
            let atomic = match (holds, self.terms.op(term), self.terms.args(term)) {
                (false, Op::IsCtor(ctor), &[of]) if all.contains(&ctor) => self.place(of).map(|cell| (self.resolve(cell), ctor)),
                _ => None,
            };
            about.push(atomic.map(|(cell, _)| cell));
            if let Some((cell @ Cell::Var(_), ctor)) = atomic {
                match excluded.iter_mut().find(|(known, _)| *known == cell) {
                    Some((_, ctors)) => ctors.push(ctor),
                    None => excluded.push((cell, vec![ctor])),
                }
            }
        }
        excluded.retain(|(_, ctors)| all.iter().all(|ctor| ctors.contains(ctor)));
        let is_said = |cell: &Option<Cell>| excluded.iter().any(|(known, _)| Some(*known) == *cell);
        let mut about = about.iter();
        literals.retain(|_| !about.next().is_some_and(is_said));
        let said: Vec<Cell> = excluded.into_iter().map(|(cell, _)| cell).collect();
        said.into_iter().map(|cell| self.compound("compound", &[cell])).collect()
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
