//! What each cell of memory holds, as far as that matters: whether it is what a thread saw that looks again and again. Such a thread waits for something else.
//!
//! A value has a number: 0 is what a cell holds first, and each write makes a new one, unless the JVM says which value it was and that was there before. So a
//! write of what is there already wakes nobody, and neither does one that is undone in time.
//!
//! **Invariant.** The value of memory, as the engine sees it, is this number. Different values have different numbers; one value may have several.

use rustc_hash::FxHashMap;
use xcute_trace::{Cells, Next, ObjectId, Operation, Task, Until};

/// What a run has written so far.
#[derive(Debug, Default)]
pub(super) struct Written {
    now: FxHashMap<ObjectId, u64>,
    /// The last number that was given.
    last: FxHashMap<ObjectId, u64>,
    /// By cell and value: its number; and the other way round.
    numbers: FxHashMap<(ObjectId, u64), u64>,
    values: FxHashMap<(ObjectId, u64), u64>,
    /// By task and cell: the number that it saw last.
    seen: FxHashMap<(Task, ObjectId), u64>,
}

impl Written {
    /// An operation with the number of its memory, and the one that it waits to change.
    pub(super) fn valued(&self, mut next: Next) -> Next {
        if let Some(at) = memory(&next.operation) {
            next.before = self.of(at.first);
        }
        match next.operation {
            Operation::Await { at, .. } => {
                next.operation = Operation::Await { at, until: Until::NotEqual(self.seen_by(next.task, at.first)) };
            }
            Operation::AwaitAny(all) => {
                let changed = |cell: &ObjectId| self.of(*cell) != self.seen_by(next.task, *cell);
                next.before = u64::from(all.cells().iter().any(changed));
            }
            _ => {}
        }
        next
    }

    fn of(&self, cell: ObjectId) -> u64 {
        self.now.get(&cell).copied().unwrap_or(0)
    }

    fn seen_by(&self, task: Task, cell: ObjectId) -> u64 {
        self.seen.get(&(task, cell)).copied().unwrap_or(0)
    }

    /// A task has left a cell with the value of this number.
    fn holds(&mut self, task: Task, cell: ObjectId, number: u64) {
        self.now.insert(cell, number);
        self.seen.insert((task, cell), number);
    }

    fn new_number(&mut self, cell: ObjectId) -> u64 {
        let last = self.last.entry(cell).or_default();
        *last += 1;
        *last
    }

    /// An operation was executed.
    pub(super) fn execute(&mut self, next: &Next) {
        let Some(at) = memory(&next.operation) else { return };
        let number = match next.operation {
            Operation::Read(_) | Operation::Load(_) | Operation::Await { .. } => self.of(at.first),
            _ => self.new_number(at.first),
        };
        self.holds(next.task, at.first, number);
    }

    /// The operation that was executed last changed nothing: it was a look.
    pub(super) fn unchanged(&mut self, next: &Next) {
        if let Operation::Update(at) = next.operation {
            self.holds(next.task, at.first, next.before);
        }
    }

    /// The operation that was executed last left its memory with this value.
    pub(super) fn settle(&mut self, next: &Next, value: u64) {
        let Some(at) = memory(&next.operation) else { return };
        let (cell, number) = (at.first, self.of(at.first));
        if let Some(&known) = self.numbers.get(&(cell, value)) {
            self.holds(next.task, cell, known);
            return;
        }
        // Something that nobody saw has written it if the number is that of another value.
        let number = if self.values.contains_key(&(cell, number)) { self.new_number(cell) } else { number };
        self.numbers.insert((cell, value), number);
        self.values.insert((cell, number), value);
        self.holds(next.task, cell, number);
    }
}

/// The memory that an operation accesses.
pub(super) fn memory(operation: &Operation) -> Option<Cells> {
    match *operation {
        Operation::Read(at) | Operation::Write(at) | Operation::Load(at) | Operation::Store(at) | Operation::Update(at) => Some(at),
        Operation::Await { at, .. } => Some(at),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_trace::Several;

    const X: ObjectId = ObjectId(1);
    const Y: ObjectId = ObjectId(2);

    fn next(task: u32, operation: Operation) -> Next {
        Next::of(Task(task), operation)
    }

    #[test]
    fn a_value_that_comes_back_is_not_a_change() {
        let mut written = Written::default();
        let (look, write) = (next(1, Operation::Load(Cells::one(X))), next(2, Operation::Store(Cells::one(X))));
        let waits = |written: &Written| {
            let next = written.valued(next(1, Operation::Await { at: Cells::one(X), until: Until::NotEqual(0) }));
            matches!(next.operation, Operation::Await { until: Until::NotEqual(seen), .. } if seen == next.before)
        };
        written.execute(&look);
        written.settle(&look, 7);
        assert!(waits(&written));
        // Another value, the first one again, and one that is not known.
        for (value, still) in [(Some(5), false), (Some(7), true), (None, false), (Some(7), true)] {
            written.execute(&write);
            if let Some(value) = value {
                written.settle(&write, value);
            }
            assert_eq!(waits(&written), still, "{value:?}");
        }
    }

    #[test]
    fn one_of_several_is_enough() {
        let mut written = Written::default();
        for cell in [X, Y] {
            written.execute(&next(1, Operation::Load(Cells::one(cell))));
        }
        let waits = next(1, Operation::AwaitAny(Several::of(&[Y, X, X])));
        assert_eq!(written.valued(waits).before, 0);
        written.execute(&next(2, Operation::Store(Cells::one(Y))));
        assert_eq!(written.valued(waits).before, 1);
        // An attempt that changes nothing is a look.
        let tries = written.valued(next(1, Operation::Update(Cells::one(Y))));
        written.execute(&tries);
        written.unchanged(&tries);
        assert_eq!(written.valued(waits).before, 0);
    }

    #[test]
    fn what_nobody_saw_written_is_another_value() {
        let mut written = Written::default();
        let look = next(1, Operation::Load(Cells::one(X)));
        written.execute(&look);
        written.settle(&look, 1);
        let other = next(2, Operation::Load(Cells::one(X)));
        written.execute(&other);
        written.settle(&other, 2);
        assert_ne!(written.of(X), written.seen_by(Task(1), X));
    }
}
