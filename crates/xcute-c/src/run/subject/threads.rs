//! What is known of the threads of a program, over all its processes and subjects: its tasks, and the memory that they share.
//!
//! Both lists only grow. The subject that meets a task first gives it its number for all; a process that gave the number to another one is replaced.
//!
//! **Invariant.** A process knows a beginning of the common lists, or it is thrown away before its next run.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use xcute_trace::TaskId;

use crate::run::process::Block;
use crate::wire::{TASKS, XcRange, XcTask};

/// What all subjects of a program know.
#[derive(Debug)]
pub(super) struct Threads {
    common: Arc<Mutex<Common>>,
    /// What the process of this subject was given, or reported.
    tasks: Vec<XcTask>,
    shared: Vec<XcRange>,
}

#[derive(Debug, Default)]
struct Common {
    tasks: Vec<XcTask>,
    ids: Vec<TaskId>,
    shared: Vec<XcRange>,
    /// Somebody was given a run with several tasks, made with the memory of `shared` or less of it.
    told: bool,
}

/// What the last run added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Learned {
    /// Its tasks have other numbers than everywhere else: it has to be repeated by a fresh process.
    pub(super) renumbered: bool,
    /// Memory is shared that runs before took for private.
    pub(super) grown: bool,
    /// The process does not know the common lists.
    pub(super) stale: bool,
}

impl Threads {
    /// The knowledge of a program of which nothing is known.
    pub(super) fn new() -> Threads {
        let first = XcTask { parent: 0, nth: 0 };
        let common = Common { tasks: vec![first], ids: vec![TaskId(vec![1])], ..Common::default() };
        Threads { common: Arc::new(Mutex::new(common)), tasks: vec![first], shared: Vec::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Common> {
        self.common.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The fork paths of all tasks, by number.
    pub(super) fn ids(&self) -> Vec<TaskId> {
        self.lock().ids.clone()
    }

    /// The tasks that a process is to know.
    pub(super) fn tasks(&self) -> &[XcTask] {
        &self.tasks
    }

    /// The shared memory that a process is to know.
    pub(super) fn shared(&self) -> &[XcRange] {
        &self.shared
    }

    /// Before a run: takes over what others found. Whether the process does not know it.
    pub(super) fn catch_up(&mut self) -> bool {
        let common = Arc::clone(&self.common);
        let common = common.lock().unwrap_or_else(PoisonError::into_inner);
        if (common.tasks.len(), common.shared.len()) == (self.tasks.len(), self.shared.len()) {
            return false;
        }
        self.adopt(&common);
        true
    }

    fn adopt(&mut self, common: &Common) {
        self.tasks.extend_from_slice(&common.tasks[self.tasks.len()..]);
        if common.shared.len() != self.shared.len() {
            self.shared.clone_from(&common.shared);
        }
    }

    /// After a run: takes over what it found.
    pub(super) fn learn(&mut self, block: &Block) -> Learned {
        let (tasks, shared) = (block.tasks(), block.shared());
        let (more_tasks, more_shared) = (tasks.len() > self.tasks.len(), shared.len() > self.shared.len());
        if !more_tasks && !more_shared {
            return Learned::default();
        }
        let common = Arc::clone(&self.common);
        let mut common = common.lock().unwrap_or_else(PoisonError::into_inner);
        let mut learned = Learned::default();
        if more_tasks {
            let met = &tasks[self.tasks.len()..];
            let theirs = &common.tasks[self.tasks.len()..];
            learned.renumbered = theirs.iter().zip(met).any(|(a, b)| (a.parent, a.nth) != (b.parent, b.nth));
            learned.stale = learned.renumbered || theirs.len() > met.len();
            if !learned.renumbered {
                let new = met.get(theirs.len()..).unwrap_or_default();
                learned.renumbered = !new.iter().all(|task| common.add(*task));
                learned.stale |= learned.renumbered;
            }
        }
        if more_shared && !learned.renumbered {
            let (met, known) = (&shared[self.shared.len()..], self.shared.len());
            learned.stale |= common.shared.len() > known;
            for &range in met.iter().filter(|range| range.bytes > 0) {
                if !common.shared[known..].iter().any(|other| (other.at, other.bytes) == (range.at, range.bytes)) {
                    common.shared.push(range);
                }
            }
            learned.stale |= common.shared.len() != shared.len();
            learned.grown = true;
        }
        self.adopt(&common);
        learned
    }

    /// Whether memory became shared since a run began that knew this many ranges.
    pub(super) fn outgrown(&self, known: usize) -> bool {
        self.lock().shared.len() > known
    }

    /// Whether some run with several tasks was given away, which is void if more memory is shared.
    pub(super) fn told(&self) -> bool {
        self.lock().told
    }

    /// A run with several tasks is given away. One that is outdated makes all earlier ones void.
    pub(super) fn tell(&self, outdated: bool) {
        self.lock().told = !outdated;
    }

    /// Nothing is known to the next process but what all know: the same lists for another subject.
    pub(super) fn fork(&self) -> Threads {
        let mut other = Threads { common: Arc::clone(&self.common), tasks: Vec::new(), shared: Vec::new() };
        other.catch_up();
        other
    }
}

impl Common {
    /// Adds a task; whether it can be one.
    fn add(&mut self, task: XcTask) -> bool {
        let (Some(parent), Ok(nth)) = (self.ids.get(task.parent as usize), u16::try_from(task.nth)) else { return false };
        if nth == 0 || self.tasks.len() >= TASKS {
            return false;
        }
        let mut path = parent.0.clone();
        path.push(nth);
        self.ids.push(TaskId(path));
        self.tasks.push(task);
        true
    }
}
