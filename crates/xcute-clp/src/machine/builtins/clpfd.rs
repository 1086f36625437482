//! The predicates of `library(clpfd)`, and `dif/2`.

use num_bigint::BigInt;

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::fd::domain::Domain;
use crate::machine::goals::Call;
use crate::machine::number::Number;
use crate::machine::shape::ListView;
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("#=", 2, Builtin::Test(compared)),
    ("#\\=", 2, Builtin::Test(compared)),
    ("#<", 2, Builtin::Test(compared)),
    ("#>", 2, Builtin::Test(compared)),
    ("#=<", 2, Builtin::Test(compared)),
    ("#>=", 2, Builtin::Test(compared)),
    ("in", 2, Builtin::Plain(|m, c| m.in_domain(&[m.arg(c, 0)], m.arg(c, 1)))),
    ("ins", 2, Builtin::Plain(ins)),
    ("sum", 3, Builtin::Plain(sum)),
    ("all_different", 1, Builtin::Plain(all_different)),
    ("all_distinct", 1, Builtin::Plain(all_distinct)),
    ("$tuple_in", 2, Builtin::Plain(tuple_in)),
    ("#<==>", 2, Builtin::Plain(|m, c| m.post_reified(c.goal))),
    ("#==>", 2, Builtin::Plain(|m, c| m.post_reified(c.goal))),
    ("#<==", 2, Builtin::Plain(|m, c| m.post_reified(c.goal))),
    ("#\\/", 2, Builtin::Plain(|m, c| m.post_reified(c.goal))),
    ("#/\\", 2, Builtin::Plain(|m, c| Ok(m.post_reified(m.arg(c, 0))? && m.post_reified(m.arg(c, 1))?))),
    ("#\\", 2, Builtin::Plain(|m, c| m.post_reified(c.goal))),
    ("#\\", 1, Builtin::Plain(|m, c| m.post_reified(c.goal))),
    ("dif", 2, Builtin::Test(|m, c| m.post_dif(m.arg(c, 0), m.arg(c, 1)))),
];

fn compared(m: &mut Machine<'_>, call: Call) -> Step {
    let name = m.symbols.atoms.name(call.name).to_owned();
    let (a, b) = if matches!(name.as_str(), "#<" | "#=<") {
        // SWI-Prolog turns these round, and looks at the right side first.
        let b = m.linear(m.arg(call, 1))?;
        (m.linear(m.arg(call, 0))?, b)
    } else {
        (m.linear(m.arg(call, 0))?, m.linear(m.arg(call, 1))?)
    };
    if a.terms.is_empty() && b.terms.is_empty() {
        // Both sides are numbers: a test like any other.
        let site = m.test_site(call);
        let condition = m.compared_sums(&name, a, b)?;
        return Ok(m.rec.decide(site, &[condition]));
    }
    m.post_sums(&name, a, b)
}

fn ins(m: &mut Machine<'_>, call: Call) -> Step {
    let variables = m.proper_list(m.arg(call, 0))?;
    m.in_domain(&variables, m.arg(call, 1))
}

fn sum(m: &mut Machine<'_>, call: Call) -> Step {
    let items = m.proper_list(m.arg(call, 0))?;
    let plus = m.symbols.functor(Atom::PLUS, 2);
    let total = items.into_iter().fold(Cell::Int(0), |total, item| m.heap.compound(plus, &[total, item]));
    let Cell::Atom(name) = m.arg(call, 1) else {
        return Err(match m.arg(call, 1) {
            Cell::Var(_) => m.instantiation_error(),
            culprit @ Cell::Struct(_) => m.domain_error("scalar_product_relation", culprit),
            culprit => m.type_error("callable", culprit),
        });
    };
    let name = m.symbols.atoms.name(name).to_owned();
    if name == "[]" {
        return Err(m.type_error("callable", m.arg(call, 1)));
    }
    if !matches!(name.as_str(), "#=" | "#\\=" | "#<" | "#>" | "#=<" | "#>=") {
        return Err(m.domain_error("scalar_product_relation", m.arg(call, 1)));
    }
    m.post(&name, total, m.arg(call, 2))
}

