//! The causal past of a step as a schedule: what must have happened before it, and nothing else.
//!
//! **Invariant.** The steps keep their order, so each of them finds what it found in the run: all that it depends on is there.

use crate::causality::Causality;
use crate::opening::Plan;

/// The steps that precede the last of the first `steps` ones, and this one: one choice for each. Without steps, there are none.
#[must_use]
pub fn past(causality: &Causality<'_>, steps: usize) -> Plan {
    let all = &causality.record().steps;
    let Some(last) = steps.min(all.len()).checked_sub(1) else { return Plan { strict: true, ..Plan::default() } };
    let choices = (0..=last).filter(|at| causality.precedes(*at, last)).map(|at| (all[at].task(), all[at].arm)).collect();
    Plan { choices, strict: true, ..Plan::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cells, End, Next, NodeKey, ObjectId, Operation, Record, Step, Task};

    #[test]
    fn only_what_a_step_depends_on_is_left() {
        let at = |cell| Cells { first: ObjectId(cell), count: 1 };
        let step = |task, operation| {
            let enabled = vec![Next::of(Task(task), operation)];
            Step {
                node: NodeKey(0),
                enabled: enabled.into(),
                chosen: 0,
                arm: 0,
                glued: false,
                outside: Default::default(),
                forked: Vec::new(),
                branches: 0,
                place: 0,
            }
        };
        let steps = vec![
            step(1, Operation::Write(at(7))),
            step(2, Operation::Write(at(8))),
            step(3, Operation::Read(at(7))),
            step(1, Operation::Write(at(9))),
            step(3, Operation::Read(at(6))),
        ];
        let record = Record { steps, pending: Vec::new(), end: End::Finished };
        let causality = Causality::new(&record);
        let tasks = |steps: usize| past(&causality, steps).choices.iter().map(|(task, _)| task.0).collect::<Vec<_>>();
        assert_eq!(tasks(5), [1, 3, 3]);
        assert_eq!(tasks(4), [1, 1]);
        assert_eq!(tasks(2), [2]);
        assert_eq!(tasks(0), []);
        assert!(past(&causality, 0).strict);
    }
}
