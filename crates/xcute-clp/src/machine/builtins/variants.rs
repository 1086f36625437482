//! Terms up to their variables: variants, subsumption, what unification would bind, numbered variables.

use rustc_hash::{FxHashMap, FxHashSet};

use xcute_term::TermId;

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::goals::Call;
use crate::machine::unify::Shared;
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("=@=", 2, Builtin::Test(variant)),
    ("\\=@=", 2, Builtin::Test(|m, c| Ok(!variant(m, c)?))),
    ("subsumes_term", 2, Builtin::Test(subsumes)),
    ("unifiable", 3, Builtin::Plain(unifiable)),
    ("?=", 2, Builtin::Test(decided)),
    ("numbervars", 3, Builtin::Plain(numbervars)),
    ("acyclic_term", 1, Builtin::Test(|_, _| Ok(true))),
    ("cyclic_term", 1, Builtin::Test(|_, _| Ok(false))),
    ("copy_term_nat", 2, Builtin::Plain(super::terms::copy_plainly)),
    ("duplicate_term", 2, Builtin::Plain(super::terms::copy_term)),
];

/// Equal but for the names of variables.
fn variant(m: &mut Machine<'_>, call: Call) -> Step {
    let Some(conditions) = m.variant_conditions(m.arg(call, 0), m.arg(call, 1)) else { return Ok(false) };
    let site = m.test_site(call);
    Ok(m.rec.decide(site, &conditions))
}

impl Machine<'_> {
    /// The conditions under which two terms are equal but for the names of variables; `None` if they never are.
    pub(crate) fn variant_conditions(&mut self, a: Cell, b: Cell) -> Option<Vec<TermId>> {
        let mut conditions = Vec::new();
        let (mut there, mut back) = (FxHashMap::default(), FxHashMap::default());
        let (mut pending, mut shared) = (vec![(a, b)], Shared::default());
        while let Some((a, b)) = pending.pop() {
            match (self.heap.deref(a), self.heap.deref(b)) {
                (Cell::Var(x), Cell::Var(y)) => {
                    if *there.entry(x).or_insert(y) != y || *back.entry(y).or_insert(x) != x {
                        return None;
                    }
                }
                (Cell::Struct(x), Cell::Struct(y)) if self.heap.functor(x) == self.heap.functor(y) => {
                    if shared.seen(x, y) {
                        continue;
                    }
                    let arity = self.symbols.arity(self.heap.functor(x));
                    pending.extend((0..arity).rev().map(|i| (self.heap.at(x + 1 + i), self.heap.at(y + 1 + i))));
                }
                (a @ Cell::Sym(_), b) | (a, b @ Cell::Sym(_)) => conditions.extend(self.identical(a, b)?),
                (a, b) if a == b => {}
                _ => return None,
            }
        }
        Some(conditions)
    }
}

/// Whether the first term can be made the second by binding its own variables only.
fn subsumes(m: &mut Machine<'_>, call: Call) -> Step {
    let (general, specific) = (m.arg(call, 0), m.arg(call, 1));
    let before = m.variables(specific);
    let mark = m.heap.mark();
    let conditions = m.unify(general, specific);
    // Its variables may be renamed, as long as they stay apart.
    let after: Vec<Cell> = before.iter().map(|&variable| m.heap.deref(variable)).collect();
    let apart: FxHashSet<Cell> = after.iter().copied().collect();
    let untouched = apart.len() == before.len() && after.iter().all(|cell| matches!(cell, Cell::Var(_)));
    m.heap.unbind(mark);
    let site = m.test_site(call);
    Ok(match conditions {
        Some(conditions) if untouched => m.rec.decide(site, &conditions),
        _ => false,
    })
}

fn unifiable(m: &mut Machine<'_>, call: Call) -> Step {
    let mark = m.heap.mark();
    let conditions = m.unify(m.arg(call, 0), m.arg(call, 1));
    let bound: Vec<(Cell, Cell)> = m.heap.bound_since(mark).iter().rev().map(|&at| (Cell::Var(at), m.heap.at(at))).collect();
    m.heap.unbind(mark);
    let holds = match conditions {
        Some(conditions) => m.check(&conditions),
        None => false,
    };
    if !holds {
        return Ok(false);
    }
    let equals = m.symbols.functor(Atom::EQUALS, 2);
    let bound = match (m.arg(call, 0), m.arg(call, 1)) {
        (a @ Cell::Var(_), b @ Cell::Var(_)) if a != b => vec![(a, b)],
        _ => bound,
    };
    let items: Vec<Cell> = bound.into_iter().map(|(variable, value)| m.heap.compound(equals, &[variable, value])).collect();
    let list = m.list(&items, Cell::Atom(Atom::NIL));
    m.unify_now(m.arg(call, 2), list)
}

/// `?=(A, B)`: identical, or not unifiable.
fn decided(m: &mut Machine<'_>, call: Call) -> Step {
    let (a, b) = (m.arg(call, 0), m.arg(call, 1));
    let mark = m.heap.mark();
    let conditions = m.unify(a, b);
    let binds = !m.heap.bound_since(mark).is_empty();
    m.heap.unbind(mark);
    Ok(match conditions {
        None => true,
        Some(_) if !binds => true,
        // An input may keep them apart.
        Some(conditions) => !m.check(&conditions),
    })
}

/// The bits of a number that SWI-Prolog's `numbervars/3` begins with.
const NUMBERED: u64 = 56;

fn numbervars(m: &mut Machine<'_>, call: Call) -> Step {
    let start = m.integer_argument(m.arg(call, 1))?;
    let mut next = m.pinned_integer(start, "the start of numbervars/3")?;
    if i64::try_from(&next).is_err() {
        return Err(m.representation_error("long"));
    }
    if next.bits() > NUMBERED {
        return Err(m.representation_error("tagged_integer"));
    }
    let functor = m.symbols.functor(Atom::VAR_FUNCTOR, 1);
    for variable in m.variables(m.arg(call, 0)) {
        let number = m.symbols.integer(next.clone());
        let name = m.heap.compound(functor, &[number]);
        if !m.unify_now(variable, name)? {
            return Ok(false);
        }
        next += 1;
    }
    let end = m.symbols.integer(next);
    m.unify_now(m.arg(call, 2), end)
}
