//! Prolog programs as data: [`Term`]s in [`Arena`]s, [`Clause`]s, [`Program`]s, and how they are read and written.
//!
//! The way of a text: `lexer` makes tokens of it, `parser` terms, [`Reader`] goes on after errors, `load` brings clauses to their predicates,
//! expands grammar rules (`dcg`) and carries out directives (`directive`). [`Writer`] is the way back.

mod arena;
mod atoms;
mod clause;
mod condition;
mod dcg;
mod declaration;
mod declare;
mod directive;
mod error;
mod flags;
mod functions;
mod indicator;
mod lexer;
mod load;
mod names;
mod number;
mod operators;
mod parser;
mod portray;
mod program;
mod quoted;
mod quoting;
mod reader;
mod record;
mod span;
mod token;
mod type_definition;
mod writer;

pub use arena::{Arena, Compound, Term, TermRef};
pub use atoms::{Atom, Atoms};
pub use clause::Clause;
pub use declaration::{Declaration, Determinism, Mode, ModedArgument};
pub use error::{Diagnostic, Problem, SyntaxError};
pub use flags::{Flags, TextFlag};
pub use indicator::Indicator;
pub use load::ReadFile;
pub(crate) use load::{OWN_TYPE, pack_root};
pub use operators::{Fixity, Operator, OperatorError, Operators};
pub use program::{Directive, Predicate, Program, TableMode};
pub(crate) use quoting::atom_text;
pub use quoting::{float, quoted};
pub use reader::{Reader, Sentence};
pub use span::{Source, SourceId, Span};
pub use type_definition::{TypeBody, TypeDefinition};
pub use writer::{Style, Writer};
