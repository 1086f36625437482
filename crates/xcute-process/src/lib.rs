//! Processes of subjects, for front ends whose subjects run in one: [`Shared`] memory, the [`Bell`] with which both sides hand over, and the
//! [`Child`] itself.
//!
//! **Invariant.** Nothing that a process does blocks the engine for longer than the patience it was given.

mod bell;
mod child;
mod cores;
mod shared;

pub use bell::{Bell, Spin, most_looks};
pub use child::{Child, Death, Ended, wait};
pub use cores::{cores, stay_on};
pub use shared::Shared;
