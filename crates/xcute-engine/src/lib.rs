//! The campaign: run, grow the tree, pick an arm, solve, run again.
//!
//! The engine knows no language, only [`xcute_trace::Subject`]; no solver, only [`xcute_solver::Solver`]; no clock, only what its
//! [`Observer`] tells it.
//!
//! [`run_all`] lets several workers, threads, search together; a [`Campaign`] of its own is one worker.
//!
//! **Invariant.** Whatever a subject does is recorded; only a subject that cannot be run at all ends a campaign early.

mod campaign;
mod crew;
mod data_races;
mod explain;
mod failed;
mod found;
mod interleavings;
mod jobs;
mod later;
mod minimise;
mod observer;
mod options;
mod pruning;
mod record;
mod repeat;
mod restart;
mod results;
mod run;
mod sample;
mod schedules;
mod search;
mod seed;
mod share;

pub use campaign::Campaign;
pub use crew::Figures;
pub use interleavings::Asked;
pub use jobs::{Equipment, run_all};
pub use observer::{Aside, Confirmation, Observer, RunEvent};
pub use options::{Options, Races, Scheduling, StopAt};
pub use pruning::{AnnotatedNode, NodeState, Prune, PruneOptions, Pruned};
pub use record::{Place, Record};
pub use results::{Doubt, Flipped, Found, Results, StopReason};
pub use seed::Seed;
