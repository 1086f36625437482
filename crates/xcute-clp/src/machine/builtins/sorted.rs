//! Sorting by the standard order, and the collectors that need it: `bagof/3`, `setof/3`.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::goals::{Call, Goal};
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("msort", 2, Builtin::Plain(|m, c| sort(m, c, false))),
    ("sort", 2, Builtin::Plain(|m, c| sort(m, c, true))),
    ("sort", 4, Builtin::Plain(sort_by)),
    ("keysort", 2, Builtin::Plain(keysort)),
    ("bagof", 3, Builtin::Plain(collect)),
    ("setof", 3, Builtin::Plain(collect)),
    ("$collected", 5, Builtin::Plain(collected)),
];

fn sort(m: &mut Machine<'_>, call: Call, unique: bool) -> Step {
    let items = m.proper_list(m.arg(call, 0))?;
    let sorted = m.sorted(items.into_iter().map(|item| (item, item)).collect(), false, unique)?;
    let list = m.list(&sorted, Cell::Atom(Atom::NIL));
    m.unify_now(m.arg(call, 1), list)
}

fn sort_by(m: &mut Machine<'_>, call: Call) -> Step {
    let key = m.pinned(m.arg(call, 0), "the key of sort/4")?;
    let key = match key {
        Cell::Int(number) if number < 0 => return Err(m.domain_error("not_less_than_one", key)),
        Cell::Int(number) => Some(BigInt::from(number)),
        Cell::Big(_) if m.symbols.as_integer(key).is_some_and(|number| number.sign() == num_bigint::Sign::Minus) => {
            return Err(m.domain_error("not_less_than_one", key));
        }
        Cell::Big(_) => return Ok(false),
        // The key of a dict.
        Cell::Atom(_) => None,
        Cell::Var(_) => return Err(m.instantiation_error()),
        _ => return Err(m.type_error("sort_key", key)),
    };
    let order = match m.pinned(m.arg(call, 1), "the order of sort/4")? {
        Cell::Atom(order) => m.symbols.atoms.name(order).to_owned(),
        Cell::Var(_) => return Err(m.instantiation_error()),
        other => return Err(m.type_error("atom", other)),
    };
    if !matches!(order.as_str(), "@<" | "@=<" | "@>" | "@>=") {
        return Err(m.domain_error("order", m.arg(call, 1)));
    }
    let mut keyed = Vec::new();
    for item in m.proper_list(m.arg(call, 2))? {
        let number = key.as_ref().map(u32::try_from);
        let by = match number {
            Some(Ok(0)) => item,
            _ => match (m.opened(item), number) {
                (Cell::Struct(address), Some(Ok(number))) if number <= m.symbols.arity(m.heap.functor(address)) => {
                    m.heap.arg(address, number - 1)
                }
                (Cell::Var(_), _) => return Err(m.instantiation_error()),
                (dict @ Cell::Struct(_), None) => return Err(m.type_error("dict", dict)),
                (term @ Cell::Struct(_), _) => {
                    let (what, functor) = (m.symbols.atom("argument"), m.symbols.functor_named("existence_error", 3));
                    let formal = m.heap.compound(functor, &[what, m.arg(call, 0), term]);
                    return Err(m.error(formal));
                }
                (other, _) => return Err(m.type_error("compound", other)),
            },
        };
        keyed.push((by, item));
    }
    let (down, unique) = match order.as_str() {
        "@<" => (false, true),
        "@=<" => (false, false),
        "@>" => (true, true),
        _ => (true, false),
    };
    let sorted = m.sorted(keyed, down, unique)?;
    let list = m.list(&sorted, Cell::Atom(Atom::NIL));
    m.unify_now(m.arg(call, 3), list)
}

fn keysort(m: &mut Machine<'_>, call: Call) -> Step {
    let mut keyed = Vec::new();
    let pair = m.symbols.functor(Atom::MINUS, 2);
    for item in m.proper_list(m.arg(call, 0))? {
        match m.opened(item) {
            Cell::Struct(address) if m.heap.functor(address) == pair => keyed.push((m.heap.arg(address, 0), item)),
            Cell::Var(_) => return Err(m.instantiation_error()),
            other => return Err(m.type_error("pair", other)),
        }
    }
    let sorted = m.sorted(keyed, false, false)?;
    let list = m.list(&sorted, Cell::Atom(Atom::NIL));
    m.unify_now(m.arg(call, 1), list)
}

/// `bagof/3` and `setof/3`: finds witnesses and instances, then groups them.
fn collect(m: &mut Machine<'_>, call: Call) -> Step {
    let template = m.arg(call, 0);
    let power = m.symbols.functor_named("^", 2);
    let (mut goal, mut quantified) = (m.arg(call, 1), vec![template]);
    while let Cell::Struct(address) = goal {
        if m.heap.functor(address) != power {
            break;
        }
        quantified.push(m.heap.arg(address, 0));
        goal = m.heap.arg(address, 1);
    }
    let quantified: Vec<Cell> = quantified.into_iter().flat_map(|term| m.variables(term)).collect();
    let free: Vec<Cell> = m.variables(goal).into_iter().filter(|variable| !quantified.contains(variable)).collect();
    let witness = m.list(&free, Cell::Atom(Atom::NIL));
    // Witnesses are compared up to the names of their variables: these stand for them. They are older than what is found.
    let names: Vec<Cell> = free.iter().map(|_| m.heap.var()).collect();
    let names = m.list(&names, Cell::Atom(Atom::NIL));
    let pair = m.symbols.functor(Atom::MINUS, 2);
    let found = m.heap.compound(pair, &[witness, template]);
    let pairs = m.heap.var();
    let (findall, collected) = (m.symbols.functor_named("findall", 3), m.symbols.functor_named("$collected", 5));
    let find = m.heap.compound(findall, &[found, goal, pairs]);
    let group = m.heap.compound(collected, &[Cell::Atom(call.name), pairs, witness, m.arg(call, 2), names]);
    m.push(Goal::Call { goal: group, barrier: call.barrier, place: call.place });
    m.push(Goal::Call { goal: find, barrier: call.barrier, place: call.place });
    Ok(true)
}

