//! A data race as a failure: both accesses, where they are, and which locks were held.

use xcute_trace::{Failure, FailureKind, Frame, Note, ObjectId};

use super::interleaving;
use super::steps::address;
use super::telling::Teller;
use crate::wire::{XcNext, operation as op};

/// The data race between two steps; `held` are the locks at the first and at the second. `None` if they access no memory in common.
pub(super) fn failure(teller: &mut Teller<'_>, first: usize, second: usize, held: [&[ObjectId]; 2]) -> Option<Failure> {
    let (a, b) = (*teller.executed(first)?, *teller.executed(second)?);
    let end = |next: &XcNext| next.object.saturating_add(u64::from(next.bytes));
    let at = a.object.max(b.object);
    if at >= end(&a).min(end(&b)) {
        return None;
    }
    let did = |next: &XcNext| match next.op {
        op::READ | op::LOAD => "read",
        _ if next.flags & op::DESTROYS != 0 => "freed",
        _ => "written",
    };
    let object = teller.object(at, "memory");
    let (who, whom) = (teller.task(a.task), teller.task(b.task));
    let message = match (did(&a), did(&b)) {
        (one, other) if one == other => format!("{object} is {one} by threads {who} and {whom}, and nothing orders them"),
        (one, other) => format!("{object} is {one} by thread {who} and {other} by {whom}, and nothing orders them"),
    };
    let rows = [teller.recorded.steps[first], teller.recorded.steps[second]];
    let stack = teller.stack(&rows[1]);
    let mut notes = vec![Note { what: "other access".into(), at: teller.place(&rows[0]) }];
    notes.extend(teller.stack(&rows[0]).into_iter().skip(1).map(|at| Note { what: "called".into(), at }));
    if held.iter().all(|locks| locks.is_empty()) {
        let nowhere = Frame { function: String::new(), file: String::new(), line: 0, ..Frame::default() };
        notes.push(Note { what: "no lock is held at either".into(), at: nowhere });
    }
    for ((task, step), locks) in [(a.task, first), (b.task, second)].into_iter().zip(held) {
        for lock in locks {
            notes.extend(taken(teller, task, address(*lock), step));
        }
    }
    let interleaving = interleaving::of(teller, &[first, second], false);
    Some(Failure { kind: FailureKind::DataRace, message, stack, notes, interleaving })
}

/// Where a task took a lock that it has at a step.
pub(super) fn taken(teller: &mut Teller<'_>, task: u32, lock: u64, before: usize) -> Option<Note> {
    let step = (0..before).rev().find(|step| teller.executed(*step).is_some_and(|next| next.task == task && takes(next, lock)))?;
    let row = teller.recorded.steps[step];
    let what = format!("thread {} holds {}", teller.task(task), teller.object(lock, "lock"));
    Some(Note { what, at: teller.place(&row) })
}

/// Whether an operation takes this lock, if it succeeds.
fn takes(next: &XcNext, lock: u64) -> bool {
    match next.op {
        op::LOCK | op::TRY_LOCK | op::READ_LOCK | op::TRY_READ_LOCK | op::WRITE_LOCK | op::TRY_WRITE_LOCK => next.object == lock,
        op::REACQUIRE => next.other == lock,
        _ => false,
    }
}
