//! Constraints that a term outside the heap carries along.

use super::domain::Domain;
use super::store::Propagator;
use crate::machine::cell::Cell;

/// A constraint of a frozen term. Its cells are `Var` with the number of a root of the term.
#[derive(Clone, Debug)]
pub(crate) enum Attached {
    Domain(Cell, Domain),
    Propagator(Propagator),
}
