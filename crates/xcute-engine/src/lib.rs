//! The campaign: run, grow the tree, pick an arm, solve, run again.
//!
//! The engine knows no language, only [`xcute_trace::Subject`]; no solver, only [`xcute_solver::Solver`]; no clock, only what its
//! [`Observer`] tells it.
//!
//! **Invariant.** Whatever a subject does is recorded; only a subject that cannot be run at all ends a campaign early.

mod campaign;
mod observer;
mod options;
mod results;
mod seed;

pub use campaign::Campaign;
pub use observer::{Confirmation, Observer, RunEvent};
pub use options::{Options, StopAt};
pub use results::{Found, LimitCount, Results, StopReason};
pub use seed::Seed;
