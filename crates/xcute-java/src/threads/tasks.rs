//! What is known of the threads of a program, over all its runs and subjects: its tasks, and what they share.
//!
//! Both only grow. Who meets a task first gives it its number for all. Memory is shared by kind: a field (of any object), or the elements of arrays of a
//! type. Only accesses to what is shared are steps.
//!
//! **Invariant.** A run is made with a beginning of what is known to be shared, and says so if it found more.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};
use xcute_trace::{Task, TaskId};

/// What tasks can share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Shareable {
    /// A field, by its number.
    Field(u32),
    /// Elements that an array instruction of this number accesses: see [`super::operation::element`].
    Elements(u8),
    /// The ends of threads: somebody waits for the monitor of one.
    Ends,
    /// The places of threads that wait for permits, and for locks of readers and a writer: others wait because of them.
    Lines,
}

/// A handle to what all subjects of a program know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks {
    common: Arc<Mutex<Common>>,
}

#[derive(Debug, Default)]
struct Common {
    ids: Vec<TaskId>,
    numbers: FxHashMap<TaskId, Task>,
    shared: Vec<Shareable>,
    known: FxHashSet<Shareable>,
    /// Somebody was given a run with several tasks that was made with all of `shared`.
    told: bool,
}

impl Tasks {
    fn lock(&self) -> MutexGuard<'_, Common> {
        self.common.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fork paths of all tasks, by number.
    pub(crate) fn ids(&self) -> Vec<TaskId> {
        self.lock().ids.clone()
    }

    /// The number of a task, new or known.
    pub(crate) fn intern(&self, id: &TaskId) -> Task {
        let mut common = self.lock();
        if let Some(&task) = common.numbers.get(id) {
            return task;
        }
        let task = Task(u32::try_from(common.ids.len()).expect("few tasks"));
        common.ids.push(id.clone());
        common.numbers.insert(id.clone(), task);
        task
    }

    /// What is shared, from a position on.
    pub(crate) fn shared(&self, from: usize) -> Vec<Shareable> {
        self.lock().shared[from..].to_vec()
    }

    /// A run found this to be shared.
    pub(crate) fn share(&self, what: Shareable) {
        let mut common = self.lock();
        if common.known.insert(what) {
            common.shared.push(what);
        }
    }

    /// Whether more is shared than a run knew that was made with so much.
    pub(crate) fn outgrown(&self, known: usize) -> bool {
        self.lock().shared.len() > known
    }

    /// Whether some run with several tasks was given away, which is void if more is shared.
    pub(crate) fn told(&self) -> bool {
        self.lock().told
    }

    /// A run with several tasks is given away. One that is outdated makes all earlier ones void.
    pub(crate) fn tell(&self, outdated: bool) {
        self.lock().told = !outdated;
    }
}
