//! Random programs with threads: brute force over all interleavings and inputs tells which assertions fail, which programs deadlock, which
//! accesses race and which final states there are; xcute must find exactly those with every algorithm.
//!
//! A program has two or three threads that share at most eight accesses to variables, mutexes and a semaphore, and up to two bits of input. Atomic
//! operations have all orders. Some files have atomic sections, assumptions that wait, futexes and the environment as well.
//! Several share one file and one campaign, because compiling costs more than exploring. A final state is a line that is covered.
//!
//! **Invariant.** What is brute-forced and what is compiled come from one pass over the program, so that they cannot differ.

mod check;
mod emit;
mod explore;
mod file;
mod generate;
mod machine;

pub use check::{Checked, check};
pub use file::File;

/// What the programs of a file have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Atomic variables, mutexes and a semaphore.
    Usual,
    /// The same with plain variables: there are data races.
    Racing,
    /// The same as the usual ones, and atomic sections, assumptions, futexes and the environment.
    Waiting,
}

/// Every algorithm that is complete.
pub const ALGORITHMS: [&str; 4] = ["dpor", "sleep", "races", "all"];
/// Programs in one file.
pub const PROGRAMS: usize = 20;

/// Variables that are atomic (or plain, in files with races), then those that a mutex guards, with their names in C.
const NAMES: [&str; 5] = ["x", "y", "guarded0", "guarded1", "V"];
/// The last one is a variable of the environment.
const ENVIRONMENT: usize = 4;
/// The first that is guarded: variable `GUARDED + i` belongs to mutex `i`.
const GUARDED: usize = 2;
/// The mutexes of a program.
const MUTEXES: usize = 2;
/// The most threads of a program, without the first.
const THREADS: usize = 3;
/// Registers of a thread.
const REGISTERS: usize = 2;
/// Bits of input.
const BITS: usize = 2;
