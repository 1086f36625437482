//! The exit codes, in one table. `docs/cli.md` shows the same one.

/// How xcute ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: nothing failed; the search is complete or its budget is used.
    NoFailure,
    /// 1: failures were found, or a replayed case failed again.
    Failures,
    /// 2: the tool could not do its job: usage, toolchain, files. One line on stderr says why.
    CouldNot,
    /// 3: nothing failed until a signal ended the search.
    Interrupted,
}

/// Ends the process, and does nothing else: a solver that did not notice that it was to end may still be at work, and must not find its library taken down.
pub fn leave(code: u8) -> ! {
    signal_hook::low_level::exit(code.into())
}

impl Exit {
    /// The code for the shell.
    pub fn code(self) -> u8 {
        match self {
            Exit::NoFailure => 0,
            Exit::Failures => 1,
            Exit::CouldNot => 2,
            Exit::Interrupted => 3,
        }
    }
}
