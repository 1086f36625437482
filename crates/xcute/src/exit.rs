//! The exit codes, in one table. `docs/cli.md` shows the same one.

use std::process::ExitCode;

/// How xcute ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: nothing failed; the search is complete or its budget is used.
    NoFailure,
    /// 1: failures were found, or a replayed case failed again.
    Failures,
    /// 2: the tool could not do its job: usage, toolchain, files. One line on stderr says why.
    CouldNot,
}

impl Exit {
    /// The code for the shell.
    pub fn code(self) -> ExitCode {
        ExitCode::from(self.number())
    }

    /// The same as a number.
    pub fn number(self) -> u8 {
        match self {
            Exit::NoFailure => 0,
            Exit::Failures => 1,
            Exit::CouldNot => 2,
        }
    }
}
