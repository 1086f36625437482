//! Who holds which locks, step by step.

use crate::causality::Causality;
use crate::operation::{ObjectId, Operation};
use crate::task::Task;

/// The locks held by each task of a run, at one moment of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Held(Vec<Vec<ObjectId>>);

impl Held {
    /// The locks of a task, in the order in which it took them.
    pub(crate) fn of(&self, task: Task) -> &[ObjectId] {
        self.0.get(task.index()).map_or(&[], Vec::as_slice)
    }

    /// Goes on by one step.
    pub(crate) fn step(&mut self, causality: &Causality<'_>, at: usize) {
        let next = causality.record().steps[at].next();
        if self.0.len() <= next.task.index() {
            self.0.resize(next.task.index() + 1, Vec::new());
        }
        let own = &mut self.0[next.task.index()];
        match acquired(causality, at) {
            Some(object) => own.push(object),
            None => {
                if let Some(object) = released(&next.operation)
                    && let Some(position) = own.iter().rposition(|held| *held == object)
                {
                    own.remove(position);
                }
            }
        }
    }
}

/// The lock that a step took.
pub(crate) fn acquired(causality: &Causality<'_>, at: usize) -> Option<ObjectId> {
    use Operation as O;
    let operation = &causality.record().steps[at].next().operation;
    let objects = causality.objects_at(at, operation);
    match *operation {
        O::Lock(m) | O::ReadLock(m) | O::WriteLock(m) | O::Reacquire { mutex: m, .. } => Some(m),
        O::TryLock(m) | O::TryReadLock(m) => objects.owner(m).is_none().then_some(m),
        O::TryWriteLock(l) => (objects.owner(l).is_none() && objects.readers(l).is_empty()).then_some(l),
        _ => None,
    }
}

/// The lock that an operation releases.
pub(crate) fn released(operation: &Operation) -> Option<ObjectId> {
    use Operation as O;
    match *operation {
        O::Unlock(m) | O::ReadUnlock(m) | O::WriteUnlock(m) | O::Wait { mutex: m, .. } => Some(m),
        _ => None,
    }
}
