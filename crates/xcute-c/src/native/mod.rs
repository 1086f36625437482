//! Failures repeated on the uninstrumented program.
//!
//! The standalone test of a case is compiled without instrumentation and run; a failure counts as confirmed if the program ends in the
//! way its kind demands. What a plain run does not show by itself (an access just outside its object, a division that the compiler
//! folded) is looked for once more with the compiler's sanitizers.
//!
//! Failures of several threads are repeated in their order ([`ordered`]).
//!
//! **Invariant.** A native run ends: by itself, or by the timeout. It leaves no core file and cannot take all memory.

mod abreast;
mod asleep;
pub(crate) mod ordered;
mod raced;
mod run;
pub(crate) mod sanitizers;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use xcute_trace::{Failure, FailureKind};

use crate::language::Language;
use crate::toolchain::{Toolchain, ToolchainError};
use crate::words;

pub use ordered::{run_ordered, shown, told, write_order};
pub use run::{End, Limits, Run, Start, run, start};

/// A standalone test on disk and how to compile it.
#[derive(Clone, Copy, Debug)]
pub struct Test<'a> {
    /// The test.
    pub file: &'a Path,
    /// The other sources of the subject.
    pub others: &'a [PathBuf],
    /// The user's flags, with absolute paths.
    pub flags: &'a [String],
    /// A directory that holds `xcute.h`, for the other sources.
    pub include: &'a Path,
    /// Where executables go.
    pub dir: &'a Path,
}

/// Whether a failure was repeated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Whether it was.
    pub reproduced: bool,
    /// One line: how it ended, and how that was seen.
    pub how: String,
}

/// How long a run may take where no hang is expected.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);
/// The memory that a run may use.
pub(crate) const MEMORY: u64 = 2 << 30;
/// After how long a run counts as a hang.
pub(crate) const HANG: Duration = Duration::from_secs(2);

impl Test<'_> {
    /// Compiles the test with clang.
    ///
    /// # Errors
    /// If clang refuses it.
    pub fn build(&self, tools: &Toolchain, exe: &Path, extra: &[&str]) -> Result<(), ToolchainError> {
        let language = self.language();
        let flags: Vec<&str> = language.link().iter().chain(language.native()).chain(extra).copied().collect();
        tools.run(&self.file.to_string_lossy(), self.arguments(exe, &flags)).map(drop)
    }

    fn language(&self) -> Language {
        Language::of_all(self.others.iter().map(PathBuf::as_path).chain([self.file]))
    }

    fn arguments(&self, exe: &Path, extra: &[&str]) -> Vec<String> {
        let text = |path: &Path| path.to_string_lossy().into_owned();
        let mut out: Vec<String> = ["-g", "-O0", "-w", "-fwrapv", "-fno-omit-frame-pointer", "-o"].map(str::to_owned).into();
        out.push(text(exe));
        out.extend(extra.iter().map(|&flag| flag.to_owned()));
        let of = |file: &Path| Language::source(file).iter().map(|&f| f.to_owned()).chain([text(file)]).collect::<Vec<_>>();
        out.extend(of(self.file));
        if !self.others.is_empty() {
            out.extend(["-DXCUTE=1".to_owned(), format!("-Dmain={}", crate::harness::MAIN), format!("-I{}", text(self.include))]);
            out.extend(self.others.iter().flat_map(|o| of(o)));
        }
        out.extend(Language::any().iter().map(|&f| f.to_owned()));
        out.extend(self.flags.iter().cloned());
        out.push("-lm".to_owned()); // as the instrumented program
        out
    }

    /// Builds the test with gcc, whose sanitizers may be there where clang's are not.
    fn build_with_gcc(&self, exe: &Path, extra: &[&str]) -> bool {
        let output = Command::new(self.language().gnu()).args(self.arguments(exe, extra)).stdin(std::process::Stdio::null()).output();
        output.is_ok_and(|o| o.status.success())
    }

    /// Repeats a failure on the uninstrumented program.
    ///
    /// # Errors
    /// If the test does not compile.
    pub fn confirm(&self, tools: &Toolchain, failure: &Failure) -> Result<Verdict, ToolchainError> {
        let exe = self.dir.join("confirm");
        self.build(tools, &exe, &[])?;
        let patience = if failure.kind == FailureKind::Hang { HANG } else { PATIENCE };
        let plain = match run(&exe, &Limits { time: patience, memory: Some(MEMORY), leaks: false, stuck: false }) {
            Ok(plain) => plain,
            Err(why) => return Ok(Verdict { reproduced: false, how: format!("the native test could not be run: {why}") }),
        };
        // A program's own `reach_error` may say nothing when it aborts.
        let silent = failure.kind == FailureKind::Assertion && words::is_error(&failure.stack) && matches(FailureKind::Abort, &plain);
        if silent || matches(failure.kind, &plain) {
            return Ok(Verdict { reproduced: true, how: format!("the uninstrumented program {}", plain.end) });
        }
        let sanitized = self.dir.join("confirm-sanitized");
        for sanitizer in sanitizers::of(failure.kind) {
            let built = self.build(tools, &sanitized, sanitizer.clang).is_ok()
                || (!sanitizer.gcc.is_empty() && self.build_with_gcc(&sanitized, sanitizer.gcc));
            if !built {
                continue;
            }
            // Where the plain program does not end, the checked one need not be waited for as long.
            let time = if plain.end == End::TimedOut { HANG } else { PATIENCE };
            let limits = Limits { time, memory: None, leaks: failure.kind == FailureKind::Leak, stuck: false };
            if run(&sanitized, &limits).is_ok_and(|seen| sanitizer.caught(&seen)) {
                return Ok(Verdict { reproduced: true, how: format!("the uninstrumented program is stopped by the {}", sanitizer.name) });
            }
        }
        Ok(Verdict { reproduced: false, how: format!("the uninstrumented program {} instead", plain.end) })
    }
}

/// Whether a plain run ended as a failure of this kind does.
pub(crate) fn matches(kind: FailureKind, seen: &Run) -> bool {
    let asserted = seen.errors.contains("Assertion") || seen.errors.contains("xcute_assert(");
    match (kind, seen.end) {
        (FailureKind::Assertion, End::Signalled(libc::SIGABRT)) => asserted,
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
        (FailureKind::Deadlock | FailureKind::LostWakeup | FailureKind::Livelock, End::TimedOut) => seen.errors.contains(ordered::KEPT),
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
