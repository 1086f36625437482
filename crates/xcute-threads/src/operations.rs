//! Which objects an operation is about.

use xcute_trace::{Cells, ObjectId, Operation};

use crate::source::Role;

/// The memory that an operation accesses.
pub(crate) fn memory(operation: &Operation) -> Option<Cells> {
    use Operation as O;
    match *operation {
        O::Read(at) | O::Write(at) | O::Load(at) | O::Store(at) | O::Update(at) => Some(at),
        O::CompareExchange { at, .. } | O::Await { at, .. } | O::Park { at, .. } => Some(at),
        _ => None,
    }
}

/// The lock that an operation takes, if it succeeds, and its role in it.
pub(crate) fn takes(operation: &Operation) -> Option<(ObjectId, Role)> {
    use Operation as O;
    match *operation {
        O::Lock(m) | O::TryLock(m) | O::ReadLock(m) | O::TryReadLock(m) | O::WriteLock(m) | O::TryWriteLock(m) => Some((m, Role::Object)),
        O::Reacquire { mutex, .. } => Some((mutex, Role::Mutex)),
        _ => None,
    }
}

/// All objects of an operation.
pub(crate) fn objects(operation: &Operation) -> [Option<(ObjectId, Role)>; 2] {
    use Operation as O;
    let one = |object: ObjectId| [Some((object, Role::Object)), None];
    match *operation {
        O::Park { at, queue, .. } => [Some((at.first, Role::Object)), Some((queue, Role::Object))],
        O::Wait { condition, mutex } | O::Reacquire { condition, mutex, .. } => {
            [Some((condition, Role::Object)), Some((mutex, Role::Mutex))]
        }
        O::Lock(o) | O::TryLock(o) | O::Unlock(o) | O::SemaphoreWait(o) | O::SemaphoreTryWait(o) | O::SemaphorePost(o) => one(o),
        O::ReadLock(o) | O::TryReadLock(o) | O::ReadUnlock(o) | O::WriteLock(o) | O::TryWriteLock(o) | O::WriteUnlock(o) => one(o),
        O::Notify(o) | O::NotifyAll(o) | O::Wake { condition: o, .. } => one(o),
        O::Arrive { barrier: o } | O::Pass { barrier: o, .. } | O::Resume { queue: o, .. } => one(o),
        O::AwaitAny(all) => [0, 1].map(|at| all.cells().get(at).map(|cell| (*cell, Role::Object))),
        O::Fence | O::Begin | O::Join(_) | O::Yield => [None, None],
        ref access => [memory(access).map(|at| (at.first, Role::Object)), None],
    }
}
