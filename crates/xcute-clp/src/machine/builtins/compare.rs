//! Unification, comparison of terms and of numbers.
//!
//! The standard order is, as SWI-Prolog has it, Variables < Numbers < Strings < Atoms < Compounds; compounds by arity, name, then arguments.

use std::cmp::Ordering;

use super::Builtin;
use super::order::{NUMBER, rank};
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::goals::Call;
use crate::machine::number::Number;
use crate::machine::unify::Shared;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("=", 2, Builtin::Test(unify)),
    ("unify_with_occurs_check", 2, Builtin::Test(unify_finitely)),
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

fn unify_finitely(m: &mut Machine<'_>, call: Call) -> Step {
    let flag = std::mem::replace(&mut m.flags.occurs_check, true);
    let unified = unify(m, call);
    m.flags.occurs_check = flag;
    unified
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

impl Machine<'_> {
    /// The standard order of two terms.
    pub(crate) fn order(&mut self, a: Cell, b: Cell) -> Result<Ordering, Stop> {
        let (mut pending, mut shared) = (vec![(a, b)], Shared::default());
        while let Some((a, b)) = pending.pop() {
            let (a, b) = (self.heap.deref(a), self.heap.deref(b));
            if a == b {
                continue;
            }
            self.breathe()?;
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
                    // A pair that was met before is equal: the first one that is not decides.
                    if f == g && shared.seen(x, y) {
                        continue;
                    }
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
            _ if rank(a) == NUMBER => {
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
}
