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
    /// 4: nothing failed, but a search is not complete that has to be.
    Incomplete,
}

/// Ends the process, and does nothing else: a solver that did not notice that it was to end may still be at work, and must not find its library taken down.
pub fn leave(code: u8) -> ! {
    signal_hook::low_level::exit(code.into())
}

impl Exit {
    /// What a process of ours ended with. A code that is not one of ours means that it did not do its job.
    pub fn of(code: i32) -> Exit {
        match code {
            0 => Exit::NoFailure,
            1 => Exit::Failures,
            3 => Exit::Interrupted,
            4 => Exit::Incomplete,
            _ => Exit::CouldNot,
        }
    }

    /// What several together end with: failures count most, then what could not be done, then interruptions.
    pub fn worst(exits: impl IntoIterator<Item = Exit>) -> Exit {
        let order = [Exit::Failures, Exit::CouldNot, Exit::Interrupted, Exit::Incomplete, Exit::NoFailure];
        let place = |exit: &Exit| order.iter().position(|other| other == exit);
        exits.into_iter().min_by_key(place).unwrap_or(Exit::NoFailure)
    }

    /// The code for the shell.
    pub fn code(self) -> u8 {
        match self {
            Exit::NoFailure => 0,
            Exit::Failures => 1,
            Exit::CouldNot => 2,
            Exit::Interrupted => 3,
            Exit::Incomplete => 4,
        }
    }
}
