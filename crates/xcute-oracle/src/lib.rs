//! The oracle: random C programs over 16 bits of input. Brute force over all inputs tells which paths and failures there are; xcute,
//! called as a user calls it, must find exactly those. [`prune`] lets it skip paths that cannot fail; [`threads`] has programs with threads, and brute force over their interleavings;
//! [`truth`] has programs whose values leave what is followed and come back; [`models`] has state machines.
//!
//! Several programs share one file and one campaign, selected by an input, because compiling costs more than exploring.
//!
//! **Invariant.** Only the command line of xcute is used, nothing of its inside.

mod check;
mod expr;
mod made;
pub mod models;
mod pool;
mod program;
pub mod prune;
mod source;
pub mod threads;
pub mod truth;

pub use check::{Disagreement, Tools, Verdict, check, wrong};
pub use made::made;
pub use pool::each;
pub use program::File;
