//! Bit-blasting: [`BitBlaster`] answers queries over Booleans, bit-vectors and floats with a SAT solver.
//!
//! The way down: `blaster` (queries, assumptions, cores, models) → `blast` (terms to literals, once per term) →
//! `arithmetic`, `shift`, `compare`, `float` (words) → `circuit` (gates, structural hashing) → `sat` (clauses and search).
//!
//! **Invariant.** Clauses only define gates and are true under every assignment of the inputs. Constraints are never asserted,
//! only assumed, so one SAT solver serves all queries of a campaign and everything it has learnt stays true.

mod arithmetic;
mod blast;
mod blaster;
mod circuit;
mod compare;
mod float;
mod lit;
pub mod record;
mod sat;
mod shift;

pub use blaster::{BitBlaster, Limits};
