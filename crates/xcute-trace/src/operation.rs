//! Visible operations of tasks, for every language.
//!
//! A visible operation is the step between two scheduling points.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::task::Task;

/// Names a shared object or a cell of memory. Given by the front end; one object has one name throughout a run, and objects that
/// exist after the same prefix of a run have the same names in every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u64);

/// Cells of memory with consecutive names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cells {
    /// The first.
    pub first: ObjectId,
    /// How many.
    pub count: u32,
}

impl Cells {
    /// A single cell.
    #[must_use]
    pub fn one(cell: ObjectId) -> Cells {
        Cells { first: cell, count: 1 }
    }
}

/// Cells of memory of any names. Each set is kept for the life of the process: a program looks at few of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Several(&'static [ObjectId]);

impl Several {
    /// The set of these cells.
    #[must_use]
    pub fn of(cells: &[ObjectId]) -> Several {
        static KEPT: Mutex<BTreeSet<&'static [ObjectId]>> = Mutex::new(BTreeSet::new());
        let mut sorted = cells.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.get(sorted.as_slice()) {
            return Several(known);
        }
        let new: &'static [ObjectId] = Box::leak(sorted.into_boxed_slice());
        kept.insert(new);
        Several(new)
    }

    /// The cells, in the order of their names.
    #[must_use]
    pub fn cells(self) -> &'static [ObjectId] {
        self.0
    }
}

/// What an awaiting task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Until {
    /// The memory has this value.
    Equal(u64),
    /// The memory has another value.
    NotEqual(u64),
}

/// What an atomic operation, or a fence, orders for the accesses around it (C11, 5.1.2.4): which happens-before edges it makes. Sequential
/// consistency adds no edges to those of acquire and release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Order {
    /// It sees what the operations released that it reads from.
    pub acquires: bool,
    /// It hands on what its task has seen and done.
    pub releases: bool,
    /// A compare-exchange that fails acquires.
    pub acquires_if_failed: bool,
}

impl Order {
    /// Acquire and release, as sequentially consistent operations do.
    pub const FULL: Order = Order { acquires: true, releases: true, acquires_if_failed: true };
    /// Nothing.
    pub const RELAXED: Order = Order { acquires: false, releases: false, acquires_if_failed: false };
}

impl Default for Order {
    fn default() -> Order {
        Order::FULL
    }
}

/// A visible operation.
///
/// Re-entrant locks: only the outermost lock and unlock are visible, and a wait releases all levels at once. Forks, ends of tasks and
/// local code are not visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A plain read.
    Read(Cells),
    /// A plain write.
    Write(Cells),
    /// An atomic load.
    Load(Cells),
    /// An atomic store.
    Store(Cells),
    /// An atomic read-modify-write that always writes.
    Update(Cells),
    /// An atomic compare-exchange; it only reads when the value is another.
    CompareExchange {
        /// Where.
        at: Cells,
        /// The value with which it succeeds.
        expected: u64,
    },
    /// An atomic load that blocks until the value is right: a loop that only waits.
    Await {
        /// Where.
        at: Cells,
        /// For what.
        until: Until,
    },
    /// Blocks while all of this memory is as the task saw it last: a loop that only waits, and looks at several places. The value before it is 1 if some
    /// of it has changed. It orders nothing: the looks that come after it do.
    AwaitAny(Several),
    /// Orders the atomic operations around it. Accesses nothing.
    Fence,
    /// First half of a wait for a word to change, as a futex does it: if the word has the expected value, the task joins the waiters of the
    /// queue; otherwise it only reads.
    Park {
        /// The word.
        at: Cells,
        /// The value that it must have.
        expected: u64,
        /// Whose waiters it joins.
        queue: ObjectId,
    },
    /// Second half: goes on once it was notified.
    Resume {
        /// The queue.
        queue: ObjectId,
        /// Whether it may also wake up by itself: spuriously, or because a time has passed.
        alone: bool,
    },
    /// Begins an atomic section: no other task runs until its end. Accesses nothing itself.
    Begin,
    /// Takes a mutex.
    Lock(ObjectId),
    /// Takes a mutex if it is free.
    TryLock(ObjectId),
    /// Releases a mutex.
    Unlock(ObjectId),
    /// Takes a permit (P).
    SemaphoreWait(ObjectId),
    /// Takes a permit if there is one.
    SemaphoreTryWait(ObjectId),
    /// Returns a permit (V).
    SemaphorePost(ObjectId),
    /// Takes a readers-writer lock for reading.
    ReadLock(ObjectId),
    /// The same if no writer has it.
    TryReadLock(ObjectId),
    /// Releases it after reading.
    ReadUnlock(ObjectId),
    /// Takes a readers-writer lock for writing.
    WriteLock(ObjectId),
    /// The same if nobody has it.
    TryWriteLock(ObjectId),
    /// Releases it after writing.
    WriteUnlock(ObjectId),
    /// First half of a wait: releases the mutex and joins the waiters of the condition.
    Wait {
        /// The condition; for a Java monitor the same name as the mutex.
        condition: ObjectId,
        /// The mutex.
        mutex: ObjectId,
    },
    /// Second half of a wait: takes the mutex again once it was notified.
    Reacquire {
        /// The condition.
        condition: ObjectId,
        /// The mutex.
        mutex: ObjectId,
        /// Whether it may also wake up by itself: spuriously, or because a time has passed.
        alone: bool,
    },
    /// Wakes one waiter: arm `k` the one that is `k`-th in the order in which they began to wait.
    Notify(ObjectId),
    /// Wakes all waiters.
    NotifyAll(ObjectId),
    /// Wakes a certain task, if it waits for the condition.
    Wake {
        /// The condition.
        condition: ObjectId,
        /// The task.
        task: Task,
    },
    /// First half of a barrier: arrives.
    Arrive {
        /// The barrier.
        barrier: ObjectId,
    },
    /// Second half of a barrier: goes on when as many as this have arrived, counted from the first use of the barrier.
    Pass {
        /// The barrier.
        barrier: ObjectId,
        /// Arrivals that end its round.
        arrivals: u64,
    },
    /// Waits for the end of a task.
    Join(Task),
    /// Lets others run. Accesses nothing.
    Yield,
}
