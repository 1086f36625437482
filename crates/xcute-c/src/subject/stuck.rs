//! Threads that wait for ever, as a failure: who waits for what, who has it, and where.
//!
//! **Invariant.** The place of a failure is the first in the order of files and lines, whatever thread came there first: the same
//! deadlock is the same failure in every run.

use xcute_race::{Blocked, Causality, Deadlock, ObjectId, Operation, Shape, deadlock};
use xcute_trace::{Failure, FailureKind, Frame, Note, Record, Task};

use super::interleaving::Shown;
use super::race::taken;
use super::steps::address;
use super::telling::Teller;

/// The failure of a run in which no thread could go on.
pub(super) fn failure(teller: &mut Teller<'_>, record: &Record) -> Failure {
    let causality = Causality::new(record);
    let found = deadlock(&causality);
    let blocked = found.as_ref().map_or(&[][..], |deadlock| &deadlock.blocked);
    let (kind, message, missed) = told(teller, found.as_ref());
    let in_cycle = |task: Task| match found.as_ref().map(|found| &found.shape) {
        Some(Shape::Cycle(tasks)) => tasks.contains(&task),
        _ => !matches!(blocked.iter().find(|one| one.task == task).map(|one| one.operation), Some(Operation::Join(_))),
    };
    let steps = record.steps.len();
    let mut waits: Vec<(bool, Frame, Note)> = Vec::new();
    let mut locks = Vec::new();
    for (at, next) in record.pending.iter().enumerate() {
        let place = teller.standing(at);
        let happening = teller.waiting(at, true);
        let what = happening.map_or_else(String::new, |waits| format!("thread {} {}", waits.task, waits.what));
        waits.push((!in_cycle(next.task), place.clone(), Note { what, at: place }));
        for lock in blocked.iter().filter(|one| one.holders.contains(&next.task)).filter_map(|one| lock_of(&one.operation)) {
            locks.extend(taken(teller, next.task.0, address(lock), steps));
        }
    }
    waits.sort_by(|(a, x, _), (b, y, _)| (a, &x.file, x.line).cmp(&(b, &y.file, y.line)));
    let stack: Vec<Frame> = waits.first().map(|(_, place, _)| place.clone()).into_iter().filter(|place| place.line != 0).collect();
    let mut notes: Vec<Note> = waits.into_iter().map(|(_, _, note)| note).collect();
    for lock in locks {
        if !notes.contains(&lock) {
            notes.push(lock);
        }
    }
    if let Some(step) = missed {
        let row = teller.recorded.steps.get(step).copied();
        notes.extend(row.map(|row| Note { what: "a signal that nobody waited for".into(), at: teller.place(&row) }));
    }
    let marked: Vec<usize> = missed.into_iter().chain(acquisitions(record, blocked)).collect();
    let interleaving = Shown { marked: &marked, stuck: true, ..Shown::all(teller) }.tell(teller);
    Failure { kind, message, stack, notes, interleaving }
}

/// The kind, one line, and the signal that came too early.
fn told(teller: &mut Teller<'_>, found: Option<&Deadlock>) -> (FailureKind, String, Option<usize>) {
    let Some(deadlock) = found else { return (FailureKind::Livelock, everybody(teller), None) };
    let spins = deadlock.blocked.iter().any(|one| matches!(one.operation, Operation::Await { .. }));
    match &deadlock.shape {
        Shape::Cycle(tasks) => (FailureKind::Deadlock, cycle(teller, tasks, &deadlock.blocked), None),
        Shape::NestedMonitor { waiter, keeps, blocked } => {
            let others: Vec<String> = blocked.iter().map(|task| teller.task(task.0)).collect();
            let lock = teller.object(address(*keeps), "lock");
            let waits = waits(teller, *waiter);
            (FailureKind::Deadlock, format!("thread {waits} and keeps {lock}, which {} needs", others.join(" and ")), None)
        }
        Shape::LostWakeup { .. } | Shape::Stuck if spins => (FailureKind::Livelock, everybody(teller), None),
        Shape::LostWakeup { missed } => (FailureKind::LostWakeup, format!("{}, and nobody is left to give it", everybody(teller)), *missed),
        Shape::Stuck => (FailureKind::Deadlock, everybody(teller), None),
    }
}

/// "thread 1.1 waits for `a`, which 1.2 has; 1.2 waits for `b`, which 1.1 has".
fn cycle(teller: &mut Teller<'_>, tasks: &[Task], blocked: &[Blocked]) -> String {
    let mut parts = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let (next, joins) =
            (tasks[(at + 1) % tasks.len()], blocked.iter().any(|one| one.task == *task && matches!(one.operation, Operation::Join(_))));
        let waits = waits(teller, *task);
        parts.push(if joins {
            waits
        } else {
            format!("{waits}, which {} has", if next == *task { "it".into() } else { teller.task(next.0) })
        });
    }
    format!("thread {}", parts.join("; "))
}

/// What all who are left wait for; who only waits for the end of others is not told.
fn everybody(teller: &mut Teller<'_>) -> String {
    let pending = teller.recorded.pending;
    let joins = |at: usize| pending[at].op == crate::wire::operation::JOIN;
    let all = pending.iter().all(|next| next.op == crate::wire::operation::JOIN);
    let told: Vec<String> = (0..pending.len()).filter(|at| all || !joins(*at)).map(|at| waits(teller, Task(pending[at].task))).collect();
    format!("thread {}", told.join("; "))
}

/// "1.1 waits for `a`".
fn waits(teller: &mut Teller<'_>, task: Task) -> String {
    let next = teller.recorded.pending.iter().find(|next| next.task == task.0).copied();
    let awaited = next.map_or_else(|| "something".into(), |next| teller.awaited(&next));
    format!("{} waits for {awaited}", teller.task(task.0))
}

fn lock_of(operation: &Operation) -> Option<ObjectId> {
    use Operation as O;
    match *operation {
        O::Lock(m) | O::ReadLock(m) | O::WriteLock(m) | O::Reacquire { mutex: m, .. } => Some(m),
        _ => None,
    }
}

/// The steps at which the locks were taken that somebody waits for.
fn acquisitions<'a>(record: &'a Record, blocked: &'a [Blocked]) -> impl Iterator<Item = usize> + 'a {
    blocked.iter().filter_map(|one| {
        let lock = lock_of(&one.operation)?;
        (0..record.steps.len()).rev().find(|step| {
            let next = record.steps[*step].next();
            one.holders.contains(&next.task) && lock_of(&next.operation) == Some(lock)
        })
    })
}