/// Groups pairs by their witnesses: one solution for each.
fn collected(m: &mut Machine<'_>, call: Call) -> Step {
    let pair = m.symbols.functor(Atom::MINUS, 2);
    let unique = matches!(m.arg(call, 0), Cell::Atom(name) if m.symbols.atoms.name(name) == "setof");
    let mut names = m.proper_list(m.arg(call, 4))?;
    let (mut keyed, mut ground) = (Vec::new(), true);
    for item in m.proper_list(m.arg(call, 1))? {
        let Cell::Struct(address) = item else { unreachable!("findall keeps pairs") };
        let (witness, instance) = (m.heap.arg(address, 0), m.heap.arg(address, 1));
        for (at, variable) in m.variables(witness).into_iter().enumerate() {
            if at == names.len() {
                names.push(m.heap.var());
            }
            m.unify_now(variable, names[at])?;
        }
        ground = ground && m.variables(item).is_empty();
        keyed.push((witness, instance));
    }
    if !matches!(m.arg(call, 2), Cell::Atom(Atom::NIL)) {
        keyed = m.stable(keyed)?;
    }
    let mut groups: Vec<(Cell, Vec<Cell>)> = Vec::new();
    for (witness, instance) in keyed {
        match groups.last_mut() {
            Some((last, instances)) if m.order(*last, witness)? == Ordering::Equal => instances.push(instance),
            _ => groups.push((witness, vec![instance])),
        }
    }
    let mut answers = Vec::new();
    for (witness, instances) in groups {
        let instances = if unique { m.sorted(instances.into_iter().map(|item| (item, item)).collect(), false, true)? } else { instances };
        let list = m.list(&instances, Cell::Atom(Atom::NIL));
        answers.push(m.heap.compound(pair, &[witness, list]));
    }
    let mut list = m.arg(call, 3);
    if unique && !ground {
        // The order of variables may be another one when those of the goal take their place.
        let (sort, unsorted) = (m.symbols.functor_named("sort", 2), m.heap.var());
        let goal = m.heap.compound(sort, &[unsorted, list]);
        m.push(Goal::Call { goal, barrier: call.barrier, place: call.place });
        list = unsorted;
    }
    let pattern = m.heap.compound(pair, &[m.arg(call, 2), list]);
    m.one_of(pattern, &answers)
}

impl Machine<'_> {
    /// Sorts by keys, keeping the order of equals; with `unique`, only the first of equal keys stays.
    fn sorted(&mut self, items: Vec<(Cell, Cell)>, down: bool, unique: bool) -> Result<Vec<Cell>, Stop> {
        let sorted = self.merge_sorted(items, down)?;
        let mut kept: Vec<(Cell, Cell)> = Vec::with_capacity(sorted.len());
        for item in sorted {
            let repeats = match kept.last() {
                Some(last) if unique => self.order(last.0, item.0)? == Ordering::Equal,
                _ => false,
            };
            if !repeats {
                kept.push(item);
            }
        }
        Ok(kept.into_iter().map(|(_, item)| item).collect())
    }

    fn stable(&mut self, items: Vec<(Cell, Cell)>) -> Result<Vec<(Cell, Cell)>, Stop> {
        self.merge_sorted(items, false)
    }

    /// Merge sort from below. The standard library's needs an order that cannot fail, and this one may stop the run.
    fn merge_sorted(&mut self, items: Vec<(Cell, Cell)>, down: bool) -> Result<Vec<(Cell, Cell)>, Stop> {
        let mut runs: Vec<Vec<(Cell, Cell)>> = items.into_iter().map(|item| vec![item]).collect();
        while runs.len() > 1 {
            let mut next = Vec::with_capacity(runs.len().div_ceil(2));
            let mut pairs = runs.into_iter();
            while let Some(left) = pairs.next() {
                next.push(match pairs.next() {
                    Some(right) => self.merged(left, right, down)?,
                    None => left,
                });
            }
            runs = next;
        }
        Ok(runs.pop().unwrap_or_default())
    }

    fn merged(&mut self, left: Vec<(Cell, Cell)>, right: Vec<(Cell, Cell)>, down: bool) -> Result<Vec<(Cell, Cell)>, Stop> {
        let mut out = Vec::with_capacity(left.len() + right.len());
        let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            let order = self.order(a.0, b.0)?;
            let first = if down { order != Ordering::Less } else { order != Ordering::Greater };
            out.extend(if first { left.next() } else { right.next() });
        }
        out.extend(left);
        out.extend(right);
        Ok(out)
    }
}
