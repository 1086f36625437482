//! The order of a run's steps, as a case file holds it.
//!
//! **Invariant.** A step whose task is not known is not a step: there is no order then.

use rustc_hash::FxHashMap;
use xcute_race::Causality;
use xcute_trace::{Failure, Next, Task};

use crate::narrator::Narrator;
use crate::neighbours::{race_of, side_by_side};
use crate::schedule::{CaseSchedule, CaseStep};
use crate::source::At;

/// The order of a run; `failed` is the thread that fails in it, if it is one thread's failure.
pub fn of_run(narrator: &Narrator<'_>, failed: Option<Task>) -> Option<CaseSchedule> {
    let order: Vec<usize> = (0..narrator.record.steps.len()).collect();
    written(narrator, &order, None, failed)
}

/// The order of a run with a data race: its two accesses are neighbours, if they can be. `failed` is the thread that fails in the run; where there
/// is a race it is held until the accesses were made.
pub fn of_race(narrator: &mut Narrator<'_>, failure: &Failure, failed: Option<Task>) -> Option<CaseSchedule> {
    let record = narrator.record;
    let causality = Causality::new(record);
    let race = race_of(narrator, &causality, failure);
    let order = match &race {
        Some(race) => side_by_side(&causality, race.first, race.second).order,
        None => (0..record.steps.len()).collect(),
    };
    let schedule = written(narrator, &order, race.as_ref().map(|race| [race.first, race.second]), failed)?;
    Some(CaseSchedule { unsure: race.is_some_and(|race| race.unsure), ..schedule })
}

/// The steps in an order that leaves each thread's as it is; `race`: two of them that race.
fn written(narrator: &Narrator<'_>, order: &[usize], race: Option<[usize; 2]>, failed: Option<Task>) -> Option<CaseSchedule> {
    let record = narrator.record;
    let mut schedule = CaseSchedule::default();
    for step in record.steps.iter().filter(|step| step.options() > 1) {
        schedule.choices.push((narrator.name(step.task())?, step.arm));
    }
    let mut last = FxHashMap::default();
    let mut racing = Vec::new();
    for &at in order {
        let step = record.steps.get(at)?;
        let task = narrator.name(step.task())?;
        if race.is_some_and(|race| race.contains(&at)) {
            racing.push(schedule.steps.len());
        }
        let hook = narrator.source.hook(At::Step(at))?;
        // Some steps are nothing that the program does: a loop waits.
        if last.insert(step.task(), hook) != Some(hook) {
            schedule.steps.push(CaseStep { task, hook, arm: step.arm });
        }
    }
    if let [first, second] = racing[..] {
        schedule.race = Some((first, second));
    }
    for (at, Next { task, .. }) in record.pending.iter().enumerate() {
        if let Some(hook) = narrator.source.hook(At::Pending(at)) {
            schedule.waits.push((narrator.name(*task)?, hook));
        }
    }
    schedule.fails = failed.filter(|_| race.is_none()).and_then(|task| narrator.name(task));
    Some(schedule)
}
