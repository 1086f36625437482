//! A race whose two accesses come one after the other.
//!
//! The thread sanitizer remembers only the last accesses to a place. Where the first thread of a race went on to others before the second one came, the
//! sanitizer would report those instead. So the first is held right after its access, until the second has made its own: nothing orders the two, so what the second did before cannot
//! have waited for the first. The other way round, too: a thread that fails right after its access ends the program before anybody else can come.
//!
//! **Invariant.** Every thread does what it did, in its own order, up to some point; only how threads interleave is another.

use xcute_trace::{Failure, Happening};

use crate::casefile::{CaseSchedule, CaseStep, TaskName};

/// The schedules in which the marked accesses of a failure are neighbours: the first one first, and the second one first. None where they
/// cannot be found.
pub(super) fn orders(failure: &Failure, schedule: &CaseSchedule) -> Vec<CaseSchedule> {
    let Some((from, to)) = racing(failure, schedule) else { return Vec::new() };
    let all = &schedule.steps;
    let between = || all[from + 1..to].iter().filter(|step| step.task == all[to].task);
    let forward = all[..=from].iter().chain(between()).chain([&all[to]]).cloned().collect();
    let backward = all[..from].iter().chain(between()).chain([&all[to], &all[from]]).cloned().collect();
    [forward, backward].map(|steps| held(schedule, steps)).into()
}

/// The positions of the two accesses.
fn racing(failure: &Failure, schedule: &CaseSchedule) -> Option<(usize, usize)> {
    let marked: Vec<usize> = failure.interleaving.iter().enumerate().filter(|(_, h)| h.marked).map(|(at, _)| at).collect();
    let &[first, second] = &marked[..] else { return None };
    let (from, to) = (position(&failure.interleaving, first, schedule)?, position(&failure.interleaving, second, schedule)?);
    (from < to && schedule.steps[from].task != schedule.steps[to].task).then_some((from, to))
}

/// The schedule of these steps.
fn held(schedule: &CaseSchedule, steps: Vec<CaseStep>) -> CaseSchedule {
    // All are held before the first thing that is left out.
    let mut waits: Vec<(TaskName, u32)> = Vec::new();
    let ends = schedule.waits.iter().map(|(task, hook)| (task, *hook));
    for (task, hook) in schedule.steps.iter().map(|step| (&step.task, step.hook)).chain(ends) {
        let done = steps.iter().any(|step| step.task == *task && step.hook == hook);
        if !done && !waits.iter().any(|(known, _)| known == task) {
            waits.push((task.clone(), hook));
        }
    }
    CaseSchedule { choices: Vec::new(), steps, waits }
}

/// The step that is told at this place: the one of its thread with the same number. Long interleavings are told in part: there it is not known.
fn position(all: &[Happening], at: usize, schedule: &CaseSchedule) -> Option<usize> {
    if all.len() < schedule.steps.len() {
        return None;
    }
    let nth = all[..at].iter().filter(|h| h.task == all[at].task).count();
    let own = schedule.steps.iter().enumerate().filter(|(_, step)| step.task.text() == all[at].task);
    own.map(|(index, _)| index).nth(nth)
}

#[cfg(test)]
mod tests {
    use xcute_trace::{FailureKind, Frame};

    use super::*;

    #[test]
    fn the_first_thread_is_held_after_its_access() {
        let text = r#"{"choices":[],"steps":[["1.1",1],["1.1",2],["1.2",1],["1.1",3],["1",2],["1.2",2],["1.2",3]],"waits":[["1",4]]}"#;
        let schedule: CaseSchedule = serde_json::from_str(text).unwrap();
        let told =
            [("1.1", false), ("1.1", true), ("1.2", false), ("1.1", false), ("1", false), ("1.2", true), ("1.2", false), ("1", false)];
        let at = Frame { function: String::new(), file: String::new(), line: 0 };
        let happening = |(task, marked): (&str, bool)| Happening { task: task.into(), what: String::new(), at: at.clone(), marked };
        let interleaving = told.map(happening).to_vec();
        let failure = Failure { kind: FailureKind::DataRace, message: String::new(), stack: vec![], notes: vec![], interleaving };
        let orders: Vec<String> = orders(&failure, &schedule).iter().map(CaseSchedule::order).collect();
        let held = "waits 1.1 3\nwaits 1 2\nwaits 1.2 3\n";
        let forward = format!("step 1.1 1 0\nstep 1.1 2 0\nstep 1.2 1 0\nstep 1.2 2 0\n{held}");
        let backward = format!("step 1.1 1 0\nstep 1.2 1 0\nstep 1.2 2 0\nstep 1.1 2 0\n{held}");
        assert_eq!(orders, [forward, backward]);
    }
}
