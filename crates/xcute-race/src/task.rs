//! Tasks: short handles for fork paths.
//!
//! A [`TaskId`] is a path of fork numbers and costs memory; clocks and sleep sets need something that can be an index.
//!
//! **Invariant.** One table serves a whole campaign: the same path has the same handle in every run. Order between tasks is the order of
//! their paths, never that of their handles, so nothing depends on which task was seen first.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
pub use xcute_trace::Task;
use xcute_trace::TaskId;

/// All tasks of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    ids: Vec<TaskId>,
    digests: Vec<u64>,
    handles: FxHashMap<TaskId, Task>,
}

impl Tasks {
    /// The handle of a task, new or known.
    pub fn intern(&mut self, id: &TaskId) -> Task {
        if let Some(&task) = self.handles.get(id) {
            return task;
        }
        let task = Task(u32::try_from(self.ids.len()).expect("fewer than 2^32 tasks"));
        let mut hasher = FxHasher::default();
        id.hash(&mut hasher);
        self.digests.push(hasher.finish());
        self.ids.push(id.clone());
        self.handles.insert(id.clone(), task);
        task
    }

    /// The fork path of a task.
    #[must_use]
    pub fn id(&self, task: Task) -> &TaskId {
        &self.ids[task.index()]
    }

    /// A hash of the fork path of a task: the same in every campaign.
    #[must_use]
    pub fn digest(&self, task: Task) -> u64 {
        self.digests[task.index()]
    }

    /// Compares two tasks by their fork paths.
    #[must_use]
    pub fn compare(&self, a: Task, b: Task) -> Ordering {
        self.id(a).cmp(self.id(b))
    }

    /// How many tasks there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}
