//! Sequential vector clocks [sen-marinov-agha-2006 §3.2]: what is ordered in every schedule.
//!
//! Only program order, forks and joins count; accesses and locks do not. So two events that are unrelated here may come in either order, or
//! at the same time, in some other run, as far as the structure of tasks goes.
//!
//! **Invariant.** As for the causal clocks: one event precedes another iff the clock of the other has its number [sen-marinov-agha-2006 Theorem 3.3].

use crate::clock::VectorClock;
use crate::operation::Operation;
use crate::record::Step;
use crate::task::Task;

/// The sequential clocks of a run, at one moment of it.
#[derive(Debug, Default)]
pub(crate) struct Sequential(Vec<VectorClock>);

impl Sequential {
    fn clock(&mut self, task: Task) -> &mut VectorClock {
        if self.0.len() <= task.index() {
            self.0.resize(task.index() + 1, VectorClock::default());
        }
        &mut self.0[task.index()]
    }

    /// Goes on by one step and gives the clock of its event.
    pub(crate) fn step(&mut self, step: &Step) -> VectorClock {
        let task = step.task();
        if let Operation::Join(child) = step.next().operation {
            let other = self.clock(child).clone();
            self.clock(task).join(&other);
        }
        self.clock(task).tick(task);
        for &(parent, child) in &step.forked {
            let own = self.clock(parent).clone();
            self.clock(child).join(&own);
        }
        self.clock(task).clone()
    }
}
