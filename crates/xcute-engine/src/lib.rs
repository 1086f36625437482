//! The campaign: run, grow the tree, pick an arm, solve, run again.
//!
//! The engine knows no language, only [`xcute_trace::Subject`]; no solver, only [`xcute_solver::Solver`]; no clock, only what its
//! [`Observer`] tells it.
//!
//! [`run_all`] lets several workers, threads, search together; a [`Campaign`] of its own is one worker.
//!
//! **Invariant.** Whatever a subject does is recorded; only a subject that cannot be run at all ends a campaign early.

mod account;
mod campaign;
mod conclude;
mod crew;
mod failing;
mod fuzzing;
mod jobs;
mod observer;
mod options;
mod pruning;
mod record;
mod results;
mod runner;
mod scheduling;
mod seed;

pub use campaign::Campaign;
pub use crew::Figures;
pub use fuzzing::Fuzz;
pub use jobs::{Equipment, run_all};
pub use observer::{Aside, Asked, Confirmation, Observer, RunEvent};
pub use options::{Options, Races, Scheduling, StopAt};
pub use pruning::annotated::{AnnotatedNode, NodeState};
pub use pruning::figures::Pruned;
pub use pruning::options::{Prune, PruneOptions};
pub use record::{Place, Record};
pub use results::{Doubt, Flipped, Found, Results, StopReason};
pub use seed::Seed;
