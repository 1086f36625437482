//! Races to flip: the one rule for every primitive.
//!
//! The immediate race relation [sen-marinov-agha-2006 §3.2] is defined for reads, writes and locks of runs that end well. This rule replaces it.
//! An event `j` races with a later operation of task `q` if they conflict, are not ordered without the direct edge between them,
//! and the operation is *enabled* after all events that do not depend on `j`, that is, if it can be done first. It covers
//! mutexes (the unlock is skipped, the acquire is hit), semaphores, awaits with several writers, readers-writer locks, attempts that
//! failed, and operations that never ran: those of tasks that were blocked at the end.
//!
//! An atomic section is one event in several steps. It is flipped as a whole, before its first step; what it accesses when it is done first
//! is not known, for it may read other values then and take another way.
//!
//! **Invariant.** An event that fails the test of enabledness is passed over *without* joining its clock: an older event may still
//! be reversible. What the operation accesses is what it accesses in the flipped state: an attempt that failed may succeed there.

use smallvec::SmallVec;

use crate::causality::Causality;
use crate::object::{anything, replayed};
use crate::operation::{Access, Accesses, Mode, Operation};
use crate::record::Next;
use crate::task::Task;

/// A race to flip.
#[derive(Clone, Debug)]
pub struct Race {
    /// The step of the event that was first; of a section, the step that began it.
    pub first: usize,
    /// The step of the operation that can be done before it, or that began its section; the number of steps if it was pending at the end.
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
    let pending;
    let (second, accesses) = match causality.events().get(at) {
        Some(event) => (event.head, &event.accesses),
        None => {
            pending = causality.objects_at(at, &next.operation).accesses(next, next.before, None);
            (at, &pending)
        }
    };
    let mut found = Vec::new();
    let mut clock = causality.clock_before(second, next.task).clone();
    let mut past = Past::new(causality, second, accesses);
    while let Some(first) = past.latest() {
        let event = &causality.events()[first];
        if clock.get(event.task) >= event.number {
            past.leave(first, true);
            continue;
        }
        if let Some((accesses, certain)) = reversible(causality, first, at, next) {
            found.push(Race { first: event.head, second, task: next.task, accesses });
            if certain {
                clock.join(&event.clock);
            }
        }
        past.leave(first, false);
    }
    found
}

/// The events that conflict with an operation, latest first.
///
/// An update is ordered after all earlier accesses to its location. So when an update is known to the operation, all that came before
/// it at that location are known as well, and it is not looked any further.
struct Past<'c>(SmallVec<[Accessed<'c>; 2]>);

/// The accesses to one location that are still to be looked at, and whether reads among them count.
struct Accessed<'c> {
    accesses: &'c [(usize, Mode)],
    reads: bool,
}

impl<'c> Past<'c> {
    fn new(causality: &'c Causality<'_>, at: usize, accesses: &[Access]) -> Past<'c> {
        let accessed = |access: &Access| {
            Accessed { accesses: causality.accesses_before(at, access.location), reads: access.mode == Mode::Update }.skip_reads()
        };
        Past(accesses.iter().map(accessed).collect())
    }

    fn latest(&self) -> Option<usize> {
        self.0.iter().filter_map(|one| one.accesses.last()).map(|(event, _)| *event).max()
    }

    /// Goes on to what came before an event; `known` if the event is.
    fn leave(&mut self, event: usize, known: bool) {
        for one in &mut self.0 {
            if let Some((&(at, mode), earlier)) = one.accesses.split_last()
                && at == event
            {
                let accesses = if known && mode == Mode::Update { &[] } else { earlier };
                *one = Accessed { accesses, reads: one.reads }.skip_reads();
            }
        }
    }
}

impl Accessed<'_> {
    fn skip_reads(mut self) -> Self {
        while let (false, Some(((_, Mode::Read), earlier))) = (self.reads, self.accesses.split_last()) {
            self.accesses = earlier;
        }
        self
    }
}

/// The accesses of `next` in the state after the events before `first` and those up to `at` that do not depend on it; `None` if it is not
/// enabled there. With it, whether that is certain.
fn reversible(causality: &Causality<'_>, first: usize, at: usize, next: &Next) -> Option<(Accesses, bool)> {
    let steps = &causality.record().steps;
    let in_section = steps.get(at).is_some_and(|step| step.glued);
    if in_section {
        return Some((anything(), false));
    }
    let alone = causality.is_alone(first);
    let first = causality.events()[first].head;
    let mut objects = causality.objects_at(first, &next.operation);
    for location in replayed(&next.operation) {
        let history = causality.history(location);
        let from = history.partition_point(|(position, _)| *position <= first);
        for &(position, _) in history[from..].iter().take_while(|(position, _)| *position < at) {
            if !causality.precedes(first, position) {
                objects.apply(steps[position].next(), steps[position].arm, location);
            }
        }
    }
    let accesses = |before: u64| if next.section { anything() } else { objects.accesses(next, before, None) };
    let Some(before) = value_before(steps[first].next(), next, alone) else { return Some((accesses(most(next)), false)) };
    let enabled = objects.enabled(next.task, &next.operation, before);
    enabled.then(|| (accesses(before), true))
}

/// The value with which an operation accesses most, where nobody knows which one it finds.
fn most(next: &Next) -> u64 {
    match next.operation {
        Operation::CompareExchange { expected, .. } | Operation::Park { expected, .. } => expected,
        Operation::SemaphoreWait(_) | Operation::SemaphoreTryWait(_) => 1,
        _ => next.before,
    }
}

/// The value that `next` finds when it is done before `first`, which conflicts with it. `None` if `next` depends on the value, and `first`
/// accessed other cells too, or fewer, or is not all of its section (not `alone`): its value says nothing then.
fn value_before(first: &Next, next: &Next, alone: bool) -> Option<u64> {
    use Operation as O;
    let memory = |operation: Operation| match operation {
        O::Read(at) | O::Write(at) | O::Load(at) | O::Store(at) | O::Update(at) => Some(at),
        O::CompareExchange { at, .. } | O::Await { at, .. } | O::Park { at, .. } => Some(at),
        _ => None,
    };
    let own = match next.operation {
        O::CompareExchange { at, .. } | O::Await { at, .. } => at,
        // Who only changes the waiters of its queue leaves the word as it is.
        O::Park { .. } if alone && memory(first.operation).is_none() => return Some(next.before),
        O::Park { at, .. } => at,
        // Whether another of its places has changed by then, nobody knows.
        O::AwaitAny(_) => return None,
        O::SemaphoreWait(_) | O::SemaphoreTryWait(_) if !alone => return None,
        _ => return Some(first.before),
    };
    memory(first.operation).filter(|other| alone && own == *other).map(|_| first.before)
}
