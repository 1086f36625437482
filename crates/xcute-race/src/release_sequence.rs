//! Release sequences of atomic memory (C11, 5.1.2.4): what an acquiring load that reads the present value comes after.
//!
//! Every store of a value heads a sequence if it releases, or if its task passed a releasing fence before. A read-modify-write continues all
//! sequences; a store continues those that its own task heads, and ends the others. C++20 lets only read-modify-writes continue a
//! sequence. We keep the rule of C11 and C++17 for all programs: what is not a race by one of the rules is not reported.
//!
//! **Invariant.** A task heads at most one sequence, with all that it has released into it.

use smallvec::SmallVec;

use crate::clock::VectorClock;
use crate::task::Task;

/// The sequences that the present value of a cell belongs to: who heads them, and what they released.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReleaseSequences(SmallVec<[(Task, VectorClock); 1]>);

impl ReleaseSequences {
    /// What a load comes after if it acquires.
    pub(crate) fn seen_by(&self, clock: &mut VectorClock) {
        self.0.iter().for_each(|(_, released)| clock.join(released));
    }

    /// A store that is not a read-modify-write; `released` is what it hands on, if anything.
    pub(crate) fn store(&mut self, task: Task, released: Option<&VectorClock>) {
        self.0.retain(|(head, _)| *head == task);
        self.update(task, released);
    }

    /// A read-modify-write.
    pub(crate) fn update(&mut self, task: Task, released: Option<&VectorClock>) {
        let Some(released) = released else { return };
        match self.0.iter_mut().find(|(head, _)| *head == task) {
            Some((_, known)) => known.join(released),
            None => self.0.push((task, released.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(task: u32) -> VectorClock {
        let mut clock = VectorClock::default();
        clock.tick(Task(task));
        clock
    }

    fn seen(sequences: &ReleaseSequences) -> Vec<u32> {
        let mut clock = VectorClock::default();
        sequences.seen_by(&mut clock);
        clock.entries().map(|(task, _)| task.0).collect()
    }

    #[test]
    fn a_relaxed_update_continues_and_a_relaxed_store_of_another_task_ends() {
        let mut sequences = ReleaseSequences::default();
        sequences.store(Task(1), Some(&clock(1)));
        sequences.update(Task(2), None);
        assert_eq!(seen(&sequences), [1]);
        sequences.update(Task(2), Some(&clock(2)));
        assert_eq!(seen(&sequences), [1, 2]);
        sequences.store(Task(2), None);
        assert_eq!(seen(&sequences), [2], "its own goes on");
        sequences.store(Task(3), None);
        assert_eq!(seen(&sequences), []);
    }
}
