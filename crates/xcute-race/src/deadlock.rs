//! Deadlocks: what the tasks that are blocked at the end of a run wait for.
//!
//! Three shapes have names. A *cycle*: each task waits for a lock (or the end of a task) that the next one has. A *nested monitor*: a task
//! waits to be notified and keeps a lock that others need, perhaps those that would notify it. A *lost wakeup*: nobody is left who could
//! give the signal; often the signal came before the wait began.
//!
//! **Invariant.** Only tasks that no task could free are named: a task that waits for one that can run is not deadlocked.

use crate::causality::Causality;
use crate::object::Objects;
use crate::operation::{ObjectId, Operation};
use crate::record::{End, Next};
use crate::task::Task;

/// The shape of a deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Each waits for the next, the last for the first.
    Cycle(Vec<Task>),
    /// A task waits for a signal and keeps locks that others wait for.
    NestedMonitor {
        /// Who waits for a signal.
        waiter: Task,
        /// A lock it keeps.
        keeps: ObjectId,
        /// Who needs that lock.
        blocked: Vec<Task>,
    },
    /// Everybody who is left waits for a signal, or for the end of one who does.
    LostWakeup {
        /// The step of the last notify that woke nobody, of a condition somebody waits for.
        missed: Option<usize>,
    },
    /// Something else.
    Stuck,
}

/// A task that is blocked for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blocked {
    /// The task.
    pub task: Task,
    /// What it cannot do.
    pub operation: Operation,
    /// Who has what it needs.
    pub holders: Vec<Task>,
}

/// A deadlock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deadlock {
    /// Its shape.
    pub shape: Shape,
    /// Who is blocked.
    pub blocked: Vec<Blocked>,
}

/// The deadlock in which a run ended, if it did. A run that was cut may still hold a cycle.
#[must_use]
pub fn deadlock(causality: &Causality<'_>) -> Option<Deadlock> {
    let record = causality.record();
    let waits = |next: &&Next| waits(causality.end(), next, &record.pending);
    let blocked: Vec<Blocked> = record.pending.iter().filter(waits).map(|next| blocked(causality.end(), next)).collect();
    let shape = match cycle(&blocked) {
        Some(cycle) => Shape::Cycle(cycle),
        None if record.end != End::Finished || blocked.is_empty() => return None,
        None => nested_monitor(causality.end(), &blocked).unwrap_or_else(|| {
            let joins = |one: &Blocked| matches!(one.operation, Operation::Join(_));
            let mut others = blocked.iter().filter(|one| !joins(one)).peekable();
            let signals = others.peek().is_some() && others.all(|one| needs_signal(causality.end(), one));
            if signals { Shape::LostWakeup { missed: missed(causality, &blocked) } } else { Shape::Stuck }
        }),
    };
    Some(Deadlock { shape, blocked })
}

fn waits(objects: &Objects, next: &Next, pending: &[Next]) -> bool {
    match next.operation {
        Operation::Join(task) => pending.iter().any(|other| other.task == task),
        _ => !objects.enabled(next.task, &next.operation, next.before),
    }
}

fn blocked(objects: &Objects, next: &Next) -> Blocked {
    use Operation as O;
    let owner = |object: ObjectId| objects.owner(object).into_iter().collect::<Vec<Task>>();
    let holders = match next.operation {
        O::Lock(m) | O::ReadLock(m) | O::Reacquire { mutex: m, .. } => owner(m),
        O::WriteLock(l) => owner(l).into_iter().chain(objects.readers(l).iter().copied()).collect(),
        O::Join(task) => vec![task],
        _ => Vec::new(),
    };
    Blocked { task: next.task, operation: next.operation, holders }
}

/// Whether only a signal could free it, or would be needed too.
fn needs_signal(objects: &Objects, one: &Blocked) -> bool {
    use Operation as O;
    match one.operation {
        O::Await { .. } | O::AwaitAny(_) | O::SemaphoreWait(_) | O::Pass { .. } => true,
        O::Reacquire { condition, alone, .. } => !alone && objects.waiting(condition).contains(&one.task),
        O::Resume { alone, .. } => !alone,
        _ => false,
    }
}

/// A cycle of tasks each of which waits for the next, from its first task on.
fn cycle(blocked: &[Blocked]) -> Option<Vec<Task>> {
    fn walk(blocked: &[Blocked], at: usize, path: &mut Vec<Task>, done: &mut [bool]) -> Option<Vec<Task>> {
        let one = &blocked[at];
        if let Some(start) = path.iter().position(|task| *task == one.task) {
            return Some(path[start..].to_vec());
        }
        if std::mem::replace(&mut done[at], true) {
            return None;
        }
        path.push(one.task);
        for holder in &one.holders {
            if let Some(next) = blocked.iter().position(|other| other.task == *holder)
                && let Some(found) = walk(blocked, next, path, done)
            {
                return Some(found);
            }
        }
        path.pop();
        None
    }
    let mut done = vec![false; blocked.len()];
    (0..blocked.len()).find_map(|at| walk(blocked, at, &mut Vec::new(), &mut done))
}

fn nested_monitor(objects: &Objects, blocked: &[Blocked]) -> Option<Shape> {
    let keeps = |waiter: &Blocked| {
        let needed = |other: &Blocked| match other.operation {
            Operation::Join(_) => None,
            operation => lock_of(&operation).filter(|_| other.holders.contains(&waiter.task)),
        };
        let keeps = blocked.iter().find_map(needed)?;
        let blocked = blocked.iter().filter(|other| needed(other) == Some(keeps)).map(|other| other.task).collect();
        Some(Shape::NestedMonitor { waiter: waiter.task, keeps, blocked })
    };
    blocked.iter().filter(|one| needs_signal(objects, one)).find_map(keeps)
}

fn lock_of(operation: &Operation) -> Option<ObjectId> {
    use Operation as O;
    match *operation {
        O::Lock(m) | O::ReadLock(m) | O::WriteLock(m) | O::Reacquire { mutex: m, .. } => Some(m),
        _ => None,
    }
}

/// The last notify of a condition somebody waits for that found nobody.
fn missed(causality: &Causality<'_>, blocked: &[Blocked]) -> Option<usize> {
    let waited = |condition: ObjectId| {
        let waits = |operation: Operation| match operation {
            Operation::Reacquire { condition: other, .. } | Operation::Resume { queue: other, .. } => other == condition,
            _ => false,
        };
        blocked.iter().any(|one| waits(one.operation))
    };
    let idle = |at: &usize| match causality.record().steps[*at].next().operation {
        // It accessed the waiters, and no task.
        Operation::Notify(condition) | Operation::NotifyAll(condition) => waited(condition) && causality.events()[*at].accesses.len() == 1,
        _ => false,
    };
    (0..causality.events().len()).rev().find(idle)
}
