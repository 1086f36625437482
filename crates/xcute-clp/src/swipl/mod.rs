//! The real SWI-Prolog: goals are run there before a test that holds them is printed.
//!
//! One process serves many goals ([`Session`]); it is started again when a goal ended it or did not come back. What a goal asserts is undone after it.
//! [`plunit()`] runs a finished test file.
//!
//! **Invariant.** Nothing a goal does reaches this process: whatever comes back is an [`Answer`], and a goal that does not come back is
//! ended with its process.

mod answer;
mod plunit;
mod process;
mod session;

use std::path::PathBuf;

use thiserror::Error;

pub use answer::{Answer, Ending, Solution};
pub use plunit::{Verdict, plunit};
pub use session::{Limits, Session, goal_text};

/// Why SWI-Prolog could not be asked.
#[derive(Debug, Error)]
pub enum SwiplError {
    /// It did not start.
    #[error("cannot run {program}: {reason} (is SWI-Prolog installed? XCUTE_SWIPL names another)")]
    Start {
        /// What was run.
        program: String,
        /// What the system said.
        reason: std::io::Error,
    },
    /// A file could not be written for it.
    #[error("cannot write a file for SWI-Prolog: {0}")]
    File(#[from] std::io::Error),
    /// It ended or hung while the program was loaded.
    #[error("SWI-Prolog did not load {0}: {1}")]
    Load(String, String),
    /// It said something that is not an answer.
    #[error("SWI-Prolog's answer cannot be read: {0}")]
    Answer(String),
}

/// Where SWI-Prolog is: `XCUTE_SWIPL`, or `swipl` of the search path; `None` if it is not installed.
pub fn find() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("XCUTE_SWIPL") {
        return Some(PathBuf::from(named)).filter(|path| path.is_file());
    }
    which::which("swipl").ok()
}
