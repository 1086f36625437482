//! Failures repeated on the uninstrumented program.
//!
//! The program is compiled once without instrumentation ([`program`]) and gets the inputs of a case as [`data`]; a failure counts as confirmed if the program ends in the
//! way its kind demands, where it demands it ([`report`]). What a plain run does not show by itself (an access just outside its object, a division that the compiler
//! folded) is looked for once more with input objects next to pages that must not be accessed, and with the compiler's sanitizers.
//!
//! Failures of several threads are repeated in their order ([`ordered`]).
//!
//! **Invariant.** A native run ends: by itself, by its limits, or when it is to stop. It leaves no core file and cannot take all memory.

mod abreast;
mod asleep;
pub(crate) mod data;
pub(crate) mod held;
pub(crate) mod ordered;
mod program;
mod raced;
mod report;
mod run;
pub(crate) mod sanitizers;
mod values;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use xcute_trace::{Failure, FailureKind, Frame, Held};

use crate::build::words;
use crate::instrument::compiled::CompileError;
use crate::run::symbolize::Symbols;
use crate::wire::OPEN_END;
use data::Placement;
use sanitizers::Sanitizer;
use xcute_sandbox::Sandbox;
use xcute_term::Interrupt;

pub use held::write_order;
pub use ordered::{shown, told};
pub(crate) use program::reporter;
pub use program::{Built, NativeProgram};
pub use report::Report;
pub use run::{End, Limits, Run, Start, start};

/// Whether a failure was repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it was.
    pub reproduced: bool,
    /// One line: how it ended, and how that was seen.
    pub how: String,
}

/// What became of a failure on the uninstrumented program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// It failed in the same way.
    Same {
        /// How that was seen.
        how: String,
        /// What variables held there, as far as it is known.
        values: Vec<Held>,
    },
    /// It failed in another way.
    Other {
        /// How.
        failure: Box<Failure>,
        /// How that was seen.
        how: String,
    },
    /// It did not fail.
    Not {
        /// What it did instead.
        how: String,
    },
    /// It did as expected as long as it was looked at, and may do otherwise later.
    Undecided {
        /// What it did.
        how: String,
    },
    /// There was no time to see.
    Stopped,
}

impl Repetition {
    /// It failed in the same way; what variables held is not known.
    #[must_use]
    pub fn same(how: String) -> Repetition {
        Repetition::Same { how, values: Vec::new() }
    }

    /// What it is worth where the run of a hang came back to no state that it was in: a loop that takes long is not one that never ends.
    pub(crate) fn unless_open(self, failure: &Failure, run: &Run, hang: Duration) -> Repetition {
        let open = failure.kind == FailureKind::Hang && failure.message == OPEN_END && run.end == End::TimedOut;
        match self {
            Repetition::Same { how, .. } if open => {
                let seconds = hang.as_secs_f64();
                Repetition::Undecided {
                    how: format!("{how} within {seconds} s of the processor's time, but may end later (--hang waits longer)"),
                }
            }
            other => other,
        }
    }

    /// What it is worth if the sandbox refused something in the run: what came of it may be our own doing.
    pub(crate) fn doubted(self, run: &Run) -> Repetition {
        match (run.refusals(), self) {
            (
                Some(refused),
                Repetition::Same { how, .. } | Repetition::Other { how, .. } | Repetition::Undecided { how } | Repetition::Not { how },
            ) => Repetition::Not { how: format!("{how}; {refused} (--no-sandbox allows it)") },
            (_, repetition) => repetition,
        }
    }
}

impl From<Verdict> for Repetition {
    fn from(Verdict { reproduced, how }: Verdict) -> Repetition {
        if reproduced { Repetition::same(how) } else { Repetition::Not { how } }
    }
}

/// A run in which no hang is expected may take this many times as long as one that hangs.
pub(crate) const PATIENCE: u32 = 5;
/// The memory that a run may use.
pub(crate) const MEMORY: u64 = 2 << 30;

