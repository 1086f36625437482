//! A data race as a failure: both accesses, where they are, and which locks were held.

use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;
use xcute_trace::{Failure, FailureKind, Frame, Note, ObjectId};

use super::interleaving::Shown;
use super::steps::address;
use super::telling::Teller;
use crate::wire::{XcNext, operation as op};

/// The data race between two steps; `held` are the locks at the first and at the second, `order` all steps that are told. `None` if they access no memory
/// in common.
pub(super) fn failure(
    teller: &mut Teller<'_>,
    (first, second): (usize, usize),
    held: [&[ObjectId]; 2],
    order: Vec<usize>,
) -> Option<Failure> {
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
    let interleaving = Shown { steps: order, marked: &[first, second], stuck: false, fails: None }.tell(teller);
    Some(Failure { kind: FailureKind::DataRace, message, stack, notes, interleaving })
}

/// What two accesses have in common with others that are told with them: the variable, as a whole, and both functions.
pub(super) fn group(teller: &mut Teller<'_>, first: usize, second: usize) -> u64 {
    let at = [first, second].iter().filter_map(|step| teller.executed(*step)).map(|next| next.object).max().unwrap_or(0);
    let name = teller.object(at, "memory");
    let variable = name.split(['[', '.', '+']).next().unwrap_or_default().to_owned();
    let mut functions = [first, second].map(|step| {
        let row = teller.recorded.steps.get(step).copied();
        row.map_or_else(String::new, |row| teller.place(&row).function)
    });
    functions.sort();
    FxBuildHasher.hash_one((variable, functions))
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
