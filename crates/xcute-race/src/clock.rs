//! Vector clocks: for each task, how many of its events are known.

use smallvec::SmallVec;

use crate::task::Task;

/// A vector clock. Tasks it has no entry for stand at 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct VectorClock(SmallVec<[u32; 6]>);

impl VectorClock {
    /// The entry of a task.
    #[must_use]
    pub fn get(&self, task: Task) -> u32 {
        self.0.get(task.index()).copied().unwrap_or(0)
    }

    /// Counts one event of a task and returns its number, from 1.
    pub fn tick(&mut self, task: Task) -> u32 {
        if self.0.len() <= task.index() {
            self.0.resize(task.index() + 1, 0);
        }
        self.0[task.index()] += 1;
        self.0[task.index()]
    }

    /// Takes the larger entry of both for every task.
    pub fn join(&mut self, other: &VectorClock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (own, &entry) in self.0.iter_mut().zip(&other.0) {
            *own = (*own).max(entry);
        }
    }

    /// The tasks with an entry above 0.
    pub fn entries(&self) -> impl Iterator<Item = (Task, u32)> + '_ {
        self.0.iter().enumerate().filter(|(_, count)| **count > 0).map(|(task, &count)| (Task(task as u32), count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_counted_and_joined() {
        let (mut a, mut b) = (VectorClock::default(), VectorClock::default());
        assert_eq!((a.tick(Task(0)), a.tick(Task(0)), b.tick(Task(2))), (1, 2, 1));
        a.join(&b);
        assert_eq!(a.entries().collect::<Vec<_>>(), [(Task(0), 2), (Task(2), 1)]);
        assert_eq!((b.get(Task(0)), b.get(Task(7))), (0, 0));
    }
}
