//! Predicate indicators: what predicates are called.

use super::Atom;

/// A predicate indicator `name/arity`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Indicator {
    /// Its name.
    pub name: Atom,
    /// How many arguments it has.
    pub arity: u32,
}
