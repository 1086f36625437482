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
        let recorded = self.worker.block.recorded()?;
        let names: Vec<TaskName> = self.threads.ids().iter().map(TaskName::of).collect();
        let name = |task: u32| names.get(task as usize).cloned();
        let mut schedule = CaseSchedule::default();
        let mut last = FxHashMap::default();
        for step in recorded.steps {
            let could = recorded.nexts.get(step.first as usize..)?.get(..step.count as usize)?;
            let chosen = could.get(step.chosen as usize)?.task;
            let task = name(chosen)?;
            if could.iter().map(|next| next.arms.max(1)).sum::<u32>() > 1 {
                schedule.choices.push((task.clone(), step.arm));
            }
            // Some steps are nothing that the program does: a loop waits, a thread that failed releases its locks.
            if last.insert(chosen, step.hook) != Some(step.hook) {
                schedule.steps.push(CaseStep { task, hook: step.hook, arm: step.arm });
            }
        }
        for (next, standing) in recorded.pending.iter().zip(recorded.standing) {
            schedule.waits.push((name(next.task)?, standing.hook));
        }
        Some(schedule)
    }
}
