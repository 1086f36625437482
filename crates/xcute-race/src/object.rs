//! The states of objects: which operations are enabled in them, and what these access.
//!
//! The race rule asks whether an operation could have run in a state that never was: after a part of the events of a run. Only the one or
//! two objects of the operation matter for the answer, so only these are replayed.
//!
//! **Invariant.** Executors and this file agree about every primitive: what is in `Step::enabled` is enabled here. Memory and semaphores are
//! not replayed; their value before each operation is in the record.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::operation::{Access, Accesses, Cells, Location, Mode, ObjectId, Operation, Until};
use crate::record::Next;
use crate::task::Task;

/// The state of one object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectState {
    /// Memory that is compared, or the permits of a semaphore.
    Value(u64),
    /// A mutex and who has it.
    Mutex(Option<Task>),
    /// A readers-writer lock.
    ReadersWriter {
        /// Who reads.
        readers: SmallVec<[Task; 2]>,
        /// Who writes.
        writer: Option<Task>,
    },
    /// A barrier: how many have arrived since its first use.
    Barrier(u64),
    /// A condition.
    Condition {
        /// Who waits, in the order in which they began.
        waiting: SmallVec<[Task; 2]>,
        /// Who was woken and has not run since.
        woken: SmallVec<[Task; 2]>,
    },
}

impl ObjectState {
    fn initial(operation: &Operation, location: Location) -> ObjectState {
        use Operation as O;
        match (operation, location) {
            (_, Location::Waiters(_)) => ObjectState::Condition { waiting: smallvec![], woken: smallvec![] },
            (O::ReadLock(_) | O::TryReadLock(_) | O::ReadUnlock(_) | O::WriteLock(_) | O::TryWriteLock(_) | O::WriteUnlock(_), _) => {
                ObjectState::ReadersWriter { readers: smallvec![], writer: None }
            }
            (O::Arrive { .. } | O::Pass { .. }, _) => ObjectState::Barrier(0),
            _ => ObjectState::Mutex(None),
        }
    }
}

/// The locations whose replayed state an operation looks at or changes.
pub(crate) fn replayed(operation: &Operation) -> SmallVec<[Location; 2]> {
    use Operation as O;
    match *operation {
        O::Lock(m) | O::TryLock(m) | O::Unlock(m) => smallvec![Location::Object(m)],
        O::ReadLock(l) | O::TryReadLock(l) | O::ReadUnlock(l) | O::WriteLock(l) | O::TryWriteLock(l) | O::WriteUnlock(l) => {
            smallvec![Location::Object(l)]
        }
        O::Wait { condition, mutex } | O::Reacquire { condition, mutex, .. } => {
            smallvec![Location::Object(mutex), Location::Waiters(condition)]
        }
        O::Notify(c) | O::NotifyAll(c) | O::Wake { condition: c, .. } | O::Park { queue: c, .. } | O::Resume { queue: c, .. } => {
            smallvec![Location::Waiters(c)]
        }
        O::Arrive { barrier } | O::Pass { barrier, .. } => smallvec![Location::Object(barrier)],
        _ => smallvec![],
    }
}

/// The states of some objects. Those that no operation has touched are new.
#[derive(Clone, Debug, Default)]
pub struct Objects(FxHashMap<Location, ObjectState>);

impl Objects {
    /// The state of an object, if anything touched it.
    #[must_use]
    pub fn get(&self, location: Location) -> Option<&ObjectState> {
        self.0.get(&location)
    }

    pub(crate) fn set(&mut self, location: Location, state: ObjectState) {
        self.0.insert(location, state);
    }

    /// The state of an object, made new if nothing touched it.
    pub(crate) fn state(&mut self, operation: &Operation, location: Location) -> &mut ObjectState {
        self.0.entry(location).or_insert_with(|| ObjectState::initial(operation, location))
    }

    /// Who has a mutex or writes under a readers-writer lock.
    #[must_use]
    pub fn owner(&self, object: ObjectId) -> Option<Task> {
        match self.get(Location::Object(object)) {
            Some(ObjectState::Mutex(owner)) => *owner,
            Some(ObjectState::ReadersWriter { writer, .. }) => *writer,
            _ => None,
        }
    }

