//! A data race as a failure: both accesses, where they are, and which locks were held.

use std::hash::BuildHasher as _;

use rustc_hash::FxBuildHasher;
use xcute_trace::{Cells, Failure, FailureKind, Frame, Note, ObjectId, Operation, Task};

use crate::interleaving::Picture;
use crate::narrator::Narrator;
use crate::neighbours::leading;
use crate::operations::{memory, takes};
use crate::source::{At, Role};

/// The data race between two steps; `held` are the locks at the first and at the second. `None` if they have no memory in common.
pub fn data_race(narrator: &mut Narrator<'_>, (first, second): (usize, usize), held: [&[ObjectId]; 2]) -> Option<Failure> {
    let (a, b) = (*narrator.next(At::Step(first))?, *narrator.next(At::Step(second))?);
    let begins_later = meet(memory(&a.operation)?, memory(&b.operation)?, first, second)?;
    let did = |narrator: &mut Narrator<'_>, step: usize, operation: Operation| match operation {
        Operation::Read(_) | Operation::Load(_) => "read",
        _ if narrator.source.destroys(At::Step(step)) => "freed",
        _ => "written",
    };
    let object = narrator.object(At::Step(begins_later), Role::Object, "memory");
    let (one_task, other_task) = (narrator.task(a.task), narrator.task(b.task));
    let message = match (did(narrator, first, a.operation), did(narrator, second, b.operation)) {
        (one, other) if one == other => format!("{object} is {one} by threads {one_task} and {other_task}, and nothing orders them"),
        (one, other) => format!("{object} is {one} by thread {one_task} and {other} by {other_task}, and nothing orders them"),
    };
    let stack = narrator.source.stack(At::Step(second));
    let mut notes = vec![Note { what: "other access".into(), at: narrator.place(At::Step(first)) }];
    notes.extend(narrator.source.stack(At::Step(first)).into_iter().skip(1).map(|at| Note { what: "called".into(), at }));
    if held.iter().all(|locks| locks.is_empty()) {
        notes.push(Note { what: "no lock is held at either".into(), at: Frame::default() });
    }
    for ((task, step), locks) in [(a.task, first), (b.task, second)].into_iter().zip(held) {
        for lock in locks {
            notes.extend(taken(narrator, task, *lock, step));
        }
    }
    let steps = leading(narrator.record, first, second);
    let interleaving = Picture { steps, marked: &[first, second], ..Picture::default() }.rows(narrator);
    Some(Failure { kind: FailureKind::DataRace, message, stack, notes, interleaving, values: Vec::new() })
}

/// Which of two accesses begins where they meet; `None` if they do not.
fn meet(a: Cells, b: Cells, first: usize, second: usize) -> Option<usize> {
    let end = |cells: Cells| cells.first.0.saturating_add(u64::from(cells.count));
    let at = a.first.max(b.first);
    let begins_later = if a.first >= b.first { first } else { second };
    (at.0 < end(a).min(end(b))).then_some(begins_later)
}

/// What two accesses have in common with others that are reported together with them: the variable, as a whole, and both functions.
pub fn group(narrator: &mut Narrator<'_>, first: usize, second: usize) -> u64 {
    let cells = |narrator: &Narrator<'_>, step: usize| narrator.next(At::Step(step)).and_then(|next| memory(&next.operation));
    let start = |narrator: &Narrator<'_>, step: usize| cells(narrator, step).map(|cells| cells.first);
    let later = if start(narrator, first) >= start(narrator, second) { first } else { second };
    let at = At::Step(later);
    let unnamed = narrator.source.object(at, Role::Object).is_none();
    let like = if unnamed { narrator.source.like(at) } else { None };
    let name = like.unwrap_or_else(|| narrator.object(at, Role::Object, "memory"));
    let variable = narrator.source.whole(&name).to_owned();
    let mut functions = [first, second].map(|step| narrator.place(At::Step(step)).function);
    functions.sort();
    FxBuildHasher.hash_one((variable, functions))
}

/// Where a task took a lock that it has at a step.
pub(crate) fn taken(narrator: &mut Narrator<'_>, task: Task, lock: ObjectId, before: usize) -> Option<Note> {
    let role = |step: usize| {
        let next = narrator.next(At::Step(step)).filter(|next| next.task == task)?;
        takes(&next.operation).filter(|(taken, _)| *taken == lock).map(|(_, role)| (step, role))
    };
    let (step, role) = (0..before).rev().find_map(role)?;
    let what = format!("thread {} holds {}", narrator.task(task), narrator.object(At::Step(step), role, "lock"));
    Some(Note { what, at: narrator.place(At::Step(step)) })
}
