//! The tests of a campaign: one for each path, in a file that plunit runs, and as goals with constraints.
//!
//! **Invariant.** Where SWI-Prolog is installed, what a test expects is what SWI-Prolog did, and the file was run before it is spoken of.

use std::path::Path;
use std::sync::PoisonError;
use std::time::Duration;

use anyhow::{Context, Result};
use xcute_clp::constrained::{self, ConstrainedGoal, GoalCase};
use xcute_clp::plunit::Test;
use xcute_clp::subject::{Answer, Written};
use xcute_clp::swipl;

use super::behaviour::{self, Behaviour};
use super::{ClpFront, LANGUAGE};
use crate::plan::Show;
use crate::results::GOALS;
use crate::talk;

/// How long running the file may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// The first case of a path.
pub struct KeptCase {
    pub goal: Written,
    /// The goal as SWI-Prolog reads it.
    pub text: String,
    pub answer: Answer,
    /// The path as a goal with constraints, where that can be written.
    pub constrained: Option<ConstrainedGoal>,
}

/// The cases that tests are made of.
pub struct Kept {
    cases: Vec<KeptCase>,
    most: usize,
    paths: usize,
}

impl Kept {
    /// Takes at most so many.
    pub fn new(most: usize) -> Kept {
        Kept { cases: Vec::new(), most, paths: 0 }
    }

    /// Counts a path; whether a test is made of it.
    pub fn wants_more(&mut self) -> bool {
        self.paths += 1;
        self.cases.len() < self.most
    }

    /// Takes note of the first case of a path.
    pub fn add(&mut self, case: KeptCase) {
        if case.answer != Answer::Rejected {
            self.cases.push(case);
        }
    }
}

/// Writes the tests of a campaign and its goals to the results directory, runs them, and says so.
pub fn write(front: &ClpFront, show: Show) -> Result<()> {
    let ClpFront { suite, out, prolog, kept, program, name, .. } = front;
    let goals = front.goals;
    let mut atoms = front.plain().atoms().clone();
    let mut prolog = prolog.lock().unwrap_or_else(PoisonError::into_inner);
    let kept = std::mem::replace(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner), Kept::new(0));
    let short = name.rsplit_once('/').map_or(LANGUAGE, |(name, _)| name);
    let (mut tests, mut cases, mut unlike, mut shown) = (Vec::new(), Vec::new(), Vec::new(), String::new());
    for KeptCase { goal, text, answer, constrained } in kept.cases {
        let own = Behaviour::of_machine(&answer, &atoms);
        let case = GoalCase { constrained, terms: goal.terms, instance: goal.roots[0] };
        let comment = case.constrained.as_ref().map(|goal| goal.text(&atoms));
        let (seen, expected) = match prolog.observe(suite, &text, &mut atoms) {
            Some(observed) => observed,
            None => (own.clone(), behaviour::expected(&answer)),
        };
        if !own.agrees(&seen) {
            unlike.push(format!("{text} {seen}, where xcute's machine says that it {own}"));
        }
        if prolog.accepts(&case, &mut atoms) == Some(false) {
            unlike.push(format!("{text} is not accepted by {}", comment.as_deref().unwrap_or_default()));
        }
        if goals {
            shown += &format!(
                "  {:>3}  {}\n       {text} {seen}\n",
                cases.len() + 1,
                comment.as_deref().unwrap_or("(its constraints are not written)")
            );
        }
        if let Some(expected) = expected {
            let name = format!("{short}_{}", tests.len() + 1);
            tests.push(Test { name, terms: case.terms.clone(), goal: case.instance, expected, comment });
        }
        cases.push(case);
    }
    if goals && !show.json && !show.quiet {
        talk::result(&format!("\ngoals\n{shown}"))?;
    }
    let title = format!("The paths of {name} as goals with constraints, written by xcute clp.");
    put(&out.join(GOALS), &constrained::file(&title, &cases, &atoms))?;
    for line in unlike.iter().take(5) {
        talk::say(&format!("SWI-Prolog disagrees: {line}"));
    }
    let without = cases.iter().filter(|case| case.constrained.is_none()).count();
    if without > 0 && !show.quiet {
        talk::say(&format!(
            "{without} of {} paths {} not written as goals with constraints: there are more than {} of them, or they cannot be expressed",
            cases.len(),
            if without == 1 { "is" } else { "are" },
            constrained::CONSTRAINTS
        ));
    }
    if tests.is_empty() {
        return Ok(());
    }
    let file = out.join(format!("{}.plt", suite.file));
    put(&file, &suite.text(&tests, out, &atoms, &program.operators))?;
    let ran = if prolog.is_there() { Some(swipl::plunit(&file, Some(&suite.unit()), PATIENCE)?) } else { None };
    if !show.quiet {
        talk::say(&told(&file, tests.len(), kept.paths, ran.as_ref().map(|verdict| verdict.passed)));
    }
    if let Some(verdict) = ran.filter(|verdict| !verdict.passed) {
        talk::show(verdict.output.trim_end());
    }
    Ok(())
}

fn put(file: &Path, text: &str) -> Result<()> {
    std::fs::write(file, text).with_context(|| format!("cannot write {}", file.display()))
}

fn told(file: &Path, tests: usize, paths: usize, passed: Option<bool>) -> String {
    let many = if tests == 1 { "1 test".to_owned() } else { format!("{tests} tests") };
    let of = if paths > tests { format!(", for {paths} paths") } else { String::new() };
    let verdict = match passed {
        Some(true) => "SWI-Prolog passes",
        Some(false) => "SWI-Prolog does NOT pass",
        None => "SWI-Prolog is not installed and has not run",
    };
    format!("{many} in {}{of}: {verdict} {}", file.display(), if tests == 1 { "it" } else { "them" })
}
