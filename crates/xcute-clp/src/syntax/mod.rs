//! Prolog programs as data: [`Term`]s in [`Arena`]s, [`Clause`]s, [`Program`]s.

mod arena;
mod atoms;
mod clause;
mod declaration;
mod operators;
mod program;
mod span;

pub use arena::{Arena, Compound, Term, TermRef};
pub use atoms::{Atom, Atoms};
pub use clause::Clause;
pub use declaration::{Declaration, Determinism, Mode, ModedArgument};
pub use operators::{Fixity, Operator, OperatorError, Operators};
pub use program::{Directive, Indicator, Predicate, Program};
pub use span::{Source, SourceId, Span};
