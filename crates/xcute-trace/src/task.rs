//! Tasks: threads, processes, capsules.

/// A task of the campaign: its position in the list of fork paths that all subjects of the program share ([`crate::Subject::tasks`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Task(pub u32);

impl Task {
    /// The handle as an index.
    #[must_use]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