fn all_different(m: &mut Machine<'_>, call: Call) -> Step {
    let items = m.proper_list(m.arg(call, 0))?;
    for &item in &items {
        if !matches!(item, Cell::Var(_)) {
            m.fd_number(item, "type_error")?;
        }
    }
    for (i, &a) in items.iter().enumerate() {
        for &b in &items[i + 1..] {
            if !m.post("#\\=", a, b)? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn all_distinct(m: &mut Machine<'_>, call: Call) -> Step {
    let items = m.proper_list(m.arg(call, 0))?;
    Ok(all_different(m, call)? && m.post_distinct(&items)?)
}

/// A tuple that is one of the rows, which are lists of numbers.
fn tuple_in(m: &mut Machine<'_>, call: Call) -> Step {
    let tuple = m.proper_list(m.arg(call, 0))?;
    for &cell in &tuple {
        if !matches!(cell, Cell::Var(_)) {
            m.fd_number(cell, "type_error")?;
        }
    }
    let mut rows = Vec::new();
    for row in m.proper_list(m.arg(call, 1))? {
        let row = m.proper_list(row)?;
        let mut values = Vec::new();
        for cell in row {
            let number = m.integer_argument(cell)?;
            values.push(m.pinned_integer(number, "a number of a table")?);
        }
        if values.len() == tuple.len() {
            rows.push(values);
        }
    }
    m.post_table(&tuple, rows)
}

impl Machine<'_> {
    /// The elements of an argument that must be a list.
    pub(crate) fn proper_list(&mut self, list: Cell) -> Result<Vec<Cell>, Stop> {
        match self.elements(list) {
            Ok(items) => Ok(items.into_iter().map(|item| self.heap.deref(item)).collect()),
            Err(ListView::Open(_)) => Err(self.instantiation_error()),
            Err(_) => Err(self.type_error("list", list)),
        }
    }

    /// Restricts variables to a domain `L..H`, a number, or several of them with `\/`.
    fn in_domain(&mut self, variables: &[Cell], domain: Cell) -> Step {
        // What is not an integer is noticed before any domain is looked at.
        let mut numbers = Vec::new();
        for &cell in variables {
            numbers.push(match self.heap.deref(cell) {
                Cell::Var(_) => None,
                other => Some(self.fd_number(other, "type_error")?),
            });
        }
        let mut intervals = self.intervals(domain)?;
        let (Some(first), Some(last)) = (intervals.first().cloned(), intervals.last().cloned()) else { return Ok(false) };
        let holes = intervals
            .windows(2)
            .filter_map(|pair| {
                let (end, start) = (pair[0].1.as_ref()?.as_integer()?, pair[1].0.as_ref()?.as_integer()?);
                (end < start).then(|| (end + BigInt::from(1), start - BigInt::from(1)))
            })
            .filter(|(from, to)| from <= to)
            .collect();
        intervals.clear();
        let domain = Domain { low: first.0, high: last.1, holes };
        for (&cell, number) in variables.iter().zip(numbers) {
            let holds = match (number, self.heap.deref(cell)) {
                (Some(number), _) => self.inside(number, &domain)?,
                (None, Cell::Var(variable)) if domain == Domain::default() => {
                    self.heap.store.make_integer(variable);
                    true
                }
                (None, Cell::Var(variable)) => self.narrow(variable, domain.clone())? && self.wake()?,
                // It was bound when one before it was narrowed.
                (None, other) => {
                    let number = self.fd_number(other, "type_error")?;
                    self.inside(number, &domain)?
                }
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The intervals of a domain, in the order in which they are written, which must be that of the numbers.
    #[expect(clippy::type_complexity, reason = "bounds that may be infinite")]
    pub(crate) fn intervals(&mut self, domain: Cell) -> Result<Vec<(Option<Number>, Option<Number>)>, Stop> {
        let (mut pending, mut found) = (vec![domain], Vec::new());
        while let Some(part) = pending.pop() {
            let part = self.heap.deref(part);
            if let Cell::Struct(address) = part {
                let functor = self.heap.functor(address);
                if self.symbols.arity(functor) != 2 {
                    return Err(self.no_domain(domain));
                }
                let (a, b) = (self.heap.arg(address, 0), self.heap.arg(address, 1));
                match (self.symbols.atoms.name(self.symbols.name(functor)), self.symbols.arity(functor)) {
                    ("\\/", 2) => pending.extend([b, a]),
                    ("..", 2) => {
                        let low = self.bound(a, "inf", part)?;
                        let high = self.bound(b, "sup", part)?;
                        found.push((low, high));
                    }
                    _ => return Err(self.no_domain(domain)),
                }
            } else if let Cell::Var(_) = part {
                return Err(self.instantiation_error());
            } else {
                if let Cell::Atom(_) | Cell::Str(_) | Cell::Float(_) = part {
                    return Err(self.no_domain(domain));
                }
                let number = self.fd_number(part, "type_error")?;
                found.push((Some(number.clone()), Some(number)));
            }
        }
        Ok(found)
    }

    fn no_domain(&mut self, domain: Cell) -> Stop {
        if self.is_ground(domain) { self.domain_error("clpfd_domain", domain) } else { self.instantiation_error() }
    }

    fn bound(&mut self, cell: Cell, infinite: &str, domain: Cell) -> Result<Option<Number>, Stop> {
        match cell {
            Cell::Atom(name) if self.symbols.atoms.name(name) == infinite => Ok(None),
            Cell::Atom(_) => Err(self.domain_error("clpfd_domain", domain)),
            Cell::Var(_) => Err(self.instantiation_error()),
            Cell::Float(_) | Cell::Str(_) | Cell::Struct(_) => Err(self.no_domain(domain)),
            other => self.fd_number(other, "type_error").map(Some),
        }
    }
}
