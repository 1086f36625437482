//! Type tests.

use num_bigint::BigInt;
use xcute_term::{Op, TermId, Value};

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::goals::Call;
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("var", 1, Builtin::Test(|m, c| Ok(matches!(m.arg(c, 0), Cell::Var(_))))),
    ("nonvar", 1, Builtin::Test(|m, c| Ok(!matches!(m.arg(c, 0), Cell::Var(_))))),
    ("atom", 1, Builtin::Test(|m, c| m.test(c, |m, e| m.is_constant(e, is_atom), is_atom))),
    (
        "string",
        1,
        Builtin::Test(|m, c| m.test(c, |m, e| m.is_constant(e, |cell| matches!(cell, Cell::Str(_))), |cell| matches!(cell, Cell::Str(_)))),
    ),
    (
        "float",
        1,
        Builtin::Test(|m, c| {
            m.test(c, |m, e| m.is_constant(e, |cell| matches!(cell, Cell::Float(_))), |cell| matches!(cell, Cell::Float(_)))
        }),
    ),
    ("integer", 1, Builtin::Test(|m, c| m.test(c, |m, e| m.integer_test(e), |cell| matches!(cell, Cell::Int(_) | Cell::Big(_))))),
    ("number", 1, Builtin::Test(number)),
    ("atomic", 1, Builtin::Test(|m, c| m.test(c, |m, e| m.atomic_test(e), |cell| !matches!(cell, Cell::Var(_) | Cell::Struct(_))))),
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
            let (integer, float) = (m.integer_test(e), m.is_constant(e, |cell| matches!(cell, Cell::Float(_))));
            m.rec.terms.mk(Op::Or, &[integer, float])
        },
        |cell| matches!(cell, Cell::Int(_) | Cell::Big(_) | Cell::Float(_)),
    )
}

fn compound(m: &mut Machine<'_>, call: Call) -> Step {
    m.test(
        call,
        |m, e| {
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
            let (atomic, atom) = (m.atomic_test(e), m.is_constant(e, is_atom));
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
                let condition = of_input(self, e);
                let site = self.test_site(call);
                Ok(self.rec.decide(site, &[condition]))
            }
            cell => Ok(of_cell(cell)),
        }
    }

    pub(super) fn integer_test(&mut self, e: TermId) -> TermId {
        match self.is_integer(e) {
            Some(is) => is,
            None => self.rec.terms.bool(false),
        }
    }

    pub(super) fn atomic_test(&mut self, e: TermId) -> TermId {
        let constant = self.rec.terms.mk(Op::IsCtor(self.universe.constant_ctor()), &[e]);
        let integer = self.integer_test(e);
        self.rec.terms.mk(Op::Or, &[constant, integer])
    }

    /// The condition that an input is a constant of a kind. Fresh constants are atoms.
    pub(super) fn is_constant(&mut self, e: TermId, kind: impl Fn(Cell) -> bool) -> TermId {
        let ctor = self.universe.constant_ctor();
        let fresh = kind(Cell::Atom(Atom::TRUE));
        let exceptions = self.universe.constants_where(|cell| kind(cell) != fresh);
        let is = self.rec.terms.mk(Op::IsCtor(ctor), &[e]);
        let number = self.rec.terms.mk(Op::Select(ctor, 0), &[e]);
        let equal: Vec<TermId> = exceptions
            .into_iter()
            .map(|n| {
                let n = self.rec.terms.value(Value::Int(BigInt::from(n)));
                self.rec.terms.mk(Op::Eq, &[number, n])
            })
            .collect();
        let exception = match equal[..] {
            [] => self.rec.terms.bool(false),
            _ => self.rec.terms.mk(Op::Or, &equal),
        };
        let right = if fresh { self.rec.terms.not(exception) } else { exception };
        self.rec.terms.mk(Op::And, &[is, right])
    }

    /// Whether a term has no variables.
    pub(crate) fn is_ground(&self, cell: Cell) -> bool {
        let mut pending = vec![cell];
        while let Some(cell) = pending.pop() {
            match self.heap.deref(cell) {
                Cell::Var(_) => return false,
                Cell::Struct(address) => {
                    let arity = self.symbols.arity(self.heap.functor(address));
                    pending.extend((0..arity).map(|i| self.heap.at(address + 1 + i)));
                }
                _ => {}
            }
        }
        true
    }
}
