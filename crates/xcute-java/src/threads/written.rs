//! How often each cell of memory was written. A thread that looks again and again waits for the next time.
//!
//! **Invariant.** The value of memory, as the engine sees it, is this number: what is really there does not matter to it.

use rustc_hash::FxHashMap;
use xcute_trace::{Cells, Next, ObjectId, Operation, Task, Until};

/// The writes of a run so far.
#[derive(Debug, Default)]
pub(super) struct Written {
    times: FxHashMap<ObjectId, u64>,
    /// By task and cell: the number that it saw last.
    seen: FxHashMap<(Task, ObjectId), u64>,
}

impl Written {
    /// An operation with the number of its memory, and the one that it waits to change.
    pub(super) fn valued(&self, mut next: Next) -> Next {
        if let Some(at) = memory(&next.operation) {
            next.before = self.of(at);
        }
        if let Operation::Await { at, .. } = next.operation {
            let seen = self.seen.get(&(next.task, at.first)).copied().unwrap_or(0);
            next.operation = Operation::Await { at, until: Until::NotEqual(seen) };
        }
        next
    }

    fn of(&self, at: Cells) -> u64 {
        self.times.get(&at.first).copied().unwrap_or(0)
    }

    /// An operation was executed.
    pub(super) fn execute(&mut self, next: &Next) {
        let Some(at) = memory(&next.operation) else { return };
        match next.operation {
            Operation::Read(_) | Operation::Load(_) | Operation::Await { .. } => {
                self.seen.insert((next.task, at.first), self.of(at));
            }
            _ => {
                let times = self.times.entry(at.first).or_default();
                *times += 1;
                self.seen.insert((next.task, at.first), *times);
            }
        }
    }

    /// The operation that was executed last changed nothing: it was a look.
    pub(super) fn unchanged(&mut self, next: &Next) {
        let Operation::Update(at) = next.operation else { return };
        let Some(times) = self.times.get_mut(&at.first).filter(|times| self.seen.get(&(next.task, at.first)) == Some(times)) else {
            return;
        };
        *times -= 1;
        self.seen.insert((next.task, at.first), *times);
    }
}

fn memory(operation: &Operation) -> Option<Cells> {
    match *operation {
        Operation::Read(at) | Operation::Write(at) | Operation::Load(at) | Operation::Store(at) | Operation::Update(at) => Some(at),
        Operation::Await { at, .. } => Some(at),
        _ => None,
    }
}
