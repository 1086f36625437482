//! `xcute replay` of a case of a program.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Context, Result};
use xcute_c::native::{self, Repetition};
use xcute_c::replay::HANG;
use xcute_c::toolchain::Toolchain;
use xcute_c::whole::case::ProgramCase;
use xcute_c::whole::confirm::Repeater;
use xcute_report::InputValue;
use xcute_term::Interrupt;

use super::super::c::replay::{interleaving, refused, verdict};
use crate::exit::Exit;
use crate::front::{Care, Case, held};
use crate::temporary;
use crate::{sandbox, talk};

/// A case of a program that was read.
pub struct Launched {
    pub case: ProgramCase,
    pub care: Care,
}

impl Case for Launched {
    fn replay(&self, debugger: bool) -> Result<Exit> {
        run(&self.case, self.care, debugger)
    }

    fn inputs(&self) -> Vec<InputValue> {
        super::values(self.case.launch.shown(self.case.given))
    }
}

/// Runs the program as the case says; it fails if the program does.
fn run(case: &ProgramCase, care: Care, debugger: bool) -> Result<Exit> {
    let build = temporary::directory()?;
    let mut repeater = Repeater::new(case.program.clone(), None, Toolchain::find()?, build.path().to_owned(), case.directory.clone(), HANG);
    (repeater.sandbox, repeater.trusted) = (sandbox::wanted(!care.confined), !care.checked);
    if debugger {
        return debug(case, &repeater, &build);
    }
    let cannot = || format!("cannot start {}", case.program.display());
    let mut values = Vec::new();
    let (run, kind, how) = match &case.failure {
        Some(failure) => {
            let tried = match &case.schedule {
                Some(schedule) => repeater.confirm_ordered(&case.launch, failure, schedule, Interrupt::never()),
                None => repeater.confirm(&case.launch, failure, Interrupt::never()),
            };
            let (run, repetition) = tried.with_context(cannot)?;
            match repetition {
                Repetition::Same { how, values: there } => {
                    values = there;
                    (run, Some(failure.kind), how)
                }
                Repetition::Undecided { how } => (run, Some(failure.kind), how),
                Repetition::Other { failure, how } => (run, Some(failure.kind), how),
                Repetition::Not { how } => (run, None, how),
                Repetition::Stopped => unreachable!("nobody stops it"),
            }
        }
        None => {
            let (run, how) = match &case.schedule {
                Some(schedule) => {
                    let run = repeater.run_ordered(&case.launch, schedule).with_context(cannot)?;
                    let how = native::told(&run);
                    (run, how)
                }
                None => {
                    let run = repeater.run(&case.launch, None).with_context(cannot)?;
                    let how = format!("the uninstrumented program {}", run.end);
                    (run, how)
                }
            };
            let kind = native::kind_of(&run, None);
            (run, kind, how)
        }
    };
    let mut out = format!("{} with\n", case.program.display());
    for (name, value) in case.launch.shown(1) {
        let _ = writeln!(out, "  {name} = {value}");
    }
    for line in native::shown(&run) {
        let _ = writeln!(out, "| {line}");
    }
    out += &verdict(case.failure.as_ref(), kind, &how);
    out += &held(&values);
    out += &refused(&run);
    out += &interleaving(case.failure.as_ref());
    talk::result(&out)?;
    Ok(if kind.is_some() { Exit::Failures } else { Exit::NoFailure })
}

/// Hands the terminal to the debugger, with files and standard input as the case has them.
fn debug(case: &ProgramCase, repeater: &Repeater, build: &tempfile::TempDir) -> Result<Exit> {
    let stdin = build.path().join("stdin");
    let place = repeater.place(&case.launch)?;
    std::fs::write(&stdin, &case.launch.stdin)?;
    let run = format!("run < '{}'", stdin.display());
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-ex", &run, "--args"])
        .arg(&case.program)
        .args(case.launch.words())
        .envs(case.launch.variables())
        .current_dir(place.path());
    let status = sandbox::debug(&repeater.sandbox, &mut gdb, &[place.path()])
        .context("cannot start gdb (install it, for example with apt-get install gdb)")?;
    Ok(if status.success() { Exit::NoFailure } else { Exit::CouldNot })
}
