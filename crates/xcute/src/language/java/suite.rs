//! JUnit tests of the paths of a method, written when the search is over.
//!
//! Cases with one thread become a class of plain tests. Of those with several, some are chosen from the beginning of the search to its end: each runs in a JVM
//! of its own, so there are few.
//!
//! **Invariant.** What a test expects is what the original classes did, more than once.

use std::sync::PoisonError;

use anyhow::Result;
use xcute_java::junit;
use xcute_term::Interrupt;

use super::super::kept::counted;
use super::JavaFront;
use crate::front::Write;
use crate::plan::Show;
use crate::talk;

/// After this many orders that the original classes could not be held to, no more are tried.
const IN_VAIN: usize = 3;

/// Writes the tests, and says where they are.
pub(super) fn write(front: &JavaFront, write: Write<'_>, show: Show) -> Result<()> {
    plain(front, write, show)?;
    in_orders(front, write, show)
}

fn plain(front: &JavaFront, write: Write<'_>, show: Show) -> Result<()> {
    let kept = front.kept.lock().unwrap_or_else(PoisonError::into_inner).take();
    if kept.cases.is_empty() {
        return Ok(());
    }
    let repeated = front.confirmer().repeat_all(&front.program, &kept.cases, Interrupt::never())?;
    let cases: Vec<_> = kept.cases.into_iter().zip(repeated).filter_map(|(recipe, repeated)| Some((recipe, repeated?))).collect();
    let name = front.word("Test");
    let Some((text, tests)) = junit::passing(&front.program, &cases, &name, front.plan.junit) else { return Ok(()) };
    let file = write(&format!("{name}.java"), text.as_bytes())?;
    if !show.quiet {
        talk::say(&counted(&file, (tests, kept.paths)));
    }
    Ok(())
}

/// Tests of orders of threads, and the agent that holds them to these.
fn in_orders(front: &JavaFront, write: Write<'_>, show: Show) -> Result<()> {
    let kept = front.threads.lock().unwrap_or_else(PoisonError::into_inner).take();
    let (mut cases, mut in_vain) = (Vec::new(), 0);
    for case in spread(&kept.cases, front.plan.orders) {
        if in_vain == IN_VAIN {
            break;
        }
        let Some(rerun) = front.orders.order(case, None) else { continue };
        let Some(ordered) = rerun.ordered.filter(|ordered| ordered.held.holds()) else { continue };
        let confirmer = front.confirmer();
        let (recipe, digest) = (front.recipe(case), confirmer.digest(&front.program, &rerun.followed));
        match confirmer.always(&front.program, (&recipe, &ordered.held), &digest, Interrupt::never())? {
            Some(repeated) => cases.push((recipe, ordered.held, repeated)),
            None => in_vain += 1,
        }
    }
    let name = front.word("Orders_Test");
    let Some((text, tests)) = junit::in_orders(&front.program, &cases, &name, front.plan.junit) else { return Ok(()) };
    write(junit::AGENT_FILE, junit::AGENT)?;
    let file = write(&format!("{name}.java"), text.as_bytes())?;
    if !show.quiet {
        talk::say(&counted(&file, (tests, kept.paths)));
    }
    Ok(())
}

/// This many of all, as far from each other as can be.
fn spread<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    let count = most.min(all.len());
    (0..count).filter_map(move |number| all.get(number * all.len() / count))
}