/// A case of a program that can be run again and again.
#[derive(Clone, Copy)]
pub(crate) struct Again<'a> {
    /// The program.
    pub(crate) program: &'a NativeProgram,
    /// The file of the case for an executable.
    pub(crate) data: &'a dyn Fn(&data::Symbols, Placement) -> Vec<u8>,
    /// The files of the program, as they are named in stacks.
    pub(crate) files: &'a [String],
    /// The time of the processor after which a run hangs.
    pub(crate) hang: Duration,
    /// When to stop.
    pub(crate) stop: &'a Interrupt,
    /// What confines the runs.
    pub(crate) sandbox: &'a Sandbox,
}

/// A run of a case, and what the program said of its failure.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The run.
    pub(crate) run: Run,
    /// Its own report.
    pub(crate) report: Option<Report>,
    /// Where it failed.
    pub(crate) stack: Vec<Frame>,
    /// What variables held there.
    pub(crate) values: Vec<Held>,
}

impl Again<'_> {
    /// Runs the case as it is.
    ///
    /// # Errors
    /// If the program does not compile or start.
    pub(crate) fn plain(&self, expected: Option<FailureKind>) -> Result<(PathBuf, Seen), CompileError> {
        let exe = self.program.plain(self.stop)?;
        let time = if expected == Some(FailureKind::Hang) { self.hang } else { self.hang * PATIENCE };
        let limits = Limits { time, memory: Some(MEMORY), leaks: false, stuck: expected == Some(FailureKind::Hang) };
        let seen = self.run(&exe, Placement::Heap, &limits)?;
        Ok((exe, seen))
    }

    /// What the environment of an executable must hold to get the inputs.
    ///
    /// # Errors
    /// If they cannot be written.
    pub(crate) fn environment(&self, exe: &Path) -> Result<Vec<(OsString, OsString)>, CompileError> {
        let file = self.write(exe, Placement::Heap)?;
        Ok(vec![("XCUTE_CASE".into(), file.into())])
    }

    /// Repeats a failure.
    ///
    /// # Errors
    /// If the program does not compile or start.
    pub(crate) fn confirm(&self, failure: &Failure) -> Result<Repetition, CompileError> {
        let (exe, seen) = self.plain(Some(failure.kind))?;
        Ok(self.compare(failure, &exe, &seen)?.unless_open(failure, &seen.run, self.hang).doubted(&seen.run))
    }

    /// What became of a failure, of which the plain run is known.
    fn compare(&self, failure: &Failure, exe: &Path, seen: &Seen) -> Result<Repetition, CompileError> {
        if seen.run.end == End::Stopped {
            return Ok(Repetition::Stopped);
        }
        let how = |what: String| format!("the uninstrumented program {what}");
        let ended = how(seen.run.end.to_string());
        let fails = ends_so(failure, &seen.run);
        if fails && same_place(failure, &seen.stack) {
            return Ok(Repetition::Same { how: ended, values: seen.values.clone() });
        }
        if let Some(how) = self.guarded(exe, failure)?.or(self.checked(failure, &seen.run)?) {
            return Ok(Repetition::same(how));
        }
        if self.stop.raised() {
            return Ok(Repetition::Stopped);
        }
        // A broken object may be noticed long after it was broken, and elsewhere.
        if fails && is_memory(failure.kind) {
            return Ok(Repetition::same(ended));
        }
        match instead(&seen.run, seen.report.as_ref(), seen.stack.clone()) {
            Some(other) => Ok(Repetition::Other { failure: Box::new(other), how: ended }),
            None => Ok(Repetition::Not { how: format!("{ended} instead") }),
        }
    }

    /// How an access outside of an input object was caught by a page that must not be accessed.
    fn guarded(&self, exe: &Path, failure: &Failure) -> Result<Option<String>, CompileError> {
        if !matches!(failure.kind, FailureKind::OutOfBounds | FailureKind::WildAccess | FailureKind::UseAfterReturn) {
            return Ok(None);
        }
        let limits = Limits { time: self.hang, memory: Some(MEMORY), leaks: false, stuck: false };
        for (placement, side) in [(Placement::End, "end"), (Placement::Front, "start")] {
            let seen = self.run(exe, placement, &limits)?;
            if seen.report.is_some_and(|report| report.guarded) {
                return Ok(Some(format!("the uninstrumented program is stopped beyond the {side} of an input object")));
            }
        }
        Ok(None)
    }

    /// How a sanitizer showed it.
    fn checked(&self, failure: &Failure, plain: &Run) -> Result<Option<String>, CompileError> {
        for sanitizer in sanitizers::of(failure.kind) {
            if self.stop.raised() {
                break;
            }
            let Some(exe) = self.program.checked(sanitizer, self.stop) else { continue };
            // Where the plain program does not end, the checked one need not be waited for as long.
            let time = if plain.end == End::TimedOut { self.hang } else { self.hang * PATIENCE };
            let limits = Limits { time, memory: None, leaks: failure.kind == FailureKind::Leak, stuck: false };
            if sanitizer.caught(&self.run(&exe, Placement::Heap, &limits)?.run) {
                return Ok(Some(format!("the uninstrumented program is stopped by the {}", sanitizer.name)));
            }
        }
        Ok(None)
    }

    fn write(&self, exe: &Path, placement: Placement) -> Result<PathBuf, CompileError> {
        let file = self.program.dir.join("case.data");
        let data = (self.data)(&self.program.symbols(exe), placement);
        std::fs::write(&file, data).map_err(|error| CompileError::Io { path: file.clone(), error })?;
        Ok(file)
    }

    fn run(&self, exe: &Path, placement: Placement, limits: &Limits) -> Result<Seen, CompileError> {
        let file = self.program.dir.join("case.report");
        // The program may write to this file, but not make one.
        std::fs::write(&file, "").map_err(|error| CompileError::Io { path: file.clone(), error })?;
        let mut environment: Vec<(OsString, OsString)> =
            vec![("XCUTE_CASE".into(), self.write(exe, placement)?.into()), ("XCUTE_REPORT".into(), file.clone().into())];
        environment.extend(limits.leaks.then(|| ("XCUTE_LEAKS".into(), "1".into())));
        let (sandbox, writable) = (self.sandbox, &[file.as_path()][..]);
        let how = Start { exe, arguments: &[], stdin: None, directory: None, environment: &environment, preload: None, sandbox, writable };
        let run = start(&how, limits, self.stop).map_err(|error| CompileError::Io { path: exe.to_owned(), error })?;
        let report = Report::read(&file);
        let sources: Vec<String> = self.program.units.iter().map(|unit| unit.source.display().to_string()).collect();
        let mut symbols = Symbols::new(exe, self.files, &sources);
        let stack = report.as_ref().map(|report| report.stack(exe, &mut symbols)).unwrap_or_default();
        let values = report.as_ref().map(|report| report.values(exe, &mut symbols)).unwrap_or_default();
        Ok(Seen { run, report, stack, values })
    }

    /// The same in the order of threads, with a sanitizer or without.
    pub(crate) fn ordered(&self, sanitizer: Option<&Sanitizer>) -> Result<PathBuf, CompileError> {
        self.program.ordered(sanitizer, self.stop)
    }
}

