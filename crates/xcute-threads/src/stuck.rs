//! Threads that wait for ever, as a failure: which waits for what, which has it, and where.
//!
//! **Invariant.** The place of a failure is the first in the order of files and lines, whatever thread came there first: the same
//! deadlock is the same failure in every run.

use xcute_race::{Blocked, Causality, Deadlock, Shape, deadlock};
use xcute_trace::{Failure, FailureKind, Frame, Note, Operation, Record, Task};

use crate::interleaving::Picture;
use crate::narrator::Narrator;
use crate::operations::takes;
use crate::race::taken;
use crate::source::At;

/// The failure of a run in which no thread could go on.
pub fn stuck(narrator: &mut Narrator<'_>) -> Failure {
    let record = narrator.record;
    let causality = Causality::new(record);
    let found = deadlock(&causality);
    let blocked = found.as_ref().map_or(&[][..], |deadlock| &deadlock.blocked);
    let (kind, message, missed) = describe(narrator, found.as_ref());
    let in_cycle = |task: Task| match found.as_ref().map(|found| &found.shape) {
        Some(Shape::Cycle(tasks)) => tasks.contains(&task),
        _ => !matches!(blocked.iter().find(|one| one.task == task).map(|one| one.operation), Some(Operation::Join(_))),
    };
    let steps = record.steps.len();
    let mut waits: Vec<(bool, Frame, Note)> = Vec::new();
    let mut locks = Vec::new();
    for (at, next) in record.pending.iter().enumerate() {
        let place = narrator.place(At::Pending(at));
        let what = format!("thread {}", waits_for(narrator, at));
        waits.push((!in_cycle(next.task), place.clone(), Note { what, at: place }));
        let wanted = blocked.iter().filter(|one| one.holders.contains(&next.task)).filter_map(|one| takes(&one.operation));
        for (lock, _) in wanted {
            locks.extend(taken(narrator, next.task, lock, steps));
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
    if let Some(step) = missed.filter(|step| *step < steps) {
        notes.push(Note { what: "a signal that nobody waited for".into(), at: narrator.place(At::Step(step)) });
    }
    let marked: Vec<usize> = missed.into_iter().chain(acquisitions(record, blocked)).collect();
    let interleaving = Picture { marked: &marked, stuck: true, ..Picture::all(narrator) }.rows(narrator);
    Failure { kind, message, stack, notes, interleaving, values: Vec::new() }
}

/// The kind, one line, and the signal that came too early.
fn describe(narrator: &mut Narrator<'_>, found: Option<&Deadlock>) -> (FailureKind, String, Option<usize>) {
    let Some(deadlock) = found else { return (FailureKind::Livelock, everybody(narrator), None) };
    let spins = deadlock.blocked.iter().any(|one| matches!(one.operation, Operation::Await { .. } | Operation::AwaitAny(_)));
    match &deadlock.shape {
        Shape::Cycle(tasks) => (FailureKind::Deadlock, cycle(narrator, tasks, &deadlock.blocked), None),
        Shape::NestedMonitor { waiter, keeps, blocked } => {
            let others: Vec<String> = blocked.iter().map(|task| narrator.task(*task)).collect();
            let lock = narrator.any(*keeps, "lock");
            let waits = waits(narrator, *waiter);
            (FailureKind::Deadlock, format!("thread {waits} and keeps {lock}, which {} needs", others.join(" and ")), None)
        }
        Shape::LostWakeup { .. } | Shape::Stuck if spins => (FailureKind::Livelock, everybody(narrator), None),
        Shape::LostWakeup { missed } => {
            (FailureKind::LostWakeup, format!("{}, and nobody is left to give it", everybody(narrator)), *missed)
        }
        Shape::Stuck => (FailureKind::Deadlock, everybody(narrator), None),
    }
}

/// "thread 1.1 waits for `a`, which 1.2 has; 1.2 waits for `b`, which 1.1 has".
fn cycle(narrator: &mut Narrator<'_>, tasks: &[Task], blocked: &[Blocked]) -> String {
    let mut parts = Vec::new();
    for (at, task) in tasks.iter().enumerate() {
        let next = tasks[(at + 1) % tasks.len()];
        let joins = blocked.iter().any(|one| one.task == *task && matches!(one.operation, Operation::Join(_)));
        let waits = waits(narrator, *task);
        let holder = if next == *task { "it".into() } else { narrator.task(next) };
        parts.push(if joins { waits } else { format!("{waits}, which {holder} has") });
    }
    format!("thread {}", parts.join("; "))
}

/// What all that are left wait for; those that only wait for the end of others are left out.
fn everybody(narrator: &mut Narrator<'_>) -> String {
    let pending = &narrator.record.pending;
    let joins = |at: usize| matches!(pending[at].operation, Operation::Join(_));
    let all = (0..pending.len()).all(joins);
    let each: Vec<String> = (0..pending.len()).filter(|at| all || !joins(*at)).map(|at| waits_for(narrator, at)).collect();
    format!("thread {}", each.join("; "))
}

/// "1.1 waits for `a`", of a task.
fn waits(narrator: &mut Narrator<'_>, task: Task) -> String {
    match narrator.record.pending.iter().position(|next| next.task == task) {
        Some(at) => waits_for(narrator, at),
        None => format!("{} waits for something", narrator.task(task)),
    }
}

/// "1.1 waits for `a`", of a position among what is pending.
fn waits_for(narrator: &mut Narrator<'_>, pending: usize) -> String {
    let awaited = narrator.awaited(pending);
    format!("{} waits for {awaited}", narrator.task(narrator.record.pending[pending].task))
}

/// The steps at which the locks were taken that somebody waits for.
fn acquisitions<'a>(record: &'a Record, blocked: &'a [Blocked]) -> impl Iterator<Item = usize> + 'a {
    blocked.iter().filter_map(|one| {
        let (lock, _) = takes(&one.operation)?;
        (0..record.steps.len()).rev().find(|step| {
            let next = record.steps[*step].next();
            one.holders.contains(&next.task) && takes(&next.operation).is_some_and(|(taken, _)| taken == lock)
        })
    })
}
