//! `label/1`, `labeling/2` and what is asked about domains.
//!
//! Variables are chosen and valued in the order of SWI-Prolog, one step after the other: a value, or the domain without it and another choice.

use std::cmp::Ordering;

use num_bigint::BigInt;

use super::Builtin;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::{Step, Stop};
use crate::machine::goals::{Call, ChoiceKind, Goal};
use crate::machine::number::Number;
use crate::syntax::Atom;

/// The predicates of this file.
pub(super) const TABLE: &[(&str, u32, Builtin)] = &[
    ("label", 1, Builtin::Plain(|m, c| m.label(c, m.arg(c, 0), Options::default()))),
    ("$labeling", 2, Builtin::Plain(labeling)),
    ("indomain", 1, Builtin::Plain(indomain)),
    ("fd_var", 1, Builtin::Test(|m, c| Ok(matches!(m.arg(c, 0), Cell::Var(at) if m.heap.store.is_constrained(at))))),
    ("fd_inf", 2, Builtin::Plain(|m, c| bound(m, c, false))),
    ("fd_sup", 2, Builtin::Plain(|m, c| bound(m, c, true))),
    ("fd_size", 2, Builtin::Plain(size)),
    ("fd_dom", 2, Builtin::Plain(domain)),
    ("fd_degree", 2, Builtin::Plain(degree)),
];

/// Which variable comes next.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Selection {
    #[default]
    Leftmost,
    /// First fail: the smallest domain.
    Ff,
    /// The same, and of equals the one with most constraints.
    Ffc,
    /// The smallest lower bound.
    Min,
    /// The largest upper bound.
    Max,
}

#[derive(Clone, Copy, Default)]
struct Options {
    selection: Selection,
    down: bool,
}

struct Bounded {
    cell: Cell,
    low: Number,
    high: Number,
}

fn labeling(m: &mut Machine<'_>, call: Call) -> Step {
    let items = m.proper_list(m.arg(call, 1))?;
    m.bounded(&items)?;
    let mut options = Options::default();
    let mut given = [0u8; 3];
    let mut seen: Vec<Cell> = Vec::new();
    let all = m.proper_list(m.arg(call, 0))?;
    for option in all {
        if let Cell::Var(_) = option {
            return Err(m.instantiation_error());
        }
        let name = if let Cell::Atom(name) = option { m.symbols.atoms.name(name) } else { "" };
        match name {
            "leftmost" => options.selection = Selection::Leftmost,
            "ff" => options.selection = Selection::Ff,
            "ffc" => options.selection = Selection::Ffc,
            "min" => options.selection = Selection::Min,
            "max" => options.selection = Selection::Max,
            "up" => options.down = false,
            "down" => options.down = true,
            // How a domain is split does not change the order of solutions.
            "step" | "bisect" | "enum" => {}
            _ => return Err(m.domain_error("labeling_option", option)),
        }
        // Of each kind there is at most one.
        let name = if let Cell::Atom(name) = option { m.symbols.atoms.name(name) } else { "" };
        let kind = match name {
            "up" | "down" => 1,
            "step" | "bisect" | "enum" => 2,
            _ => 0,
        };
        given[kind] += 1;
        if seen.contains(&option) {
            return Err(m.domain_error("nonrepeating_labeling_options", m.arg(call, 0)));
        }
        seen.push(option);
        if given[kind] > 1 {
            return Err(m.domain_error("consistent_labeling_options", m.arg(call, 0)));
        }
    }
    m.label(call, m.arg(call, 1), options)
}

fn indomain(m: &mut Machine<'_>, call: Call) -> Step {
    let list = m.list(&[m.arg(call, 0)], Cell::Atom(Atom::NIL));
    m.label(call, list, Options::default())
}

fn bound(m: &mut Machine<'_>, call: Call, upper: bool) -> Step {
    let (low, high) = m.domain_bounds(m.arg(call, 0))?;
    let found = match if upper { high } else { low } {
        Some(number) => m.number_cell(number),
        None => m.symbols.atom(if upper { "sup" } else { "inf" }),
    };
    m.unify_now(m.arg(call, 1), found)
}

fn size(m: &mut Machine<'_>, call: Call) -> Step {
    let found = match m.domain_bounds(m.arg(call, 0))? {
        (Some(low), Some(high)) => {
            let size = m.size_between(low, high, m.arg(call, 0))?;
            m.number_cell(size)
        }
        _ => m.symbols.atom("sup"),
    };
    m.unify_now(m.arg(call, 1), found)
}

fn degree(m: &mut Machine<'_>, call: Call) -> Step {
    let count = match m.arg(call, 0) {
        Cell::Var(at) => m.heap.store.degree(at),
        other => m.fd_number(other, "type_error").map(|_| 0)?,
    };
    m.unify_now(m.arg(call, 1), Cell::Int(i64::try_from(count).expect("few")))
}

fn domain(m: &mut Machine<'_>, call: Call) -> Step {
    let domain = m.domain_term(m.arg(call, 0))?;
    m.unify_now(m.arg(call, 1), domain)
}

