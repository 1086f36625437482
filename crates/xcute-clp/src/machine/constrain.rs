//! The leading constraints of a clause, as far as they are decided together with its head.

use xcute_term::TermId;

use super::Machine;
use super::cell::Cell;
use super::error::Stop;
use crate::syntax::Atom;

/// What became of a constraint.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Constrained {
    /// It can hold; its conditions are added.
    Can,
    /// No input makes it hold.
    Cannot,
    /// It is not known yet what it is about: it is run as a goal.
    Later,
}

impl Machine<'_> {
    /// Adds the conditions under which a constraint holds.
    pub(crate) fn constrain(&mut self, constraint: Cell, conditions: &mut Vec<TermId>) -> Result<Constrained, Stop> {
        let Cell::Struct(address) = constraint else { return Ok(Constrained::Later) };
        if self.symbols.name(self.heap.functor(address)) != Atom::EQUALS {
            return Ok(Constrained::Later);
        }
        let (a, b) = (self.heap.arg(address, 0), self.heap.arg(address, 1));
        Ok(if self.unify_all(vec![(a, b)], u32::MAX, conditions) { Constrained::Can } else { Constrained::Cannot })
    }
}
