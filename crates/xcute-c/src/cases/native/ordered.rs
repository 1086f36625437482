//! Programs with several threads, repeated in the order in which they were recorded.
//!
//! The program is compiled as always, and calls `runtimes/c/replay` before accesses that other threads may see ([`replayed`]) and in
//! functions of synchronisation; there it is held to the order. Threads, locks and memory are real: a deadlock really hangs.
//!
//! **Invariant.** What is said to have happened in the recorded order did: a run that left it counts as one in another order.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::held::{KEPT, LOST, PATIENCE, Repeated, limits, write_order};
use super::run::{End, Limits, Run, Start, start};
use super::sanitizers::{self, Sanitizer};
use super::{Again, Repetition, Verdict, ends_so, raced};
use crate::cases::casefile::CaseSchedule;
use crate::instrument::compiled::CompileError;
use crate::instrument::replayed;
use crate::tools::language::Language;
use crate::tools::toolchain::Toolchain;
use xcute_trace::{Failure, FailureKind};

/// The replay runtime, compiled by `build.rs`.
static RUNTIME: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/replay.rs"));

/// How often a program runs freely before a failure counts as not seen.
const FREE_RUNS: usize = 10;
/// The variable that names the file for the calls which asked for inputs.
pub(crate) const TAKEN: &str = "XCUTE_TAKEN";

/// The modules of a program and how they are linked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modules<'a> {
    /// The sources and their bitcode.
    pub(crate) bitcode: &'a [(String, PathBuf)],
    /// What the linker needs besides them.
    pub(crate) link: &'a [String],
    /// C++ if some of them are.
    pub(crate) language: Language,
    /// Where things are built.
    pub(crate) dir: &'a Path,
}

impl Modules<'_> {
    /// Builds the program so that it can be held to an order; with a sanitizer, if that works on bitcode.
    pub(crate) fn build(&self, tools: &Toolchain, sanitizer: Option<&Sanitizer>, exe: &Path) -> Result<(), CompileError> {
        let attribute = sanitizer.and_then(Sanitizer::attribute);
        let hooked = exe.with_extension("hooked.bc");
        replayed::hook_files(self.bitcode, attribute, &hooked)?;
        let mut args: Vec<OsString> = ["-w", "-g", "-O0", "-no-pie", "-pthread", "-o"].map(Into::into).into();
        args.push(exe.into());
        args.extend(self.language.link().iter().map(Into::into));
        args.extend(sanitizer.filter(|_| attribute.is_some()).into_iter().flat_map(|s| s.clang).map(Into::into));
        args.push(hooked.into());
        for (name, bytes) in RUNTIME {
            let path = self.dir.join(format!("{name}.o"));
            std::fs::write(&path, bytes).map_err(|error| CompileError::Io { path: path.clone(), error })?;
            args.push(path.into());
        }
        args.extend(self.link.iter().map(Into::into));
        args.extend(["-lm".into(), "-ldl".into()]);
        tools.run("the replay", args)?;
        Ok(())
    }
}