    /// Who reads under a readers-writer lock.
    #[must_use]
    pub fn readers(&self, object: ObjectId) -> &[Task] {
        match self.get(Location::Object(object)) {
            Some(ObjectState::ReadersWriter { readers, .. }) => readers,
            _ => &[],
        }
    }

    fn condition(&self, condition: ObjectId) -> (&[Task], &[Task]) {
        match self.get(Location::Waiters(condition)) {
            Some(ObjectState::Condition { waiting, woken }) => (waiting, woken),
            _ => (&[], &[]),
        }
    }

    /// Who waits for a condition and was not woken.
    #[must_use]
    pub fn waiting(&self, condition: ObjectId) -> &[Task] {
        self.condition(condition).0
    }

    fn woken(&self, condition: ObjectId, task: Task) -> bool {
        self.condition(condition).1.contains(&task)
    }

    /// Whether a task could do this now, were `before` the value of its memory or semaphore.
    #[must_use]
    pub fn enabled(&self, task: Task, operation: &Operation, before: u64) -> bool {
        use Operation as O;
        match *operation {
            O::Await { until: Until::Equal(value), .. } => before == value,
            O::Await { until: Until::NotEqual(value), .. } => before != value,
            O::AwaitAny(_) => before != 0,
            O::Lock(m) => self.owner(m).is_none(),
            O::SemaphoreWait(_) => before > 0,
            O::ReadLock(l) => self.owner(l).is_none(),
            O::WriteLock(l) => self.owner(l).is_none() && self.readers(l).is_empty(),
            O::Reacquire { condition, mutex, alone } => self.owner(mutex).is_none() && (alone || self.woken(condition, task)),
            O::Resume { queue, alone } => alone || self.woken(queue, task),
            O::Pass { barrier, arrivals } => {
                matches!(self.get(Location::Object(barrier)), Some(ObjectState::Barrier(arrived)) if *arrived >= arrivals)
            }
            _ => true,
        }
    }

    /// What an operation accesses in this state. `arm` is the arm taken; `None` means any arm, for an operation that is still to come.
    #[must_use]
    pub fn accesses(&self, next: &Next, before: u64, arm: Option<u32>) -> Accesses {
        use Operation as O;
        let object = |object: ObjectId, mode: Mode| smallvec![Access { location: Location::Object(object), mode }];
        let task = next.task;
        match next.operation {
            O::Read(at) | O::Load(at) | O::Await { at, .. } => cells(at, Mode::Read),
            O::AwaitAny(all) => all.cells().iter().map(|&cell| Access { location: Location::Object(cell), mode: Mode::Read }).collect(),
            O::Write(at) | O::Store(at) | O::Update(at) => cells(at, Mode::Update),
            O::CompareExchange { at, expected } => cells(at, if before == expected { Mode::Update } else { Mode::Read }),
            O::TryLock(m) => object(m, if self.owner(m).is_none() { Mode::Update } else { Mode::Read }),
            O::SemaphoreTryWait(s) => object(s, if before > 0 { Mode::Update } else { Mode::Read }),
            O::ReadLock(l) | O::TryReadLock(l) | O::ReadUnlock(l) => object(l, Mode::Read),
            // A failed attempt to write must not commute with the readers that made it fail.
            O::WriteLock(l) | O::TryWriteLock(l) | O::WriteUnlock(l) => object(l, Mode::Update),
            O::Lock(o) | O::Unlock(o) | O::SemaphoreWait(o) | O::SemaphorePost(o) | O::Arrive { barrier: o } => object(o, Mode::Update),
            O::Pass { barrier, .. } => object(barrier, Mode::Read),
            O::Wait { condition, mutex } => smallvec![update(Location::Object(mutex)), update(Location::Waiters(condition))],
            O::Reacquire { condition, mutex, alone } => {
                let mut all: Accesses =
                    smallvec![update(Location::Object(mutex)), Access { location: Location::Wake(task), mode: Mode::Read }];
                if alone && !self.woken(condition, task) {
                    all.push(update(Location::Waiters(condition)));
                }
                all
            }
            O::Park { at, expected, queue } => {
                let mut all = cells(at, Mode::Read);
                if before == expected {
                    all.push(update(Location::Waiters(queue)));
                }
                all
            }
            O::Resume { queue, alone } => {
                let mut all: Accesses = smallvec![Access { location: Location::Wake(task), mode: Mode::Read }];
                if alone && !self.woken(queue, task) {
                    all.push(update(Location::Waiters(queue)));
                }
                all
            }
            // One that finds nobody leaves everything as it is.
            O::Notify(condition) if self.waiting(condition).is_empty() => {
                smallvec![Access { location: Location::Waiters(condition), mode: Mode::Read }]
            }
            O::Notify(condition) => {
                let waiting = self.waiting(condition);
                let woken = match arm {
                    Some(arm) => waiting.get(arm as usize).map_or(&[][..], std::slice::from_ref),
                    None => waiting,
                };
                wakes(condition, woken)
            }
            O::NotifyAll(condition) => wakes(condition, self.waiting(condition)),
            O::Wake { condition, task } if self.waiting(condition).contains(&task) => wakes(condition, &[task]),
            O::Wake { condition, .. } => smallvec![Access { location: Location::Waiters(condition), mode: Mode::Read }],
            O::Join(_) | O::Yield | O::Fence | O::Begin => smallvec![],
        }
    }

