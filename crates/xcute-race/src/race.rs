//! Races to flip: the one rule for every primitive.
//!
//! The paper's immediate race relation (section 3.2) is defined for reads, writes and locks of runs that end well. This rule replaces it.
//! An event `j` races with a later operation of task `q` if they conflict, are not ordered without the direct edge between them,
//! and the operation is *enabled* after all events that do not depend on `j`, that is, if it can be done first. It covers
//! mutexes (the unlock is skipped, the acquire is hit), semaphores, awaits with several writers, readers-writer locks, attempts that
//! failed, and operations that never ran: those of tasks that were blocked at the end.
//!
//! **Invariant.** An event that fails the test of enabledness is passed over *without* joining its clock: an older event may still
//! be reversible. What the operation accesses is what it accesses in the flipped state: an attempt that failed may succeed there.

use crate::causality::Causality;
use crate::object::replayed;
use crate::operation::{Access, Accesses, Mode, Operation};
use crate::record::Next;
use crate::task::Task;

/// A race to flip.
#[derive(Clone, Debug)]
pub struct Race {
    /// The step of the event that was first.
    pub first: usize,
    /// The step of the operation that can be done before it; the number of steps if it was pending at the end.
    pub second: usize,
    /// Whose operation that is.
    pub task: Task,
    /// What it accesses when it is done first.
    pub accesses: Accesses,
}

/// The races of earlier events with the operation `next`, which ran at step `at` or was pending when the run ended after `at` steps.
/// The latest event first.
#[must_use]
pub fn races(causality: &Causality<'_>, at: usize, next: &Next) -> Vec<Race> {
    let ahead;
    let accesses = match causality.events().get(at) {
        Some(event) => &event.accesses,
        None => {
            ahead = causality.accesses_ahead(at, next);
            &ahead
        }
    };
    let mut found = Vec::new();
    let mut clock = causality.clock_before(at, next.task).clone();
    for first in conflicting(causality, at, accesses) {
        let event = &causality.events()[first];
        if event.task == next.task || clock.get(event.task) >= event.number {
            continue;
        }
        if let Some(accesses) = reversible(causality, first, at, next) {
            found.push(Race { first, second: at, task: next.task, accesses });
            clock.join(&event.clock);
        }
    }
    found
}

/// The events before `at` that conflict with these accesses, latest first.
fn conflicting(causality: &Causality<'_>, at: usize, accesses: &[Access]) -> Vec<usize> {
    let conflicts = |access: &Access| {
        let update = access.mode == Mode::Update;
        causality.accesses_before(at, access.location).filter(move |(_, mode)| update || *mode == Mode::Update).map(|(event, _)| event)
    };
    let mut all: Vec<usize> = accesses.iter().flat_map(conflicts).collect();
    if accesses.len() > 1 {
        all.sort_unstable_by(|a, b| b.cmp(a));
        all.dedup();
    }
    all
}

/// The accesses of `next` in the state after the events before `first` and those up to `at` that do not depend on it; `None` if it is not
/// enabled there.
fn reversible(causality: &Causality<'_>, first: usize, at: usize, next: &Next) -> Option<Accesses> {
    let steps = &causality.record().steps;
    let mut objects = causality.objects_at(first, &next.operation);
    for location in replayed(&next.operation) {
        let history = causality.history(location);
        let from = history.partition_point(|(position, _)| *position <= first);
        for &(position, _) in history[from..].iter().take_while(|(position, _)| *position < at) {
            if !causality.precedes(first, position) {
                objects.apply(steps[position].task(), &steps[position].next().operation, steps[position].arm, location);
            }
        }
    }
    let before = value_before(steps[first].next(), next);
    let enabled = before.is_none_or(|before| objects.enabled(next.task, &next.operation, before));
    enabled.then(|| objects.accesses(next, before.unwrap_or(next.before), None))
}

/// The value that `next` finds when it is done before `first`, which conflicts with it; `None` if `first` accessed other cells too, or
/// fewer, and its value says nothing.
fn value_before(first: &Next, next: &Next) -> Option<u64> {
    match (cells(&first.operation), cells(&next.operation)) {
        (Some(a), Some(b)) if a != b => None,
        _ => Some(first.before),
    }
}

fn cells(operation: &Operation) -> Option<crate::operation::Cells> {
    use Operation as O;
    match *operation {
        O::Read(at) | O::Write(at) | O::Load(at) | O::Store(at) | O::Update(at) => Some(at),
        O::CompareExchange { at, .. } | O::Await { at, .. } => Some(at),
        _ => None,
    }
}
