//! `xcute replay` for logic programs: the goal is run on SWI-Prolog, or without it on the machine.

use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use xcute_clp::machine::Bounds;
use xcute_clp::plunit::Suite;
use xcute_clp::subject::{ClpSubject, Options};
use xcute_clp::syntax::{Determinism, Indicator, Program};
use xcute_report::InputValue;
use xcute_term::{Model, Terms};

use super::behaviour::Behaviour;
use super::case::ClpCase;
use super::plan;
use super::prolog::Prolog;
use crate::exit::Exit;
use crate::front::{Case, recorded};
use crate::talk;

impl Case for ClpCase {
    fn replay(&self, _debugger: bool) -> Result<Exit> {
        run(self)
    }

    fn inputs(&self) -> Vec<InputValue> {
        vec![InputValue { name: "goal".to_owned(), value: self.goal.clone() }]
    }
}

/// The predicate that stands for the goal.
const CASE: &str = "$case";

/// Replays the case; it fails if the goal throws.
fn run(case: &ClpCase) -> Result<Exit> {
    let program = plan::read(&case.program)?;
    let bounds = Bounds { steps: case.steps, solutions: case.solutions, ..Bounds::default() };
    let suite = Suite::of(&program, &case.program, "");
    let mut atoms = program.atoms.clone();
    let declared = declared(&program, &case.goal);
    let (behaviour, by) = match Prolog::new(&suite, bounds).observe(&suite, &case.goal, &mut atoms) {
        Some((behaviour, _)) => (behaviour, "SWI-Prolog"),
        None => (on_machine(program, case, bounds)?, "xcute's machine"),
    };
    let mut out = format!("{}\n  {behaviour} (on {by})\n", case.goal);
    if let Some(constrained) = case.constrained.as_ref().filter(|constrained| **constrained != case.goal) {
        let _ = writeln!(out, "  for all of {constrained} the path is the same");
    }
    let fails = behaviour.is_error() || case.failure.as_ref().is_some_and(|failure| behaviour.is_failure(failure.kind, declared));
    if let Some(failure) = &case.failure {
        out += &recorded(failure, fails);
    }
    talk::result(&out)?;
    Ok(if fails { Exit::Failures } else { Exit::NoFailure })
}

/// What is declared about the solutions of the predicate that a goal calls.
fn declared(program: &Program, goal: &str) -> Option<Determinism> {
    let (read, _) = Program::read("goal", &format!("{goal} .\n"));
    let called = read.predicates.first()?.indicator;
    let name = program.atoms.get(read.atoms.name(called.name))?;
    program.declaration(Indicator { name, ..called })?.determinism
}

/// Runs the goal as the body of a clause, whose arguments are its variables.
fn on_machine(mut program: Program, case: &ClpCase, bounds: Bounds) -> Result<Behaviour> {
    let variables = variables(&case.goal);
    let head = if variables.is_empty() { format!("'{CASE}'") } else { format!("'{CASE}'({})", variables.join(", ")) };
    let errors = program.add("case", &format!("{head} :- {} .\n", case.goal), &|_| Err(std::io::ErrorKind::NotFound.into()));
    if let Some(error) = errors.first() {
        bail!("cannot understand the goal {}: {}", case.goal, error.problem);
    }
    let arity = u32::try_from(variables.len()).context("the goal has too many variables")?;
    let goal = Indicator { name: program.atoms.intern(CASE), arity };
    let options = Options { goal, ground: Some(Vec::new()), term_depth: None, texts: false, bounds, strict: true };
    let mut subject = ClpSubject::new(&program, options)?;
    let (answer, _) = subject.replay(&Terms::new(), &Model::new(), bounds);
    Ok(Behaviour::of_machine(&answer, &subject.symbols().atoms))
}

/// The variables of a goal that we wrote: they are all called V and a number.
fn variables(goal: &str) -> Vec<String> {
    let (program, _) = Program::read("goal", &format!("'{CASE}' :- {goal} .\n"));
    let clause = program.predicates.first().and_then(|predicate| predicate.clauses.first());
    clause.into_iter().flat_map(|clause| clause.variables.iter().flatten()).map(|name| name.to_string()).collect()
}
