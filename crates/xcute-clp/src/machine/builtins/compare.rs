//! Unification, comparison of terms and of numbers.
//!
//! The standard order is, as SWI-Prolog has it, Variables < Numbers < Strings < Atoms < Compounds; compounds by arity, name, then arguments.

use std::cmp::Ordering;

use xcute_term::{Op, TermId};

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::goals::Call;
use crate::machine::number::Number;
use crate::machine::universe::Kind;
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("=", 2, Builtin::Test(unify)),
    ("unify_with_occurs_check", 2, Builtin::Test(unify)),
    ("\\=", 2, Builtin::Test(not_unifiable)),
    ("==", 2, Builtin::Test(identical)),
    ("\\==", 2, Builtin::Test(|m, c| Ok(!identical(m, c)?))),
    ("@<", 2, Builtin::Test(|m, c| Ok(order(m, c)? == Ordering::Less))),
    ("@>", 2, Builtin::Test(|m, c| Ok(order(m, c)? == Ordering::Greater))),
    ("@=<", 2, Builtin::Test(|m, c| Ok(order(m, c)? != Ordering::Greater))),
    ("@>=", 2, Builtin::Test(|m, c| Ok(order(m, c)? != Ordering::Less))),
    ("compare", 3, Builtin::Plain(compare)),
    ("is", 2, Builtin::Plain(is)),
    ("<", 2, Builtin::Test(numbers)),
    (">", 2, Builtin::Test(numbers)),
    ("=<", 2, Builtin::Test(numbers)),
    (">=", 2, Builtin::Test(numbers)),
    ("=:=", 2, Builtin::Test(numbers)),
    ("=\\=", 2, Builtin::Test(numbers)),
];

fn unify(m: &mut Machine<'_>, call: Call) -> Step {
    let site = m.test_site(call);
    m.unify_at(site, m.arg(call, 0), m.arg(call, 1))
}

fn not_unifiable(m: &mut Machine<'_>, call: Call) -> Step {
    let site = m.test_site(call);
    let mark = m.heap.mark();
    let conditions = m.unify(m.arg(call, 0), m.arg(call, 1));
    m.heap.unbind(mark);
    Ok(match conditions {
        Some(conditions) => !m.rec.decide(site, &conditions),
        None => true,
    })
}

fn identical(m: &mut Machine<'_>, call: Call) -> Step {
    let site = m.test_site(call);
    Ok(match m.identical(m.arg(call, 0), m.arg(call, 1)) {
        Some(conditions) => m.rec.decide(site, &conditions),
        None => false,
    })
}

fn order(m: &mut Machine<'_>, call: Call) -> Result<Ordering, Stop> {
    m.order(m.arg(call, 0), m.arg(call, 1))
}

fn compare(m: &mut Machine<'_>, call: Call) -> Step {
    let order = match m.order(m.arg(call, 1), m.arg(call, 2))? {
        Ordering::Less => "<",
        Ordering::Equal => "=",
        Ordering::Greater => ">",
    };
    let order = m.symbols.atom(order);
    let given = m.arg(call, 0);
    if let Cell::Var(_) = given {
        return m.unify_now(given, order);
    }
    // Another order fails; what is none is an error.
    for name in ["<", "=", ">"] {
        let known = m.symbols.atom(name);
        if m.unify_now(given, known)? {
            return Ok(known == order);
        }
    }
    Err(match m.pinned(given, "the order of compare/3")? {
        name @ Cell::Atom(_) => m.domain_error("order", name),
        other => m.type_error("atom", other),
    })
}

fn is(m: &mut Machine<'_>, call: Call) -> Step {
    let number = m.evaluate(m.arg(call, 1))?;
    let result = m.number_cell(number);
    m.unify_now(m.arg(call, 0), result)
}

fn numbers(m: &mut Machine<'_>, call: Call) -> Step {
    let a = m.evaluate(m.arg(call, 0))?;
    let b = m.evaluate(m.arg(call, 1))?;
    let name = m.symbols.atoms.name(call.name).to_owned();
    let site = m.test_site(call);
    Ok(match m.comparison(&name, a, b) {
        Ok(condition) => m.rec.decide(site, &[condition]),
        Err(known) => known,
    })
}

/// The rank of compounds.
const LAST: u8 = 5;

/// The place of a term in the standard order of kinds.
fn rank(cell: Cell) -> u8 {
    match cell {
        Cell::Var(_) => 0,
        Cell::Int(_) | Cell::Big(_) | Cell::Float(_) => 1,
        // The empty list comes before all atoms.
        Cell::Atom(Atom::NIL) => 3,
        Cell::Atom(_) => 4,
        Cell::Str(_) => 2,
        _ => 5,
    }
}