/// Whether a failure is about memory: it need not show where it happens.
pub(crate) fn is_memory(kind: FailureKind) -> bool {
    use FailureKind::{DoubleFree, InvalidFree, NullAccess, OutOfBounds, Signal, StackOverflow, UseAfterFree, UseAfterReturn, WildAccess};
    matches!(
        kind,
        OutOfBounds | WildAccess | NullAccess | UseAfterFree | UseAfterReturn | DoubleFree | InvalidFree | StackOverflow | Signal
    )
}

/// Whether the program says that it fails where it is expected to: in the same function. What it does not say is believed.
pub(crate) fn same_place(failure: &Failure, stack: &[Frame]) -> bool {
    match (failure.stack.first(), stack.first()) {
        (Some(expected), Some(seen)) => expected.function == seen.function || failure.kind == FailureKind::Hang,
        _ => true,
    }
}

/// What a run of a program that reports its failures comes to, where a failure is expected: `None` if it says nothing of any.
pub(crate) fn instead(seen: &Run, told: Option<&Report>, stack: Vec<Frame>) -> Option<Failure> {
    report::failure(seen, told, stack, None)
}

/// Whether a run ended as the failure does.
pub(crate) fn ends_so(failure: &Failure, seen: &Run) -> bool {
    // A program's own `reach_error` may say nothing when it aborts.
    let silent = failure.kind == FailureKind::Assertion && words::is_error(&failure.stack) && matches(FailureKind::Abort, seen);
    silent || matches(failure.kind, seen)
}