    /// Changes the states of the objects of an operation that is executed.
    pub fn execute(&mut self, next: &Next, arm: u32) {
        for location in replayed(&next.operation) {
            self.apply(next, arm, location);
        }
    }

    /// Changes the state of one of the objects of an operation that is executed.
    pub(crate) fn apply(&mut self, next: &Next, arm: u32, location: Location) {
        use Operation as O;
        let (task, operation) = (next.task, &next.operation);
        match (self.state(operation, location), operation) {
            (ObjectState::Mutex(owner), O::Lock(_) | O::Reacquire { .. }) => *owner = Some(task),
            (ObjectState::Mutex(owner), O::TryLock(_)) => *owner = owner.or(Some(task)),
            (ObjectState::Mutex(owner), O::Unlock(_) | O::Wait { .. }) => *owner = None,
            (ObjectState::ReadersWriter { readers, writer }, O::ReadLock(_) | O::TryReadLock(_)) if writer.is_none() => readers.push(task),
            (ObjectState::ReadersWriter { readers, .. }, O::ReadUnlock(_)) => {
                if let Some(at) = readers.iter().position(|reader| *reader == task) {
                    readers.remove(at);
                }
            }
            (ObjectState::ReadersWriter { readers, writer }, O::WriteLock(_) | O::TryWriteLock(_)) if readers.is_empty() => {
                *writer = writer.or(Some(task));
            }
            (ObjectState::ReadersWriter { writer, .. }, O::WriteUnlock(_)) => *writer = None,
            (ObjectState::Barrier(arrived), O::Arrive { .. }) => *arrived += 1,
            (ObjectState::Condition { waiting, .. }, O::Wait { .. }) => waiting.push(task),
            (ObjectState::Condition { waiting, .. }, O::Park { expected, .. }) if next.before == *expected => waiting.push(task),
            (ObjectState::Condition { waiting, woken }, O::Reacquire { .. } | O::Resume { .. }) => {
                waiting.retain(|waiter| *waiter != task);
                woken.retain(|waiter| *waiter != task);
            }
            (ObjectState::Condition { waiting, woken }, O::Notify(_)) if (arm as usize) < waiting.len() => {
                woken.push(waiting.remove(arm as usize));
            }
            (ObjectState::Condition { waiting, woken }, O::NotifyAll(_)) => woken.append(waiting),
            (ObjectState::Condition { waiting, woken }, O::Wake { task, .. }) => {
                if let Some(at) = waiting.iter().position(|waiter| waiter == task) {
                    woken.push(waiting.remove(at));
                }
            }
            _ => {}
        }
    }
}

/// What an atomic section accesses that is still to come: perhaps anything.
pub(crate) fn anything() -> Accesses {
    smallvec![update(Location::Anything)]
}

fn update(location: Location) -> Access {
    Access { location, mode: Mode::Update }
}

fn cells(at: Cells, mode: Mode) -> Accesses {
    (0..u64::from(at.count)).map(|offset| Access { location: Location::Object(ObjectId(at.first.0 + offset)), mode }).collect()
}

fn wakes(condition: ObjectId, woken: &[Task]) -> Accesses {
    std::iter::once(Location::Waiters(condition)).chain(woken.iter().map(|task| Location::Wake(*task))).map(update).collect()
}
