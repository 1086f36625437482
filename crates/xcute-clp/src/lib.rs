//! The front end for Prolog and constraint logic programs.
//!
//! [`syntax`] is what programs are made of, and how they are read and written: ISO Prolog with the extensions of SWI-Prolog 7 and later.
//! [`library`] is what every program can call, [`machine`] runs goals, [`subject`] is what the engine sees of it. Paths come out
//! as goals with constraints ([`constrained`]) and as tests ([`plunit`]).
//!
//! **Invariant.** Nothing here recurses over terms: they are kept flat, so a term of any depth is read, walked and dropped without
//! using up the stack.

pub mod constrained;
mod defined;
mod directives;
mod elsewhere;
pub mod library;
pub mod machine;
pub mod plunit;
mod regular;
pub mod subject;
pub mod swipl;
pub mod syntax;
pub mod typed;
mod types;

pub use regular::inferred;
pub use subject::{DETERMINISM, OUT_OF_MEMORY};