/// Whether a line reports a failed assertion.
fn is_assertion(line: &str) -> bool {
    line.contains("Assertion") || line.contains("xcute_assert(")
}

/// Whether a plain run ended as a failure of this kind does.
pub(crate) fn matches(kind: FailureKind, seen: &Run) -> bool {
    match (kind, seen.end) {
        (FailureKind::Assertion, End::Signalled(libc::SIGABRT)) => is_assertion(&seen.errors),
        (FailureKind::Abort, End::Signalled(libc::SIGABRT)) => true,
        (FailureKind::DoubleFree | FailureKind::InvalidFree, End::Signalled(libc::SIGABRT)) => seen.errors.contains("free"),
        (FailureKind::UncaughtException, End::Signalled(libc::SIGABRT)) => seen.errors.contains("terminate called"),
        (FailureKind::DivisionByZero, End::Signalled(libc::SIGFPE)) => true,
        (FailureKind::NullAccess | FailureKind::WildAccess | FailureKind::OutOfBounds, End::Signalled(libc::SIGSEGV | libc::SIGBUS)) => {
            true
        }
        (FailureKind::StackOverflow, End::Signalled(libc::SIGSEGV)) => true,
        (FailureKind::Trap, End::Signalled(libc::SIGILL | libc::SIGTRAP)) => true,
        (FailureKind::Hang, End::TimedOut | End::Swarmed) => true,
        (FailureKind::Deadlock | FailureKind::LostWakeup | FailureKind::Livelock, End::TimedOut | End::Waited) => {
            seen.errors.contains(held::KEPT)
        }
        // What the replay runtime says of real locks and threads that are misused.
        (FailureKind::BadUnlock | FailureKind::DestroyedInUse | FailureKind::BadJoin, _) => {
            seen.errors.contains(&format!("replay: {}: ", kind.name()))
        }
        (FailureKind::Signal, End::Signalled(_)) => true,
        _ => false,
    }
}

/// What a native run did, as a kind of failure; a segmentation fault is of the kind that was expected, if that can be one.
#[must_use]
pub fn kind_of(seen: &Run, expected: Option<FailureKind>) -> Option<FailureKind> {
    if let Some(kind) = expected.filter(|&kind| matches(kind, seen)) {
        return Some(kind);
    }
    let kinds = [
        FailureKind::Assertion,
        FailureKind::UncaughtException,
        FailureKind::Abort,
        FailureKind::DivisionByZero,
        FailureKind::WildAccess,
        FailureKind::Trap,
        FailureKind::Hang,
        FailureKind::Signal,
    ];
    kinds.into_iter().find(|&kind| matches(kind, seen))
}

/// The command that runs an executable in a debugger, with these variables in its environment; it stops where the program fails.
#[must_use]
pub fn debugger(exe: &Path, environment: &[(OsString, OsString)]) -> Vec<String> {
    let mut words: Vec<String> = ["gdb", "-q"].map(str::to_owned).into();
    for (name, value) in environment {
        words.extend(["-ex".to_owned(), format!("set environment {}={}", name.to_string_lossy(), value.to_string_lossy())]);
    }
    words.extend(["-ex", "run", "--args"].map(str::to_owned));
    words.push(exe.to_string_lossy().into_owned());
    words
}

#[cfg(test)]
mod tests;
