//! Programs under test change nothing but what is theirs.
//!
//! A process that [`Sandbox::spawn`] starts, and all that it starts in turn, writes only below the directories it is given, makes temporary files of its own, has no
//! network, does not write to the terminal, and sends no signals to processes outside. Reading is free.
//!
//! Two parts of the kernel do this. Landlock (`ruleset`) forbids. A seccomp filter (`filter`) stops the few system calls that could change something outside, and a
//! thread of ours (`watch`) looks at each of them (`judge`): what is allowed goes on, what would fail anyway goes on and fails, and what only the sandbox
//! refuses is recorded by name (`refused`). Where processes are counted, a swarm stands still (`swarm`). All other system calls pay for the filter only, and most of them not even for that: the kernel knows that they are always allowed.
//!
//! **Invariant.** Whatever the sandbox refuses is recorded before the program goes on. Nothing is decided on memory of the program that it could change
//! afterwards, unless Landlock decides again.

mod calls;
mod filter;
mod judge;
mod old;
mod refused;
mod ruleset;
mod sandbox;
mod swarm;
mod task;
mod temporary;
mod watch;

pub use refused::Refusal;
pub use sandbox::{Guard, Place, Rlimits, Sandbox, has_landlock};
pub use swarm::{Crowd, SWARM, processes, send};

#[cfg(test)]
mod tests;
