//! Search strategies: which open arm next.
//!
//! One file per strategy, named as in the literature. A strategy sees the tree and what each run added; it never sees terms,
//! solvers or languages. Every strategy but random testing is exhaustive: as long as an arm is open it will be picked some day.
//!
//! **Invariant.** Same seed and same runs, same picks.

mod bfs;
mod cfg_directed;
mod coverage;
mod current;
mod dfs;
mod distance;
mod frontier;
mod generational;
#[cfg(test)]
mod grown;
mod name;
mod rare;
mod sets;
mod strategy;
mod testing;
mod turns;
mod urs;

pub use bfs::Bfs;
pub use cfg_directed::CfgDirected;
pub use coverage::Coverage;
pub use dfs::BoundedDfs;
pub use generational::Generational;
pub use name::StrategyName;
pub use sets::TransitionSets;
pub use strategy::{Seen, Strategy};
pub use testing::RandomTesting;
pub use urs::UniformRandom;
