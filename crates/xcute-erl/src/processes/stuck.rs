//! Processes that wait for ever, as a failure.
//!
//! In Erlang a server that waits for its next message is what it should be. So a run is stuck only if its first process waits, whose function then never
//! returns; or if a process waits while there are messages in its mailbox that match none of its clauses: these are lost.
//!
//! **Invariant.** The place of a failure is that of the process it is about, whatever else waits.

use xcute_threads::{At, Narrator, Picture};
use xcute_trace::{Failure, FailureKind, Frame, Note, Task, TaskId};

use super::director::Directed;
use super::source::path;

/// The failure of a run in which no process could go on, if it is one.
pub(super) fn failure(narrator: &mut Narrator<'_>, directed: &Directed, ids: &[TaskId]) -> Option<Failure> {
    let pending: Vec<Task> = directed.record.pending.iter().map(|next| next.task).collect();
    let first = *directed.tasks.first()?;
    let about = if pending.contains(&first) { first } else { *directed.unmatched.iter().min_by_key(|task| &ids[task.index()])? };
    let unmatched = directed.unmatched.contains(&about);
    let name = path(ids, about);
    let message = match unmatched {
        true => format!("process {name} waits for ever: no clause matches the messages in its mailbox"),
        false => format!("process {name} waits for ever for a message"),
    };
    let (mut stack, mut notes): (Vec<Frame>, Vec<Note>) = (Vec::new(), Vec::new());
    for (at, &task) in pending.iter().enumerate() {
        let Some(place) = narrator.at(At::Pending(at)) else { continue };
        if task == about {
            stack.push(place);
        } else {
            notes.push(Note { what: format!("process {} waits for a message", path(ids, task)), at: place });
        }
    }
    let interleaving = if directed.tasks.len() > 1 { Picture { stuck: true, ..Picture::all(narrator) }.rows(narrator) } else { Vec::new() };
    Some(Failure { kind: FailureKind::Deadlock, message, stack, notes, interleaving, values: Vec::new() })
}
