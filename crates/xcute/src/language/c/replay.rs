//! `xcute replay` of a C function.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};
use xcute_c::casefile::{CaseFile, CaseInput};
use xcute_c::graph::InputGraph;
use xcute_c::native::{self, Run};
use xcute_c::replay::{Replayed, Replayer};
use xcute_report::{InputValue, Style, lanes};
use xcute_trace::{Failure, FailureKind};

use crate::exit::Exit;
use crate::front::{Care, Case, CaseText, held};
use crate::temporary;
use crate::{sandbox, talk};

/// A case of a C function.
pub struct CCase {
    case: CaseFile,
    path: PathBuf,
    care: Care,
}

impl CCase {
    /// The case that was read from a file.
    pub fn new(case: CaseFile, text: &CaseText) -> CCase {
        CCase { case, path: text.path.clone(), care: text.care }
    }
}

impl Case for CCase {
    fn replay(&self, debugger: bool) -> Result<Exit> {
        let CCase { case, path, care } = self;
        let cannot = || format!("cannot replay {}", path.display());
        let build = temporary::directory()?;
        let (mut replayer, graph) = Replayer::of_case(case, &case.base(path), build.path(), !care.checked).with_context(cannot)?;
        replayer.sandbox = sandbox::wanted(!care.confined);
        if debugger {
            return debug(case, &replayer, &graph);
        }
        let replayed = replayer.run(&graph, case.failure.as_ref(), case.schedule.as_ref()).with_context(cannot)?;
        talk::result(&told(case, &replayer, &graph, &replayed))?;
        Ok(if replayed.failure.is_some() { Exit::Failures } else { Exit::NoFailure })
    }

    fn inputs(&self) -> Vec<InputValue> {
        let case = &self.case;
        if !case.sequence.is_empty() {
            return case.sequence.iter().map(|value| InputValue { name: String::new(), value: value.clone() }).collect();
        }
        case.inputs.iter().map(|input| InputValue { value: shown(input), name: input.name.clone() }).collect()
    }
}

/// A value of a case file as the campaign showed it.
fn shown(input: &CaseInput) -> String {
    match input.value.as_str() {
        "null" => "NULL".to_owned(),
        "new" => format!("new {}", input.of.trim_end_matches('*').trim_end()),
        value => value.strip_prefix("= ").or_else(|| value.strip_prefix("function ")).unwrap_or(value).to_owned(),
    }
}

fn told(case: &CaseFile, replayer: &Replayer, graph: &InputGraph, replayed: &Replayed) -> String {
    let mut out = format!("{} with\n", case.entry);
    for (name, value) in replayer.shown(graph) {
        let _ = if name.is_empty() { writeln!(out, "  {value}") } else { writeln!(out, "  {name} = {value}") };
    }
    for line in native::shown(&replayed.run) {
        let _ = writeln!(out, "| {line}");
    }
    out += &verdict(case.failure.as_ref(), replayed.failure, &replayed.how);
    out += &held(&replayed.values);
    out += &refused(&replayed.run);
    out += &interleaving(case.failure.as_ref());
    out
}

/// What the sandbox refused, in one line.
pub fn refused(run: &Run) -> String {
    run.refusals().map_or_else(String::new, |refused| format!("{refused} (--no-sandbox allows it)\n"))
}

/// Whether a replay failed as it was recorded.
pub fn verdict(recorded: Option<&Failure>, seen: Option<FailureKind>, how: &str) -> String {
    match (recorded, seen) {
        (Some(failure), Some(kind)) if failure.kind == kind => format!("{}: {}\n{how}\n", kind.name(), failure.message),
        (Some(failure), seen) => {
            let seen = seen.map_or("no failure", |kind| kind.name());
            format!("{seen}, but the case was recorded with {}: {}\n{how}\n", failure.kind.name(), failure.message)
        }
        (None, _) => format!("{how}\n"),
    }
}

/// What the threads of a failure did, one lane for each.
pub fn interleaving(failure: Option<&Failure>) -> String {
    let lanes = failure.map(|failure| lanes::render(&failure.interleaving, "  ", Style::PLAIN)).unwrap_or_default();
    if lanes.is_empty() { lanes } else { format!("interleaving:\n{lanes}") }
}

/// Hands the terminal to the debugger.
pub fn debug(case: &CaseFile, replayer: &Replayer, graph: &InputGraph) -> Result<Exit> {
    let cannot = "cannot build the program";
    let (exe, environment) = replayer.build(graph, case.schedule.as_ref()).context(cannot)?;
    let words = native::debugger(&exe, &environment);
    let (program, arguments) = words.split_first().expect("a debugger has a name");
    let status = sandbox::debug(&replayer.sandbox, Command::new(program).args(arguments), &[]);
    let status = status.with_context(|| format!("cannot start {program} (install it, for example with apt-get install gdb)"))?;
    Ok(if status.success() { Exit::NoFailure } else { Exit::CouldNot })
}
