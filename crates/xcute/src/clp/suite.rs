//! The tests of a campaign: one for each path, in a file that plunit runs.
//!
//! **Invariant.** Where SWI-Prolog is installed, what a test expects is what SWI-Prolog did, and the file was run before it is spoken of.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use xcute_clp::plunit::Test;
use xcute_clp::subject::{Answer, Written};
use xcute_clp::swipl;

use super::behaviour::{self, Behaviour};
use super::{ClpFront, LANGUAGE};
use crate::talk;

/// More tests are not written: a file that nobody reads helps nobody.
const MOST: usize = 1_000;
/// How long running the file may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// The cases that tests are made of.
#[derive(Default)]
pub struct Kept {
    cases: Vec<(Written, String, Answer)>,
    paths: usize,
}

impl Kept {
    /// Counts a path; whether a test is made of it.
    pub fn wants_more(&mut self) -> bool {
        self.paths += 1;
        self.cases.len() < MOST
    }

    /// Takes note of the first case of a path.
    pub fn add(&mut self, goal: Written, text: String, answer: Answer) {
        if answer != Answer::Rejected {
            self.cases.push((goal, text, answer));
        }
    }
}

/// Writes the tests of a campaign to its results directory, runs them, and says so.
pub fn write(front: ClpFront, quiet: bool) -> Result<()> {
    let ClpFront { suite, out, plain, prolog, kept, program, name, .. } = front;
    let mut atoms = plain.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).symbols().atoms.clone();
    let mut prolog = prolog.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let kept = kept.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let name = name.rsplit_once('/').map_or(LANGUAGE, |(name, _)| name);
    let (mut tests, mut unlike) = (Vec::new(), Vec::new());
    for (goal, text, answer) in kept.cases {
        let own = Behaviour::of_machine(&answer, &atoms);
        let (seen, expected) = match prolog.observe(&suite, &text, &mut atoms) {
            Some(observed) => observed,
            None => (own.clone(), behaviour::expected(&answer)),
        };
        if !own.agrees(&seen) {
            unlike.push(format!("{text} {seen}, where xcute's machine says that it {own}"));
        }
        if let Some(expected) = expected {
            tests.push(Test { name: format!("{name}_{}", tests.len() + 1), terms: goal.terms, goal: goal.roots[0], expected });
        }
    }
    if tests.is_empty() {
        return Ok(());
    }
    let file = out.join(format!("{}.plt", suite.file));
    let text = suite.text(&tests, &out, &atoms, &program.operators);
    std::fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))?;
    let ran = if prolog.is_there() { Some(swipl::plunit(&file, PATIENCE)?) } else { None };
    if !quiet {
        talk::say(&told(&file, tests.len(), kept.paths, ran.as_ref().map(|verdict| verdict.passed)));
    }
    for line in unlike.iter().take(5) {
        talk::say(&format!("SWI-Prolog disagrees: {line}"));
    }
    if let Some(verdict) = ran.filter(|verdict| !verdict.passed) {
        talk::show(verdict.output.trim_end());
    }
    Ok(())
}

fn told(file: &Path, tests: usize, paths: usize, passed: Option<bool>) -> String {
    let many = if tests == 1 { "1 test".to_owned() } else { format!("{tests} tests") };
    let of = if paths > tests { format!(", for {paths} paths") } else { String::new() };
    let verdict = match passed {
        Some(true) => "SWI-Prolog passes them",
        Some(false) => "SWI-Prolog does NOT pass them",
        None => "SWI-Prolog is not installed, they were not run",
    };
    format!("{many} in {}{of}: {verdict}", file.display())
}
