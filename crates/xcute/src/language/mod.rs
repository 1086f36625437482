//! The languages: a module for each, and the list of them.
//!
//! **Invariant.** A language is added by its module and a line in [`ALL`]; nothing else names it.

mod c;
mod clp;
mod corpus;
mod covered;
pub mod dictionary;
mod erl;
mod java;
mod kept;
mod model;
mod orders;
mod program;
mod seeds;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod toy;

use crate::front::Language;
#[cfg(test)]
pub use toy::{Secret, ToyFront, ToySubject};

/// All languages, in the order of the help text.
pub const ALL: &[&dyn Language] = &[
    &c::C,
    &clp::Clp,
    &erl::Erl,
    &java::Java,
    &model::Model,
    &program::Program,
    #[cfg(test)]
    &toy::Toy,
];
