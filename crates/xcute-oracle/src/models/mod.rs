//! Random models: state machines with small domains against brute force over all sequences, and the chains of the paper for measurements.
//!
//! Several machines share one capsule, selected by the first message, because compiling costs more than exploring.

mod chain;
mod check;
mod generate;

pub use chain::{chain, tangle};
pub use check::{Agreed, check};
pub use generate::{MACHINES, Model, STEPS};
