//! Orders that bring the two threads of a data race right before their accesses.
//!
//! Nothing has to be looked for then: each of the two could be next, and one of them writes. The schedule of a race has its accesses one after the other
//! if that can be ([`crate::run::subject`]); so the order is cut off before them, and every thread is held where it stands then.
//!
//! **Invariant.** Every thread does what it did, in its own order, up to some point.

use crate::cases::casefile::{CaseSchedule, TaskName};

/// The order that ends before both accesses of a data race, if they are neighbours.
pub(super) fn order(schedule: &CaseSchedule) -> Option<String> {
    schedule.racing()?;
    let (first, second) = schedule.race?;
    if second != first + 1 {
        return None;
    }
    let (steps, left) = schedule.steps.split_at(first);
    // All are held before the first thing that is left out.
    let mut waits: Vec<(TaskName, u32)> = Vec::new();
    let ends = schedule.waits.iter().map(|(task, hook)| (task, *hook));
    for (task, hook) in left.iter().map(|step| (&step.task, step.hook)).chain(ends) {
        if !waits.iter().any(|(known, _)| known == task) {
            waits.push((task.clone(), hook));
        }
    }
    let held = CaseSchedule { steps: steps.to_vec(), waits, ..CaseSchedule::default() };
    let races = left[..2].iter().map(|step| format!("race {} {}\n", step.task.text(), step.hook));
    Some(races.fold(held.order(), |order, race| order + &race))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_threads_are_held_before_what_is_left_out() {
        let text = r#"{"choices":[],"steps":[["1.1",1],["1.2",1],["1.1",2],["1.2",2],["1.1",3],["1",2],["1.2",3]],"waits":[["1",4],["1.3",1]],"race":[2,3]}"#;
        let mut schedule: CaseSchedule = serde_json::from_str(text).unwrap();
        let held = "step 1.1 1 0\nstep 1.2 1 0\nwaits 1.1 2\nwaits 1.2 2\nwaits 1 2\nwaits 1.3 1\nrace 1.1 2\nrace 1.2 2\n";
        assert_eq!(order(&schedule).unwrap(), held);
        // Others come between them, or they are one thread's.
        for race in [None, Some((0, 3)), Some((4, 4)), Some((6, 7))] {
            schedule.race = race;
            assert_eq!(order(&schedule), None);
        }
    }
}
