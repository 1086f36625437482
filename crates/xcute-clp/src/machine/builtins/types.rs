//! Type tests.

use xcute_term::{Op, TermId};

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::goals::Call;
use crate::machine::unify::Shared;
use crate::machine::universe::Kind;
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("var", 1, Builtin::Test(|m, c| Ok(matches!(m.arg(c, 0), Cell::Var(_))))),
    ("nonvar", 1, Builtin::Test(|m, c| Ok(!matches!(m.arg(c, 0), Cell::Var(_))))),
    ("atom", 1, Builtin::Test(|m, c| m.test(c, |m, e| m.atom_test(e), is_atom))),
    ("string", 1, Builtin::Test(|m, c| m.test(c, |m, e| m.kind_asked(e, Kind::String), |cell| matches!(cell, Cell::Str(_))))),
    ("float", 1, Builtin::Test(|m, c| m.test(c, |m, e| m.kind_asked(e, Kind::Float), |cell| matches!(cell, Cell::Float(_))))),
    (
        "integer",
        1,
        Builtin::Test(|m, c| m.test(c, |m, e| m.kind_asked(e, Kind::Integer), |cell| matches!(cell, Cell::Int(_) | Cell::Big(_)))),
    ),
    ("number", 1, Builtin::Test(number)),
    (
        "atomic",
        1,
        Builtin::Test(|m, c| {
            m.test(
                c,
                |m, e| {
                    m.compound_asked(e);
                    m.atomic_test(e)
                },
                |cell| !matches!(cell, Cell::Var(_) | Cell::Struct(_)),
            )
        }),
    ),
    ("compound", 1, Builtin::Test(compound)),
    ("callable", 1, Builtin::Test(callable)),
    ("ground", 1, Builtin::Test(|m, c| Ok(m.is_ground(m.arg(c, 0))))),
    ("is_dict", 1, Builtin::Test(|_, _| Ok(false))),
    ("is_stream", 1, Builtin::Test(|_, _| Ok(false))),
    ("is_list", 1, Builtin::Test(|m, c| Ok(m.elements(m.arg(c, 0)).is_ok()))),
];

/// The empty list is a constant of its own, and no atom.
fn is_atom(cell: Cell) -> bool {
    matches!(cell, Cell::Atom(name) if name != Atom::NIL)
}

fn number(m: &mut Machine<'_>, call: Call) -> Step {
    m.test(
        call,
        |m, e| {
            let (integer, float) = (m.kind_asked(e, Kind::Integer), m.kind_asked(e, Kind::Float));
            m.rec.terms.mk(Op::Or, &[integer, float])
        },
        |cell| matches!(cell, Cell::Int(_) | Cell::Big(_) | Cell::Float(_)),
    )
}

fn compound(m: &mut Machine<'_>, call: Call) -> Step {
    m.test(
        call,
        |m, e| {
            m.compound_asked(e);
            let atomic = m.atomic_test(e);
            m.rec.terms.not(atomic)
        },
        |cell| matches!(cell, Cell::Struct(_)),
    )
}

fn callable(m: &mut Machine<'_>, call: Call) -> Step {
    m.test(
        call,
        |m, e| {
            m.compound_asked(e);
            let (atomic, atom) = (m.atomic_test(e), m.atom_test(e));
            let compound = m.rec.terms.not(atomic);
            m.rec.terms.mk(Op::Or, &[compound, atom])
        },
        |cell| matches!(cell, Cell::Struct(_)) || is_atom(cell),
    )
}

impl Machine<'_> {
    /// A test of the first argument: of an input by a condition, of any other term by a look.
    fn test(&mut self, call: Call, of_input: impl FnOnce(&mut Self, TermId) -> TermId, of_cell: impl FnOnce(Cell) -> bool) -> Step {
        match self.arg(call, 0) {
            Cell::Sym(e) => {
                self.look_at_kind(e);
                let condition = of_input(self, e);
                let site = self.test_site(call);
                Ok(self.rec.decide(site, &[condition]))
            }
            cell => Ok(of_cell(cell)),
        }
    }

    /// The condition that an input is of a kind, which the program asks. That inputs may be of it was foreseen, or is a limit.
    fn kind_asked(&mut self, e: TermId, kind: Kind) -> TermId {
        if self.universe.kind_ctor(kind).is_none() && self.rec.facts.constructor(self.rec.terms, e).is_none() {
            let what = match kind {
                Kind::Float => "inputs that are floats",
                Kind::String => "inputs that are strings",
                _ => "inputs that are integers",
            };
            self.rec.limit("universe", what, true);
        }
        self.kind_test(e, kind)
    }

    /// The program asks whether an input is a compound. That there are any was foreseen, or is a limit.
    fn compound_asked(&mut self, e: TermId) {
        if self.universe.functors().is_empty() && self.rec.facts.constructor(self.rec.terms, e).is_none() {
            self.rec.limit("universe", "inputs that are compounds", true);
        }
    }

    /// The condition that an input is of a kind.
    pub(crate) fn kind_test(&mut self, e: TermId, kind: Kind) -> TermId {
        match self.universe.kind_ctor(kind) {
            Some(ctor) => self.rec.terms.mk(Op::IsCtor(ctor), &[e]),
            None => self.rec.terms.bool(false),
        }
    }

    pub(crate) fn atomic_test(&mut self, e: TermId) -> TermId {
        self.universe.is_atomic(self.rec.terms, e)
    }

    /// The condition that an input is an atom.
    pub(crate) fn atom_test(&mut self, e: TermId) -> TermId {
        let is = self.rec.terms.mk(Op::IsCtor(self.universe.constant_ctor()), &[e]);
        if self.universe.spelled() || !self.universe.constants().contains(&Cell::Atom(Atom::NIL)) {
            return is;
        }
        let nil = self.universe.constant(self.rec.terms, self.symbols, Cell::Atom(Atom::NIL)).expect("an atom");
        let same = self.rec.terms.mk(Op::Eq, &[e, nil]);
        let other = self.rec.terms.not(same);
        self.rec.terms.mk(Op::And, &[is, other])
    }

    /// Whether a term has no variables.
    pub(crate) fn is_ground(&self, cell: Cell) -> bool {
        let (mut pending, mut shared) = (vec![cell], Shared::default());
        while let Some(cell) = pending.pop() {
            match self.heap.deref(cell) {
                Cell::Var(_) => return false,
                Cell::Struct(address) if !shared.seen(address, address) => {
                    let arity = self.symbols.arity(self.heap.functor(address));
                    pending.extend((0..arity).map(|i| self.heap.at(address + 1 + i)));
                }
                _ => {}
            }
        }
        true
    }
}
