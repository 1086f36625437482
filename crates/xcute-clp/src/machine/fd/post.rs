//! Posting constraints, and running what was woken.

use super::linear::Linear;
use super::store::{Propagator, Relation};
use crate::machine::cell::Cell;
use crate::machine::error::Step;
use crate::machine::goals::Goal;
use crate::machine::{Machine, Place};

/// A comparison as `less - more + shift` compared with zero.
pub(super) fn oriented(name: &str, a: Linear, b: Linear) -> (Linear, Linear, Relation, i64) {
    match name {
        "#=" => (a, b, Relation::Equal, 0),
        "#\\=" => (a, b, Relation::Unequal, 0),
        "#<" => (a, b, Relation::AtMost, 1),
        "#>" => (b, a, Relation::AtMost, 1),
        "#=<" => (a, b, Relation::AtMost, 0),
        _ => (b, a, Relation::AtMost, 0),
    }
}

impl Machine<'_> {
    /// Adds a sum to the store; it runs at the next waking.
    pub(crate) fn post_linear(&mut self, sum: Linear, relation: Relation) {
        let variables: Vec<u32> =
            sum.terms.iter().filter_map(|(_, cell)| if let Cell::Var(at) = self.heap.deref(*cell) { Some(at) } else { None }).collect();
        self.heap.store.add(Propagator::Linear { terms: sum.terms, constant: sum.constant, relation }, variables.into_iter());
    }

    /// Posts `a Relation b`, by the name of the constraint.
    pub(crate) fn post(&mut self, name: &str, a: Cell, b: Cell) -> Step {
        let (a, b) = (self.linear(a)?, self.linear(b)?);
        self.post_sums(name, a, b)
    }

    /// The same for sums.
    pub(crate) fn post_sums(&mut self, name: &str, a: Linear, b: Linear) -> Step {
        let (sum, relation) = self.row(name, a, b)?;
        self.post_linear(sum, relation);
        self.wake()
    }

    /// Posts that two terms are to stay different.
    pub(crate) fn post_dif(&mut self, a: Cell, b: Cell) -> Step {
        self.heap.store.add(Propagator::Dif { a, b }, std::iter::empty());
        self.wake()
    }

    /// Takes notice of the variables that were bound, and runs propagators until nothing changes.
    pub(crate) fn wake(&mut self) -> Step {
        loop {
            if let Some(variable) = self.heap.store.woken.pop() {
                if !self.take_binding(variable)? {
                    return self.inconsistent();
                }
            } else if !self.heap.store.queue.is_empty() {
                let next = self.heap.store.queue.remove(0);
                self.spend()?;
                if !self.propagate(next)? {
                    return self.inconsistent();
                }
            } else {
                // Those that waited longer are called first.
                while self.trial.is_none()
                    && let Some((goal, place)) = self.resumed.pop()
                {
                    self.push(Goal::Call { goal, barrier: self.height(), place });
                }
                return Ok(true);
            }
        }
    }

    /// Lets a goal wait until a variable is bound.
    pub(crate) fn suspend(&mut self, variable: u32, goal: Cell, place: Place) {
        let watched = std::iter::once(variable);
        self.heap.store.add(Propagator::Goal { variable: Cell::Var(variable), goal, place }, watched);
    }

    fn inconsistent(&mut self) -> Step {
        self.resumed.clear();
        self.heap.store.woken.clear();
        self.heap.store.queue.clear();
        Ok(false)
    }

    /// A variable with constraints was bound: to a number of its domain, or to another variable.
    fn take_binding(&mut self, variable: u32) -> Step {
        let domain = self.heap.store.domain(variable).cloned();
        match self.heap.deref(Cell::Var(variable)) {
            Cell::Var(other) => {
                if other != variable {
                    self.heap.store.inherit(variable, other);
                    if let Some(domain) = domain {
                        return self.narrow(other, domain);
                    }
                }
                Ok(true)
            }
            cell => {
                self.heap.store.wake_watchers(variable);
                match domain {
                    Some(domain) => {
                        let number = self.fd_number(cell, "type_error")?;
                        self.inside(number, &domain)
                    }
                    None => Ok(true),
                }
            }
        }
    }
}
