//! Random schedules: policies that choose the next task while a run goes on, for programs with too many schedules.
//!
//! No policy wins everywhere, so campaigns rotate them. A run that a policy drove is recorded like any other and taken in by the
//! explorer: what it finds is kept, and its races open arms.
//!
//! **Invariant.** Same seed and same choices offered, same choices taken.

use crate::operation::Accesses;
use crate::task::Task;

/// A task that can run.
#[derive(Clone, Debug)]
pub struct Ready {
    /// The task.
    pub task: Task,
    /// What its next operation accesses.
    pub accesses: Accesses,
}

/// Chooses the next task.
pub trait Policy: std::fmt::Debug {
    /// A run begins.
    fn begin(&mut self);

    /// The task to run next: a position in `ready`, which is not empty.
    fn choose(&mut self, ready: &[Ready]) -> usize;
}
