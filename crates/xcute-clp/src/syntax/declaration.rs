//! What a program says about the arguments of its predicates: `:- pred p(+list(int), -int) is det`.
//!
//! Three spellings are understood: `pred` as in Ciao and Mercury, `mode` as in DEC-10 Prolog, and the comments of PlDoc
//! (`%! p(+List:list, -N:int) is det`).

use super::{Arena, Indicator, Span, TermRef};

/// A declaration of one predicate.
#[derive(Clone, Debug, PartialEq)]
pub struct Declaration {
    /// Of which predicate.
    pub predicate: Indicator,
    /// One for each argument.
    pub arguments: Vec<ModedArgument>,
    /// How many solutions it says there are.
    pub determinism: Option<Determinism>,
    /// The terms of the types.
    pub terms: Arena,
    /// Where it is.
    pub span: Span,
    /// Whether it is a directive, which SWI-Prolog does not know, and not a comment.
    pub directive: bool,
}

/// What is said about one argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ModedArgument {
    /// How it is used.
    pub mode: Mode,
    /// Its type, as in `list(int)`.
    pub type_: Option<TermRef>,
}

/// How an argument is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// `+`, `++`: given by the caller.
    Input,
    /// `-`, `--`: a variable at call time.
    Output,
    /// `?` and all others: either.
    Either,
}

/// How many solutions a call has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Determinism {
    /// Exactly one, and no choice point is left.
    Det,
    /// At most one, and no choice point is left.
    Semidet,
    /// Any number.
    Nondet,
    /// At least one.
    Multi,
    /// None.
    Failure,
}
