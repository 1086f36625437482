//! Why the compiler could not do its work, in one line.

use std::path::PathBuf;

use thiserror::Error;

/// Why the compiler could not do its work.
#[derive(Debug, Error)]
pub enum ToolchainError {
    /// What is linked into programs under test is written for one kind of machine.
    #[error("cannot test programs of C, C++ or UML-RT on {machine}: that needs x86-64 (other languages do not)")]
    Machine {
        /// The kind of this machine.
        machine: &'static str,
    },
    /// There is no compiler.
    #[error("clang-19 not found (install it: apt-get install clang-19; or set XCUTE_CLANG to its path)")]
    Missing,
    /// It could not be started.
    #[error("cannot start {}: {error}", path.display())]
    Start {
        /// The compiler.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// It was stopped.
    #[error("{what} was not compiled: the time is up")]
    Stopped {
        /// The file, or "the program" where it is linked.
        what: String,
    },
    /// It refused the program.
    #[error("{what} does not compile: {}", first_error(.messages))]
    Refused {
        /// The file, or "the program" where it is linked.
        what: String,
        /// What it said, as it said it.
        messages: String,
    },
}

/// The first error that the compiler or linker names, and how many more there are.
fn first_error(messages: &str) -> String {
    let is_error = |line: &&str| line.contains("error: ") || line.contains("undefined reference") || line.contains("cannot find");
    let mut errors = messages.lines().filter(is_error).filter(|line| !line.contains("linker command failed"));
    let first = errors.next().or_else(|| messages.lines().find(|l| !l.trim().is_empty())).unwrap_or("the compiler does not say why");
    match errors.count() {
        0 => first.trim().to_owned(),
        more => format!("{} (and {more} more)", first.trim()),
    }
}
