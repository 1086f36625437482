//! The reporting clock: what synchronisation orders (after FastTrack, Flanagan & Freund 2009).
//!
//! It moves at forks and joins, from a release to the next acquire of the same lock, semaphore or barrier, from a notify to the task it
//! woke, from one atomic section to the next, and through atomics as their orders say: from a release to an acquire that reads what it, or its
//! [release sequence](crate::release_sequence), wrote. Fences take part as in C11 7.17.4: what a task stores after a releasing one hands on what it
//! knew there, and an acquiring one knows what the loads before it have seen. Plain accesses never move it, nor does waiting for a word to change.
//!
//! **Invariant.** The clock of a task is ticked after every release, so an access is known to another task iff a release after it is.

use rustc_hash::FxHashMap;

use crate::causality::Causality;
use crate::clock::VectorClock;
use crate::held::{acquired, released};
use crate::operation::{Access, Location, Mode, ObjectId, Operation, Order};
use crate::record::Next;
use crate::release_sequence::ReleaseSequences;
use crate::task::Task;

/// The reporting clocks of a run, at one moment of it.
#[derive(Debug, Default)]
pub(crate) struct Synchronised {
    tasks: Vec<VectorClock>,
    /// What was released into an object.
    released: FxHashMap<Location, VectorClock>,
    /// What readers released into a readers-writer lock: only writers acquire it.
    read: FxHashMap<ObjectId, VectorClock>,
    /// Of atomic memory.
    sequences: FxHashMap<Location, ReleaseSequences>,
    /// By task: what it knew at its last releasing fence.
    fenced: Vec<Option<VectorClock>>,
    /// By task: what its relaxed loads have seen, for an acquiring fence.
    loaded: Vec<VectorClock>,
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
                self.atomic(step.next(), &event.accesses)
            }
            O::Fence => self.fence(task, step.next().order),
            // The value is no longer an atomic store's.
            O::Write(_) if !self.sequences.is_empty() => {
                for access in &event.accesses {
                    self.sequences.remove(&access.location);
                }
            }
            O::SemaphoreWait(s) => self.acquire(task, Location::Object(s)),
            O::SemaphoreTryWait(s) if step.next().before > 0 => self.acquire(task, Location::Object(s)),
            O::SemaphorePost(s) | O::Arrive { barrier: s } => self.release(task, Location::Object(s)),
            O::Pass { barrier, .. } => self.acquire(task, Location::Object(barrier)),
            O::Notify(_) | O::NotifyAll(_) | O::Wake { .. } => {
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
        if step.next().section {
            self.acquire(task, Location::Anything);
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
        let goes_on = causality.record().steps.get(at + 1).is_some_and(|next| next.glued);
        if causality.record().steps[event.head].next().section && !goes_on {
            self.release(task, Location::Anything);
        }
    }

    fn atomic(&mut self, next: &Next, accesses: &[Access]) {
        let (task, order) = (next.task, next.order);
        let writes = accesses.iter().any(|access| access.mode == Mode::Update);
        let acquires =
            if matches!(next.operation, Operation::CompareExchange { .. }) && !writes { order.acquires_if_failed } else { order.acquires };
        if !matches!(next.operation, Operation::Store(_)) {
            let mut seen = VectorClock::default();
            for access in accesses {
                self.sequences.get(&access.location).into_iter().for_each(|sequences| sequences.seen_by(&mut seen));
            }
            if acquires {
                self.clock(task).join(&seen);
            } else {
                at(&mut self.loaded, task).join(&seen);
            }
        }
        if !writes {
            return;
        }
        let released = if order.releases { Some(self.clock(task).clone()) } else { at(&mut self.fenced, task).clone() };
        for access in accesses {
            let sequences = self.sequences.entry(access.location).or_default();
            if matches!(next.operation, Operation::Store(_)) {
                sequences.store(task, released.as_ref());
            } else {
                sequences.update(task, released.as_ref());
            }
        }
        if order.releases {
            self.clock(task).tick(task);
        }
    }

    fn fence(&mut self, task: Task, order: Order) {
        if order.acquires {
            let seen = at(&mut self.loaded, task).clone();
            self.clock(task).join(&seen);
        }
        if order.releases {
            let own = self.clock(task).clone();
            *at(&mut self.fenced, task) = Some(own);
            self.clock(task).tick(task);
        }
    }
}

/// The entry of a task.
fn at<T: Default>(all: &mut Vec<T>, task: Task) -> &mut T {
    if all.len() <= task.index() {
        all.resize_with(task.index() + 1, T::default);
    }
    &mut all[task.index()]
}
