//! The reporting clock: what synchronisation orders (after FastTrack, Flanagan & Freund 2009).
//!
//! It moves at forks and joins, from a release to the next acquire of the same lock, semaphore or barrier, from a notify to the task it
//! woke, and through atomics, which are sequentially consistent. Plain accesses never move it.
//!
//! **Invariant.** The clock of a task is ticked after every release, so an access is known to another task iff a release after it is.

use rustc_hash::FxHashMap;

use crate::causality::Causality;
use crate::clock::VectorClock;
use crate::held::{acquired, released};
use crate::operation::{Location, Mode, ObjectId, Operation};
use crate::task::Task;

/// The reporting clocks of a run, at one moment of it.
#[derive(Debug, Default)]
pub(crate) struct Synchronised {
    tasks: Vec<VectorClock>,
    /// What was released into an object.
    released: FxHashMap<Location, VectorClock>,
    /// What readers released into a readers-writer lock: only writers acquire it.
    read: FxHashMap<ObjectId, VectorClock>,
}

impl Synchronised {
    /// The clock of a task.
    pub(crate) fn clock(&mut self, task: Task) -> &mut VectorClock {
        while self.tasks.len() <= task.index() {
            let mut clock = VectorClock::default();
            clock.tick(Task(self.tasks.len() as u32));
            self.tasks.push(clock);
        }
        &mut self.tasks[task.index()]
    }

    fn acquire(&mut self, task: Task, from: Location) {
        if let Some(other) = self.released.get(&from).cloned() {
            self.clock(task).join(&other);
        }
    }

    fn release(&mut self, task: Task, into: Location) {
        let own = self.clock(task).clone();
        self.released.entry(into).or_default().join(&own);
        self.clock(task).tick(task);
    }

    /// Goes on by one step.
    pub(crate) fn step(&mut self, causality: &Causality<'_>, at: usize) {
        use Operation as O;
        let (step, event) = (&causality.record().steps[at], &causality.events()[at]);
        let (task, operation) = (event.task, &step.next().operation);
        match *operation {
            O::ReadUnlock(l) => {
                let own = self.clock(task).clone();
                self.read.entry(l).or_default().join(&own);
                self.clock(task).tick(task);
            }
            O::Load(_) | O::Store(_) | O::Update(_) | O::CompareExchange { .. } | O::Await { .. } => {
                for access in &event.accesses {
                    self.acquire(task, access.location);
                }
                for access in event.accesses.iter().filter(|access| access.mode == Mode::Update) {
                    self.release(task, access.location);
                }
            }
            O::SemaphoreWait(s) => self.acquire(task, Location::Object(s)),
            O::SemaphoreTryWait(s) if step.next().before > 0 => self.acquire(task, Location::Object(s)),
            O::SemaphorePost(s) | O::Arrive { barrier: s } => self.release(task, Location::Object(s)),
            O::Pass { barrier, .. } => self.acquire(task, Location::Object(barrier)),
            O::Notify(_) | O::NotifyAll(_) => {
                for access in event.accesses.iter().filter(|access| matches!(access.location, Location::Wake(_))) {
                    self.release(task, access.location);
                }
            }
            O::Join(child) => {
                let other = self.clock(child).clone();
                self.clock(task).join(&other);
            }
            _ => {}
        }
        if let O::Reacquire { .. } = operation {
            self.acquire(task, Location::Wake(task));
        }
        if let Some(lock) = acquired(causality, at) {
            self.acquire(task, Location::Object(lock));
            if let (O::WriteLock(_) | O::TryWriteLock(_), Some(readers)) = (operation, self.read.get(&lock).cloned()) {
                self.clock(task).join(&readers);
            }
        }
        if let (Some(lock), false) = (released(operation), matches!(operation, O::ReadUnlock(_))) {
            self.release(task, Location::Object(lock));
        }
        for &(parent, child) in &step.forked {
            let own = self.clock(parent).clone();
            self.clock(child).join(&own);
            self.clock(parent).tick(parent);
        }
    }
}
