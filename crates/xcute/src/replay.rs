//! `xcute replay`: repeats a case on the uninstrumented program.

use std::fmt::Write as _;
use std::process::Command;

use anyhow::{Context, Result, bail};
use xcute_c::casefile::CaseFile;
use xcute_c::graph::InputGraph;
use xcute_c::native;
use xcute_c::replay::{Replayed, Replayer};
use xcute_c::whole::case::ProgramCase;
use xcute_report::{Style, lanes};
use xcute_trace::Failure;

use crate::arguments::ReplayArguments;
use crate::clp::{self, case::ClpCase};
use crate::erl::{self, case::ErlCase};
use crate::exit::Exit;
use crate::{program, talk};

/// Replays the case; it fails if the program does.
pub fn run(low: &ReplayArguments) -> Result<Exit> {
    if let Some(case) = ProgramCase::read(&low.case)? {
        return program::replay::run(&case, low.debugger);
    }
    if let Some(case) = ClpCase::read(&low.case)? {
        return clp::replay::run(&case);
    }
    if let Some(case) = ErlCase::read(&low.case)? {
        return erl::replay::run(&case);
    }
    let case = CaseFile::read(&low.case)?;
    let build = tempfile::tempdir().context("cannot make a build directory (is TMPDIR writable?)")?;
    let (replayer, graph) =
        Replayer::of_case(&case, &case.base(&low.case), build.path()).with_context(|| format!("cannot replay {}", low.case.display()))?;
    if low.debugger {
        return debug(&case, &replayer, &graph);
    }
    let replayed = replayer
        .run(&graph, case.failure.as_ref(), case.schedule.as_ref())
        .with_context(|| format!("cannot replay {}", low.case.display()))?;
    talk::result(&told(&case, &replayer, &graph, &replayed))?;
    Ok(if replayed.failure.is_some() { Exit::Failures } else { Exit::NoFailure })
}

fn told(case: &CaseFile, replayer: &Replayer, graph: &InputGraph, replayed: &Replayed) -> String {
    let mut out = format!("{} with\n", case.entry);
    for (name, value) in replayer.shown(graph) {
        let _ = if name.is_empty() { writeln!(out, "  {value}") } else { writeln!(out, "  {name} = {value}") };
    }
    for line in native::shown(&replayed.run) {
        let _ = writeln!(out, "| {line}");
    }
    let _ = match (&case.failure, replayed.failure) {
        (Some(failure), Some(kind)) if failure.kind == kind => writeln!(out, "{}: {}\n{}", kind.name(), failure.message, replayed.how),
        (Some(failure), seen) => {
            let seen = seen.map_or("no failure", |kind| kind.name());
            writeln!(out, "{seen}, but the case was recorded with {}: {}\n{}", failure.kind.name(), failure.message, replayed.how)
        }
        (None, _) => writeln!(out, "{}", replayed.how),
    };
    out += &interleaving(case.failure.as_ref());
    out
}

/// What the threads of a failure did, one lane for each.
pub fn interleaving(failure: Option<&Failure>) -> String {
    let lanes = failure.map(|failure| lanes::render(&failure.interleaving, "  ", Style::PLAIN)).unwrap_or_default();
    if lanes.is_empty() { lanes } else { format!("interleaving:\n{lanes}") }
}

/// Hands the terminal to the debugger.
fn debug(case: &CaseFile, replayer: &Replayer, graph: &InputGraph) -> Result<Exit> {
    let cannot = "cannot build the program";
    let (exe, environment) = replayer.build(graph, case.schedule.as_ref()).context(cannot)?;
    let words = native::debugger(&exe, &environment);
    let [program, arguments @ ..] = &words[..] else { bail!("there is no debugger") };
    let status = Command::new(program).args(arguments).status();
    let status = status.with_context(|| format!("cannot start {program} (install it, for example with apt-get install gdb)"))?;
    Ok(if status.success() { Exit::NoFailure } else { Exit::CouldNot })
}
