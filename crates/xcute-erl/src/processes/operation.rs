//! What a process wants to do, as an operation of the engine.
//!
//! A mailbox counts what was sent to it: a send *arrives*, and a fetch *passes* once as many have arrived. So two sends to one process have an order that
//! matters, and a fetch comes after the send of its message. A receive with a timeout looks at the mailbox, in whatever order that happens. Whether a process
//! lives and what a name stands for are memory that is read and written.
//!
//! **Invariant.** Names of different things differ.

use xcute_trace::{Cells, Next, ObjectId, Operation, Task};

use crate::vm::Wants;

const MAILBOX: u64 = 1 << 60;
const LIFE: u64 = 2 << 60;
const NAME: u64 = 3 << 60;

fn of(kind: u64, task: Task) -> ObjectId {
    ObjectId(kind | u64::from(task.0))
}

/// The operation of a task; `other` is the task with a number in the run. `None` where that cannot be.
pub(super) fn next(task: Task, wants: Wants, other: impl Fn(u32) -> Option<Task>) -> Option<Next> {
    let mailbox = of(MAILBOX, task);
    let cell = |kind: u64, name: u32| Cells::one(ObjectId(kind | u64::from(name)));
    let operation = match wants {
        Wants::Send(to) => Operation::Arrive { barrier: of(MAILBOX, other(to)?) },
        Wants::Fetch(index) => Operation::Pass { barrier: mailbox, arrivals: u64::from(index) + 1 },
        Wants::Timed(_) => Operation::Load(Cells::one(mailbox)),
        Wants::Life(of_task) => Operation::Load(Cells::one(of(LIFE, other(of_task)?))),
        Wants::End(of_task) => Operation::Store(Cells::one(of(LIFE, other(of_task)?))),
        Wants::Name(name) => Operation::Store(cell(NAME, name)),
        Wants::Look(name) => Operation::Load(cell(NAME, name)),
    };
    Some(Next::of(task, operation))
}

/// Whether an operation only goes on because time has passed, as long as others can go on.
pub(super) fn is_late(next: &Next) -> bool {
    matches!(next.operation, Operation::Load(at) if at.first.0 >> 60 == MAILBOX >> 60)
}

/// What an operation does, in words: a verb, and the task that it is done to.
pub(super) fn words(operation: &Operation) -> (&'static str, Option<Task>) {
    let task = |object: ObjectId| Some(Task(object.0 as u32));
    match *operation {
        Operation::Arrive { barrier } => ("sends a message to", task(barrier)),
        Operation::Pass { .. } => ("receives a message", None),
        Operation::Load(at) if at.first.0 >> 60 == MAILBOX >> 60 => ("looks for a message", None),
        Operation::Load(at) if at.first.0 >> 60 == LIFE >> 60 => ("looks whether there is", task(at.first)),
        Operation::Store(at) if at.first.0 >> 60 == LIFE >> 60 => ("ends", task(at.first)),
        Operation::Load(_) => ("looks up a name", None),
        Operation::Store(_) => ("changes a name", None),
        _ => ("goes on", None),
    }
}
