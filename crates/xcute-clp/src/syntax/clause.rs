//! Clauses: a head, a body, and the variables of both.

use std::sync::Arc;

use super::{Arena, Span, TermRef};

/// A clause as it was read, after the expansion of grammar rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Clause {
    /// Its terms.
    pub terms: Arena,
    /// An atom or a compound.
    pub head: TermRef,
    /// The atom `true` for a fact.
    pub body: TermRef,
    /// Whether it is a rule `Head => Body` (`Head, Guard => Body` has `guard`), which is chosen by matching and commits.
    pub single_sided: bool,
    /// The guard of a single-sided rule.
    pub guard: Option<TermRef>,
    /// The names of its variables by number; `None` for `_` and those that an expansion made.
    pub variables: Vec<Option<Arc<str>>>,
    /// Where it is, from its first character to its full stop.
    pub span: Span,
}
