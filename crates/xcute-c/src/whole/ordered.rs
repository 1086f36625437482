//! Whole programs with several threads, repeated in the order in which they were recorded.
//!
//! **Invariant.** What runs is made of the program's own bitcode, as it was compiled, with calls of the replay runtime and nothing else.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use xcute_trace::Failure;

use super::confirm::{Repeater, Running};
use super::launch::Launch;
use super::parts::WholeError;
use crate::cases::casefile::CaseSchedule;
use crate::cases::native::held::{self, Repeated};
use crate::cases::native::ordered::{self, Modules};
use crate::cases::native::sanitizers::Sanitizer;
use crate::cases::native::{Limits, Repetition, Run};
use crate::instrument::compiled::CompileError;
use crate::tools::language::Language;
use xcute_term::Interrupt;

/// A launch of a program, as [`Repeated`].
struct Ordered<'a> {
    repeater: &'a mut Repeater,
    launch: &'a Launch,
    stop: &'a Interrupt,
}

impl Repeated for Ordered<'_> {
    fn build(&mut self, sanitizer: Option<&Sanitizer>) -> Result<PathBuf, CompileError> {
        self.repeater.build_ordered(sanitizer)
    }

    fn start(&self, exe: &Path, environment: &[(OsString, OsString)], limits: &Limits) -> std::io::Result<Run> {
        let running = Running { environment, preload: None, limits: *limits, stop: self.stop, report: None };
        self.repeater.start(exe, self.launch, &running)
    }
}

impl Repeater {
    /// Repeats a failure of several threads in their recorded order: the run, and whether it, or a sanitizer, showed the failure.
    ///
    /// # Errors
    /// If the program cannot be built or started.
    pub fn confirm_ordered(
        &mut self,
        launch: &Launch,
        failure: &Failure,
        schedule: &CaseSchedule,
        stop: &Interrupt,
    ) -> std::io::Result<(Run, Repetition)> {
        let dir = self.dir.clone();
        let (run, verdict) =
            ordered::confirm(&mut Ordered { repeater: self, launch, stop }, failure, schedule, &dir).map_err(std::io::Error::other)?;
        let stopped = !verdict.reproduced && stop.raised();
        let repetition = if stopped { Repetition::Stopped } else { verdict.clone().into() };
        let repetition = run.iter().fold(repetition, Repetition::doubted);
        run.map(|run| (run, repetition)).ok_or_else(|| std::io::Error::other(verdict.how))
    }

    fn build_ordered(&mut self, sanitizer: Option<&Sanitizer>) -> Result<PathBuf, CompileError> {
        let exe = self.dir.join(format!("ordered-{}", sanitizer.and_then(Sanitizer::attribute).unwrap_or("plain")));
        if exe.exists() {
            return Ok(exe);
        }
        let parts = self.take_parts().map_err(|error| match error {
            WholeError::Compile(error) => error,
            other => CompileError::Llvm { what: self.program.display().to_string(), message: other.to_string() },
        })?;
        let language = if parts.cxx { Language::Cxx } else { Language::C };
        let built = Modules { bitcode: &parts.modules, link: &parts.link, language, dir: &self.dir }.build(&self.tools, sanitizer, &exe);
        self.parts = Some(parts);
        built.map(|()| exe)
    }

    /// Runs the program in a recorded order.
    ///
    /// # Errors
    /// If it cannot be built or started.
    pub fn run_ordered(&mut self, launch: &Launch, schedule: &CaseSchedule) -> std::io::Result<Run> {
        let exe = self.build_ordered(None).map_err(std::io::Error::other)?;
        let order = held::write_order(schedule, &self.dir).map_err(std::io::Error::other)?;
        self.start(
            &exe,
            launch,
            &Running { environment: &order, preload: None, limits: held::limits(None), stop: Interrupt::never(), report: None },
        )
    }
}