/// Repeats a failure: the run in its order, and whether it, or a sanitizer, showed the failure.
pub(crate) fn confirm(
    program: &mut dyn Repeated,
    failure: &Failure,
    schedule: &CaseSchedule,
    dir: &Path,
) -> Result<(Option<Run>, Verdict), CompileError> {
    if failure.kind == FailureKind::DataRace {
        return raced::confirm(program, failure, schedule, dir);
    }
    let order = write_order(schedule, dir)?;
    let plain = program.build(None)?;
    let seen = match program.start(&plain, &order, &limits(Some(failure.kind))) {
        Ok(seen) => seen,
        Err(why) => return Ok((None, Verdict { reproduced: false, how: format!("the replay could not be run: {why}") })),
    };
    let kept = !seen.errors.contains(LOST);
    if kept && ends_so(failure, &seen) {
        let how = format!("the uninstrumented program {}, with its threads in the recorded order", seen.end);
        return Ok((Some(seen), Verdict { reproduced: true, how }));
    }
    // It may fail all the same, in an order of its own.
    for _ in 0..if kept { 0 } else { FREE_RUNS } {
        let Ok(free) = program.start(&plain, &[], &limits(Some(failure.kind))) else { break };
        if ends_so(failure, &free) {
            let how = format!("the uninstrumented program {}, with its threads in another order", free.end);
            return Ok((Some(free), Verdict { reproduced: true, how }));
        }
        if free.end == End::TimedOut {
            break;
        }
    }
    let mut missing = None;
    for sanitizer in sanitizers::of(failure.kind) {
        let Ok(exe) = program.build(Some(sanitizer)) else {
            missing = Some(sanitizer.name);
            continue;
        };
        let limits = Limits { time: PATIENCE, memory: None, leaks: failure.kind == FailureKind::Leak, stuck: false };
        if program.start(&exe, &order, &limits).is_ok_and(|seen| sanitizer.caught(&seen)) {
            let how = format!("the {} reports it, with the threads in the recorded order", sanitizer.name);
            return Ok((Some(seen), Verdict { reproduced: true, how }));
        }
    }
    let how = match missing {
        Some(name) => format!("there is no {name} to show it (install libclang-rt-19-dev)"),
        None if !kept => "the recorded order of the threads could not be kept".to_owned(),
        None => format!("the uninstrumented program {} instead, with its threads in the recorded order", seen.end),
    };
    Ok((Some(seen), Verdict { reproduced: false, how }))
}

/// A case of a program, as [`Repeated`].
struct Ordered<'a> {
    again: &'a Again<'a>,
}

impl Repeated for Ordered<'_> {
    fn build(&mut self, sanitizer: Option<&Sanitizer>) -> Result<PathBuf, CompileError> {
        self.again.ordered(sanitizer)
    }

    fn start(&self, exe: &Path, environment: &[(OsString, OsString)], limits: &Limits) -> std::io::Result<Run> {
        self.again.start_ordered(exe, environment, limits)
    }
}

impl Again<'_> {
    /// Repeats a failure of several threads in their recorded order.
    ///
    /// # Errors
    /// If the program does not compile.
    pub(crate) fn confirm_ordered(&self, failure: &Failure, schedule: &CaseSchedule) -> Result<Repetition, CompileError> {
        let dir = self.program.dir.clone();
        let (run, verdict) = confirm(&mut Ordered { again: self }, failure, schedule, &dir)?;
        if !verdict.reproduced && self.stop.raised() {
            return Ok(Repetition::Stopped);
        }
        let repetition = Repetition::from(verdict);
        Ok(run.iter().fold(repetition, Repetition::doubted))
    }

    /// Runs an executable that was built to be held to an order.
    ///
    /// # Errors
    /// If it cannot be started.
    pub(crate) fn start_ordered(&self, exe: &Path, environment: &[(OsString, OsString)], limits: &Limits) -> std::io::Result<Run> {
        let mut variables = self.environment(exe).map_err(std::io::Error::other)?;
        variables.extend_from_slice(environment);
        // Which calls asked for inputs is written by the program.
        let written: Vec<&Path> = environment.iter().filter(|(name, _)| name == TAKEN).map(|(_, file)| Path::new(file)).collect();
        let (sandbox, environment) = (self.sandbox, &variables[..]);
        let how = Start { exe, arguments: &[], stdin: None, directory: None, environment, preload: None, sandbox, writable: &written };
        start(&how, limits, self.stop)
    }
}

/// What a run wrote, without what only we need to know.
pub fn shown(seen: &Run) -> impl Iterator<Item = &str> {
    seen.output.lines().chain(seen.errors.lines()).filter(|line| *line != KEPT)
}

/// How a run in order ended, in words.
#[must_use]
pub fn told(seen: &Run) -> String {
    let kept = if seen.errors.contains(LOST) {
        "but the recorded order of its threads could not be kept"
    } else {
        "with its threads in the recorded order"
    };
    format!("the uninstrumented program {}, {kept}", seen.end)
}

#[cfg(test)]
mod tests;
