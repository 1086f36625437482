//! Solving: the [`Solver`] trait, and layers that are solvers owning a solver.
//!
//! **Invariant.** A solver never sees a site, a language or a clock; effort comes in as a budget. "Unknown" is an answer.

mod solver;

pub use solver::{Answer, Count, Effort, Query, Solver, Why};
