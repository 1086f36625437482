//! The order of the last run's steps, as a case file holds it.
//!
//! **Invariant.** A step whose task is not known is no step: there is no order then.

use rustc_hash::FxHashMap;

use super::CSubject;
use crate::casefile::{CaseSchedule, CaseStep, TaskName};

impl CSubject {
    /// Who did what when in the last run; `None` if it had only one thread.
    #[must_use]
    pub fn order(&self) -> Option<CaseSchedule> {
        let steps = self.worker.block.recorded()?.steps.len();
        self.order_in(&(0..steps).collect::<Vec<_>>(), None)
    }

    /// The same with the steps in another order, which leaves each thread's as it is; `race`: two of them that race.
    pub(super) fn order_in(&self, order: &[usize], race: Option<[usize; 2]>) -> Option<CaseSchedule> {
        let recorded = self.worker.block.recorded()?;
        let names: Vec<TaskName> = self.threads.ids().iter().map(TaskName::of).collect();
        let name = |task: u32| names.get(task as usize).cloned();
        let mut schedule = CaseSchedule::default();
        for step in recorded.steps {
            let could = recorded.nexts.get(step.first as usize..)?.get(..step.count as usize)?;
            if could.iter().map(|next| next.arms.max(1)).sum::<u32>() > 1 {
                schedule.choices.push((name(could.get(step.chosen as usize)?.task)?, step.arm));
            }
        }
        let mut last = FxHashMap::default();
        let mut racing = Vec::new();
        for &at in order {
            let step = recorded.steps.get(at)?;
            let could = recorded.nexts.get(step.first as usize..)?.get(..step.count as usize)?;
            let chosen = could.get(step.chosen as usize)?.task;
            let task = name(chosen)?;
            if race.is_some_and(|race| race.contains(&at)) {
                racing.push(schedule.steps.len());
            }
            // Some steps are nothing that the program does: a loop waits.
            if last.insert(chosen, step.hook) != Some(step.hook) {
                schedule.steps.push(CaseStep { task, hook: step.hook, arm: step.arm });
            }
        }
        if let [first, second] = racing[..] {
            schedule.race = Some((first, second));
        }
        for (next, standing) in recorded.pending.iter().zip(recorded.standing) {
            schedule.waits.push((name(next.task)?, standing.hook));
        }
        // Whoever failed later is held until the accesses of a race were made.
        schedule.fails = self.worker.block.failed().filter(|_| race.is_none()).and_then(name);
        Some(schedule)
    }
}