impl Machine<'_> {
    /// The variables of a list, which must have bounds.
    fn bounded(&mut self, items: &[Cell]) -> Result<Vec<Bounded>, Stop> {
        let mut bounded = Vec::new();
        for &cell in items {
            match cell {
                Cell::Var(variable) => match self.heap.store.bounds_of(variable) {
                    Some((low, high)) => bounded.push(Bounded { cell, low, high }),
                    None => return Err(self.instantiation_error()),
                },
                other => {
                    self.fd_number(other, "type_error")?;
                }
            }
        }
        Ok(bounded)
    }

    /// Gives variables their values one after the other.
    fn label(&mut self, call: Call, list: Cell, options: Options) -> Step {
        let items = self.proper_list(list)?;
        let mut bounded = self.bounded(&items)?;
        if bounded.is_empty() {
            return Ok(true);
        }
        let chosen = self.selected(&bounded, options.selection)?;
        let Bounded { cell, low, high } = bounded.swap_remove(chosen);
        self.push(Goal::Call { goal: call.goal, barrier: call.barrier, place: call.place });
        if options.selection == Selection::Leftmost && !options.down {
            return self.enumerate(cell, low, Some(high));
        }
        // The value, or the domain without it.
        let (value, name) = if options.down { (high, "#<") } else { (low, "#>") };
        let value = self.number_cell(value);
        let (other, comma) = (self.symbols.functor_named(name, 2), self.symbols.functor(Atom::COMMA, 2));
        let without = self.heap.compound(other, &[cell, value]);
        let otherwise = self.heap.compound(comma, &[without, call.goal]);
        let after = self.frames[self.goals as usize].next;
        let again = std::mem::replace(&mut self.goals, after);
        self.push_choice(ChoiceKind::Goal { goal: otherwise, barrier: call.barrier, place: call.place });
        self.goals = again;
        self.unify_now(cell, value)
    }

    fn selected(&mut self, bounded: &[Bounded], selection: Selection) -> Result<usize, Stop> {
        let mut best = 0;
        let mut key = self.key_of(&bounded[0], selection)?;
        for (number, variable) in bounded.iter().enumerate().skip(1) {
            if selection == Selection::Leftmost {
                break;
            }
            let other = self.key_of(variable, selection)?;
            let order = if self.compare_now("<", other.clone(), key.clone())? {
                Ordering::Less
            } else if selection == Selection::Ffc && self.compare_now("=:=", other.clone(), key.clone())? {
                self.degree_of(bounded[best].cell).cmp(&self.degree_of(variable.cell))
            } else {
                Ordering::Greater
            };
            if order == Ordering::Less {
                (best, key) = (number, other);
            }
        }
        Ok(best)
    }

    fn degree_of(&self, cell: Cell) -> usize {
        if let Cell::Var(at) = cell { self.heap.store.degree(at) } else { 0 }
    }

    /// What is to be as small as can be.
    fn key_of(&mut self, variable: &Bounded, selection: Selection) -> Result<Number, Stop> {
        match selection {
            Selection::Leftmost => Ok(Number::Small(0)),
            Selection::Min => Ok(variable.low.clone()),
            Selection::Max => self.binary_number("-", Number::Small(0), variable.high.clone()),
            Selection::Ff | Selection::Ffc => self.size_between(variable.low.clone(), variable.high.clone(), variable.cell),
        }
    }

    /// How many values there are from one number to another, without those that are left out.
    fn size_between(&mut self, low: Number, high: Number, cell: Cell) -> Result<Number, Stop> {
        let holes = if let Cell::Var(at) = cell { self.heap.store.holes(at) } else { Vec::new() };
        let left_out: BigInt = holes.into_iter().map(|(from, to)| to - from + BigInt::from(1)).sum();
        let span = self.binary_number("-", high, low)?;
        self.binary_number("+", span, Number::integer(BigInt::from(1) - left_out))
    }

    /// The domain of a variable or integer as a term: intervals with `\/` between them.
    pub(super) fn domain_term(&mut self, cell: Cell) -> Result<Cell, Stop> {
        let (low, high) = self.domain_bounds(cell)?;
        let holes = if let Cell::Var(at) = cell { self.heap.store.holes(at) } else { Vec::new() };
        let (dots, or) = (self.symbols.functor_named("..", 2), self.symbols.functor_named("\\/", 2));
        let mut end = |number: Option<Number>, infinite: &str| match number {
            Some(number) => self.number_cell(number),
            None => self.symbols.atom(infinite),
        };
        let (mut from, last) = (end(low, "inf"), end(high, "sup"));
        let mut all: Option<Cell> = None;
        let ends = holes.into_iter().map(Some).chain([None]);
        for hole in ends {
            let to = match &hole {
                Some((start, _)) => self.symbols.integer(start - BigInt::from(1)),
                None => last,
            };
            let single = from == to && (all.is_some() || hole.is_some());
            let part = if single { from } else { self.heap.compound(dots, &[from, to]) };
            all = Some(match all {
                Some(before) => self.heap.compound(or, &[before, part]),
                None => part,
            });
            if let Some((_, end)) = hole {
                from = self.symbols.integer(end + BigInt::from(1));
            }
        }
        Ok(all.expect("one part at least"))
    }

    fn domain_bounds(&mut self, cell: Cell) -> Result<(Option<Number>, Option<Number>), Stop> {
        match cell {
            Cell::Var(at) => Ok(self.heap.store.ends_of(at)),
            other => {
                let number = self.fd_number(other, "type_error")?;
                Ok((Some(number.clone()), Some(number)))
            }
        }
    }
}
