//! The processes of a program over all its runs and subjects, by their fork paths. The list only grows; the subject that meets one first gives it its number.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;
use xcute_trace::{Task, TaskId};

/// A handle to what all subjects of a program know.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tasks {
    common: Arc<Mutex<Common>>,
}

#[derive(Debug, Default)]
struct Common {
    ids: Vec<TaskId>,
    numbers: FxHashMap<TaskId, Task>,
}

impl Tasks {
    fn lock(&self) -> MutexGuard<'_, Common> {
        self.common.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fork paths of all tasks, by number.
    pub(crate) fn ids(&self) -> Vec<TaskId> {
        self.lock().ids.clone()
    }

    /// Whether some run had several processes.
    pub(crate) fn several(&self) -> bool {
        self.lock().ids.len() > 1
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
}
