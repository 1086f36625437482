//! The emulator: one process for thousands of runs, driven over a socket.
//!
//! [`Home`] finds `erl` and keeps what is compiled once, [`Vm`] is a running emulator and its protocol, [`Limits`] and [`Ended`] are what a run may use and
//! how it ended. What a program under test does to its emulator is a result: [`Ended::Gone`].
//!
//! **Invariant.** No emulator outlives its [`Vm`], and none outlives this process: it ends when the socket does. The programs that it started end with it.

mod ended;
mod home;
mod idle;
mod leftovers;
mod process;
mod rows;

pub use ended::{Answer, Crash, Ended, Gone, How, Other, StackFrame};
pub use home::{FEATURES, Home, LEAN};
pub use idle::Idle;
pub use leftovers::run as run_to_end;
pub use process::{Limits, Tell, Vm};
pub use rows::{Lead, Row, Rows, Wants};
pub use xcute_cache::Key;

use thiserror::Error;

/// Why the emulator cannot be used.
#[derive(Debug, Error)]
pub enum VmError {
    /// There is no `erl`.
    #[error("cannot find erl (install Erlang/OTP, Debian's erlang-base, or set XCUTE_ERL)")]
    Missing,
    /// It did not start, or not as it should.
    #[error("cannot start {erl}: {reason}")]
    Start {
        /// The program.
        erl: String,
        /// What happened.
        reason: String,
    },
    /// It ended, hung or said something else than expected in the middle of a request.
    #[error("Erlang does not answer: {0}")]
    Protocol(String),
    /// It refused a request: a program that does not compile, say.
    #[error("{0}")]
    Refused(String),
    /// The file system.
    #[error("cannot keep compiled code: {0}")]
    File(#[from] std::io::Error),
}
