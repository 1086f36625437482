//! `xcute replay` for Erlang: the call is made on the original modules, on an emulator of its own.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use xcute_erl::program::Program;
use xcute_erl::subject::{Original, Verdict};
use xcute_erl::universe::shown;
use xcute_erl::vm::{Ended, Limits};
use xcute_report::InputValue;

use super::case::ErlCase;
use crate::exit::Exit;
use crate::front::{Case, recorded};
use crate::talk;

impl Case for ErlCase {
    fn replay(&self, _debugger: bool) -> Result<Exit> {
        run(self)
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
        Ended::Gone(_) => "takes the emulator down".to_owned(),
    }
}
