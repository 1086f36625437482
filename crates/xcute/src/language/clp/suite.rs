//! The tests of a campaign: one for each path, in a file that plunit runs, and as goals with constraints.
//!
//! **Invariant.** Where SWI-Prolog is installed, what a test expects is what SWI-Prolog did, and the file was run before it is spoken of.

use std::time::Duration;

use anyhow::Result;
use xcute_clp::constrained::{self, GoalCase};
use xcute_clp::plunit::Test;
use xcute_clp::swipl;
use xcute_clp::syntax::Atoms;

use super::super::kept::{counted, told};
use super::behaviour::Behaviour;
use super::observed::{self, KeptCase, Seen};
use super::{ClpFront, LANGUAGE};
use crate::front::Write;
use crate::plan::Show;
use crate::talk;

/// The paths as goals with constraints.
const GOALS: &str = "goals.pl";

/// How long running the file may take.
const PATIENCE: Duration = Duration::from_secs(300);

/// Writes the tests of a campaign and its goals to the results directory, runs them, and says so.
pub fn write(front: &ClpFront, write: Write<'_>, show: Show) -> Result<()> {
    let ClpFront { suite, out, program, name, .. } = front;
    let (goals, haste) = (front.goals, front.haste());
    let mut atoms = front.plain().atoms().clone();
    let mut prolog = front.prolog();
    let kept = front.kept().take();
    let short = name.rsplit_once('/').map_or(LANGUAGE, |(name, _)| name);
    let (mut tests, mut cases, mut unlike, mut shown) = (Vec::new(), Vec::new(), Vec::new(), String::new());
    for mut kept in kept.cases {
        let own = Behaviour::of_machine(&kept.answer, &atoms);
        let Seen { behaviour: seen, expected } = kept.seen.take().unwrap_or_else(|| observed::unseen(&kept, own));
        let KeptCase { goal, text, constrained, .. } = kept;
        let case = GoalCase { constrained, terms: goal.terms, instance: goal.roots[0] };
        let comment = case.constrained.as_ref().map(|goal| goal.text(&atoms));
        if haste.is_none() && prolog.accepts(&case, &mut atoms) == Some(false) {
            unlike.push(format!("SWI-Prolog disagrees: {text} is not accepted by {}", comment.as_deref().unwrap_or_default()));
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
    write(GOALS, constrained::file(&title, &cases, &atoms).as_bytes())?;
    for line in unlike.iter().take(5) {
        talk::say(line);
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
    together(front, &tests, &atoms, show)?;
    if tests.is_empty() {
        return Ok(());
    }
    let file = write(&format!("{}.plt", suite.file), suite.text(&tests, out, &atoms, &program.operators).as_bytes())?;
    let ran = if prolog.is_there() { Some(swipl::plunit(&file, Some(&suite.unit()), haste.unwrap_or(PATIENCE))?) } else { None };
    if haste.is_some() && ran.as_ref().is_some_and(|verdict| verdict.late) {
        // The search was to end: that is why there was no more time.
        if !show.quiet {
            talk::say(&format!("{}: there was no time to run them", counted(&file, (tests.len(), kept.paths))));
        }
        return Ok(());
    }
    if !show.quiet {
        talk::say(&told(&file, (tests.len(), kept.paths), "SWI-Prolog", ran.as_ref().map(|verdict| verdict.passed)));
    }
    if let Some(verdict) = ran.filter(|verdict| !verdict.passed) {
        talk::show(verdict.output.trim_end());
    }
    Ok(())
}

/// Adds the tests to those of the other predicates of the file; after the last of these, runs all of them, and says so.
fn together(front: &ClpFront, tests: &[Test], atoms: &Atoms, show: Show) -> Result<()> {
    let Some(together) = &front.together else { return Ok(()) };
    let place = (front.name.as_str(), front.out.as_path());
    let Some(written) = together.add(&front.suite, place, tests, atoms, &front.program.operators)? else { return Ok(()) };
    // The program's own tests are another matter.
    let run = front.suite.taken.is_empty() && swipl::find().is_some();
    let passed = if run { Some(swipl::plunit(&written.file, None, PATIENCE)?.passed) } else { None };
    if !show.quiet {
        let said = if run || front.suite.taken.is_empty() {
            told(&written.file, (written.tests, 0), "SWI-Prolog", passed)
        } else {
            counted(&written.file, (written.tests, 0))
        };
        talk::say(&said);
    }
    Ok(())
}
