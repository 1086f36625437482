//! Threads that run for ever, as a failure: each goes round and round in a loop, and nobody ends it.
//!
//! **Invariant.** The place of each loop is its first line at which others can see something, wherever the run was stopped: the same livelock is the same failure in
//! every run.

use std::collections::BTreeMap;

use xcute_trace::{Failure, FailureKind, Frame, Note, Task};

use crate::interleaving::Picture;
use crate::narrator::Narrator;
use crate::source::At;

/// Steps at the end of a run that are looked at.
const LATEST: usize = 2000;
/// Steps of the interleaving that are shown before the loops.
const SHOWN: usize = 200;

/// The failure of a run in which, after `from` steps, no thread left its loop, though each of them had its turns.
pub fn endless(narrator: &mut Narrator<'_>, from: usize) -> Failure {
    let record = narrator.record;
    let mut loops: BTreeMap<Task, Frame> = BTreeMap::new();
    let latest = record.steps.len().saturating_sub(LATEST).max(from);
    for (number, step) in record.steps.iter().enumerate().skip(latest) {
        let place = narrator.place(At::Step(number));
        let first = loops.entry(step.task()).or_insert_with(|| place.clone());
        if (&place.file, place.line) < (&first.file, first.line) {
            *first = place;
        }
    }
    let names: Vec<String> = loops.keys().map(|task| narrator.task(*task)).collect();
    let message = match &names[..] {
        [one] => format!("thread {one} never leaves its loop"),
        all => format!("threads {} never leave their loops", all.join(" and ")),
    };
    let note = |(task, at): (&Task, &Frame)| Note { what: format!("thread {} goes round", narrator.task(*task)), at: at.clone() };
    let mut notes: Vec<Note> = loops.iter().map(note).collect();
    notes.sort_by(|a, b| (&a.at.file, a.at.line).cmp(&(&b.at.file, b.at.line)));
    let stack: Vec<Frame> = notes.first().map(|note| note.at.clone()).into_iter().filter(|place| place.line != 0).collect();
    let interleaving = Picture { steps: (0..from.min(SHOWN)).collect(), ..Picture::default() }.rows(narrator);
    Failure { kind: FailureKind::Livelock, message, stack, notes, interleaving, values: Vec::new() }
}