impl Machine<'_> {
    /// The standard order of two terms.
    pub(crate) fn order(&mut self, a: Cell, b: Cell) -> Result<Ordering, Stop> {
        let mut pending = vec![(a, b)];
        while let Some((a, b)) = pending.pop() {
            let (a, b) = (self.heap.deref(a), self.heap.deref(b));
            if a == b {
                continue;
            }
            let order = match (a, b) {
                (Cell::Sym(_), _) | (_, Cell::Sym(_)) => match self.order_of_inputs(a, b)? {
                    Ok(order) => order,
                    Err((a, b)) => {
                        pending.push((a, b));
                        continue;
                    }
                },
                (Cell::Struct(x), Cell::Struct(y)) => {
                    let (f, g) = (self.heap.functor(x), self.heap.functor(y));
                    if f == g {
                        pending.extend((0..self.symbols.arity(f)).rev().map(|i| (self.heap.at(x + 1 + i), self.heap.at(y + 1 + i))));
                        continue;
                    }
                    let name = |f| self.symbols.atoms.name(self.symbols.name(f));
                    self.symbols.arity(f).cmp(&self.symbols.arity(g)).then_with(|| name(f).cmp(name(g)))
                }
                _ => self.order_atomic(a, b),
            };
            if order != Ordering::Equal {
                return Ok(order);
            }
        }
        Ok(Ordering::Equal)
    }

    fn order_atomic(&mut self, a: Cell, b: Cell) -> Ordering {
        rank(a).cmp(&rank(b)).then_with(|| match (a, b) {
            (Cell::Atom(x), Cell::Atom(y)) => self.symbols.atoms.name(x).cmp(self.symbols.atoms.name(y)),
            (Cell::Str(x), Cell::Str(y)) => self.symbols.text(x).cmp(self.symbols.text(y)),
            (Cell::Var(x), Cell::Var(y)) => x.cmp(&y),
            _ if rank(a) == 1 => {
                let number = |cell: Cell| match cell {
                    Cell::Float(bits) => Number::Float(f64::from_bits(bits)),
                    other => Number::integer(self.symbols.as_integer(other).expect("an integer")),
                };
                let (x, y) = (number(a), number(b));
                // Where they are equal, the float comes first.
                let kind = |cell| u8::from(!matches!(cell, Cell::Float(_)));
                let bits = |cell| if let Cell::Float(bits) = cell { f64::from_bits(bits) } else { 0.0 };
                super::super::arith::order(&x, &y).then(kind(a).cmp(&kind(b))).then_with(|| bits(a).total_cmp(&bits(b)))
            }
            _ => Ordering::Equal,
        })
    }

    /// The order of two terms of which one depends on the input; `Err` with other terms that have the same.
    fn order_of_inputs(&mut self, a: Cell, b: Cell) -> Result<Result<Ordering, (Cell, Cell)>, Stop> {
        if let Some(conditions) = self.identical(a, b)
            && self.check(&conditions)
        {
            return Ok(Ok(Ordering::Equal));
        }
        // Which of two kinds comes first is decided without looking further.
        for rank in 1..=LAST {
            match (self.has_rank(a, rank), self.has_rank(b, rank)) {
                (true, true) => break,
                (true, false) => return Ok(Ok(Ordering::Less)),
                (false, true) => return Ok(Ok(Ordering::Greater)),
                (false, false) => {}
            }
        }
        let (x, y) = (self.opened(a), self.opened(b));
        if !matches!(x, Cell::Sym(_)) && !matches!(y, Cell::Sym(_)) {
            return Ok(Err((x, y)));
        }
        if let (Some(p), Some(q)) = (self.number_of(x)?, self.number_of(y)?) {
            let floats = (p.is_float(), q.is_float());
            if self.compare_now("<", p.clone(), q.clone())? {
                return Ok(Ok(Ordering::Less));
            }
            // Where they are equal, the float comes first.
            if floats.0 != floats.1 && self.compare_now("=:=", p.clone(), q.clone())? {
                return Ok(Ok(if floats.0 { Ordering::Less } else { Ordering::Greater }));
            }
            if floats != (true, true) || !self.compare_now("=:=", p, q)? {
                return Ok(Ok(Ordering::Greater));
            }
        }
        let what = "the order of two constants";
        Ok(Err((self.pinned(x, what)?, self.pinned(y, what)?)))
    }

    /// The number that a term is; `None` for others.
    fn number_of(&mut self, cell: Cell) -> Result<Option<Number>, Stop> {
        let number = match cell {
            Cell::Sym(e) => self.facts_kind(e),
            Cell::Int(_) | Cell::Big(_) => Some(Kind::Integer),
            Cell::Float(_) => Some(Kind::Float),
            _ => None,
        };
        match number {
            Some(Kind::Integer | Kind::Float) => self.evaluate(cell).map(Some),
            _ => Ok(None),
        }
    }

    /// The kind of an input, if it is known.
    fn facts_kind(&mut self, e: TermId) -> Option<Kind> {
        let known = self.rec.facts.constructor(self.rec.terms, e)?;
        [Kind::Integer, Kind::Float, Kind::String].into_iter().find(|&kind| self.universe.kind_ctor(kind) == Some(known))
    }

    /// Whether a term is of the kinds with this rank; that is decided, if it depends on the input.
    fn has_rank(&mut self, cell: Cell, of: u8) -> bool {
        let Cell::Sym(e) = self.heap.deref(cell) else { return rank(self.heap.deref(cell)) == of };
        let condition = match of {
            1 => {
                let kinds = [Kind::Integer, Kind::Float].map(|kind| self.kind_test(e, kind));
                self.rec.terms.mk(Op::Or, &kinds)
            }
            2 => self.kind_test(e, Kind::String),
            3 => {
                let nil = self.universe.constant(self.rec.terms, self.symbols, Cell::Atom(Atom::NIL)).expect("an atom");
                self.rec.terms.mk(Op::Eq, &[e, nil])
            }
            4 => self.atom_test(e),
            _ => {
                let atomic = self.atomic_test(e);
                self.rec.terms.not(atomic)
            }
        };
        self.check(&[condition])
    }
}
