//! Unification, comparison of terms and of numbers.
//!
//! The standard order is, as SWI-Prolog has it, Variables < Numbers < Strings < Atoms < Compounds; compounds by arity, name, then arguments.

use std::cmp::Ordering;

use xcute_term::Op;

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::goals::Call;
use crate::machine::number::Number;
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
                super::super::arith::order(&x, &y).then(kind(a).cmp(&kind(b)))
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
        let (x, y) = (self.opened(a), self.opened(b));
        if !matches!(x, Cell::Sym(_)) && !matches!(y, Cell::Sym(_)) {
            return Ok(Err((x, y)));
        }
        let integer = |m: &mut Self, cell: Cell| match cell {
            Cell::Sym(e) => (m.rec.facts.constructor(m.rec.terms, e) == m.universe.integer_ctor()).then(|| m.integer_of(e)),
            Cell::Int(_) | Cell::Big(_) => {
                let value = m.symbols.as_integer(cell).expect("an integer");
                Some(m.rec.terms.value(xcute_term::Value::Int(value)))
            }
            _ => None,
        };
        let (p, q) = (integer(self, x), integer(self, y));
        if let (Some(p), Some(q)) = (p, q) {
            let less = self.rec.terms.mk(Op::Lt, &[p, q]);
            return Ok(Ok(if self.check(&[less]) { Ordering::Less } else { Ordering::Greater }));
        }
        // Constants of two kinds, or by name.
        let kind = |cell: Cell, number: bool| match cell {
            Cell::Sym(_) if number => 1,
            Cell::Sym(_) => 4,
            other => rank(other),
        };
        let (k, l) = (kind(x, p.is_some()), kind(y, q.is_some()));
        let both_names = matches!((k, l), (3 | 4, 3 | 4));
        if k != l && !both_names && !(self.universe.constants().iter().any(|c| !matches!(c, Cell::Atom(_)))) {
            return Ok(Ok(k.cmp(&l)));
        }
        let what = "the order of two constants";
        Ok(Err((self.pinned(x, what)?, self.pinned(y, what)?)))
    }
}
