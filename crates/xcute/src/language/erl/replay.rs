//! `xcute replay` for Erlang: the call is made on the original modules, on an emulator of its own.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use xcute_erl::program::Program;
use xcute_erl::subject::{CaseSchedule, ErlSubject, Original, Verdict};
use xcute_erl::universe::shown;
use xcute_erl::vm::{Ended, Limits};
use xcute_report::InputValue;
use xcute_term::Terms;
use xcute_trace::{Outcome, Subject as _, TestCase};

use super::case::ErlCase;
use super::shell;
use crate::exit::Exit;
use crate::front::{Case, recorded};
use crate::talk;

impl Case for ErlCase {
    fn replay(&self, debugger: bool) -> Result<Exit> {
        if debugger { shell::open(self) } else { run(self) }
    }

    fn inputs(&self) -> Vec<InputValue> {
        vec![InputValue { name: "call".to_owned(), value: self.call() }]
    }
}

/// Replays the case; it fails if the function does.
fn run(case: &ErlCase) -> Result<Exit> {
    let modules = case.origin.load()?;
    let arguments = case.external()?;
    let arity = u32::try_from(case.arguments.len())?;
    let program = Arc::new(Program::new(&modules, &case.module, &case.function, arity)?);
    let limits = Limits { time: Duration::from_millis(case.milliseconds), ..Limits::default() };
    if let Some(order) = &case.schedule {
        return in_order(case, program, limits, (&arguments, order));
    }
    let mut original = Original::new(program, limits);
    let verdict = original.call_external(&arguments)?;
    let mut out = format!("{}\n  {}\n", case.call(), told(&verdict, &original));
    for frame in verdict.failure.iter().flat_map(|failure| &failure.stack) {
        let _ = writeln!(out, "    in {} at {}:{}", frame.function, frame.file, frame.line);
    }
    let same = case.failure.as_ref().is_some_and(|failure| verdict.confirms(failure).is_ok());
    if let Some(failure) = &case.failure {
        out += &recorded(failure, same);
    }
    talk::result(&out)?;
    let fails = verdict.failure.is_some() || same;
    Ok(if fails { Exit::Failures } else { Exit::NoFailure })
}

/// Repeats a case of several processes in the order in which they ran. The original modules take no orders; so these are the instrumented ones.
fn in_order(case: &ErlCase, program: Arc<Program>, limits: Limits, (arguments, order): (&[u8], &CaseSchedule)) -> Result<Exit> {
    let inputs = Arc::new(program.inputs(None)?);
    let mut subject = ErlSubject::new(program, inputs, limits);
    let mut terms = Terms::new();
    let again = subject.case_external(&mut terms, arguments).context("an argument cannot be an input")?;
    let again = TestCase { schedule: subject.schedule(order), ..again };
    let trace = subject.run(&again, &[], &mut terms)?;
    let failure = match &trace.outcome {
        Outcome::Failed(failure) => Some(failure),
        _ => None,
    };
    let mut out = format!("{}\n  with its processes in the recorded order, instrumented\n", case.call());
    for frame in failure.iter().flat_map(|failure| &failure.stack) {
        let _ = writeln!(out, "    in {} at {}:{}", frame.function, frame.file, frame.line);
    }
    if let Some(expected) = &case.failure {
        out += &recorded(expected, failure.is_some_and(|found| found.kind == expected.kind && found.message == expected.message));
    }
    talk::result(&out)?;
    Ok(if failure.is_some() { Exit::Failures } else { Exit::NoFailure })
}

/// What the function did, as a clause of which the call is the subject.
fn told(verdict: &Verdict, original: &Original) -> String {
    match &verdict.ended {
        Ended::Returned(Some(value)) => format!("returns {}", shown(value, original.atoms())),
        Ended::Returned(None) => "returns".to_owned(),
        Ended::Raised(crash) => format!("raises ** {}", crash.text),
        Ended::Exited(crash) => format!("is ended by another process: {}", crash.text),
        Ended::Halted(_) => "ends the emulator".to_owned(),
        Ended::Steps | Ended::Time => "does not end in time".to_owned(),
        Ended::Killed => "uses too much memory".to_owned(),
        Ended::Stopped => "waits for ever".to_owned(),
        Ended::Gone(_) => "takes the emulator down".to_owned(),
    }
}
