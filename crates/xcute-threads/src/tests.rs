//! A toy source: objects are named by a table, the hook of a step is its number.

use xcute_trace::{Cells, End, Failure, FailureKind, Frame, Next, NodeKey, ObjectId, Operation, Outside, Record, Step, Task, TaskId};

use crate::{At, Narrator, Phrase, Role, Source, data_race, group, of_race, of_run, stuck};

const X: Cells = Cells { first: ObjectId(1), count: 1 };
const A: ObjectId = ObjectId(100);
const B: ObjectId = ObjectId(101);

struct Toy<'a> {
    record: &'a Record,
    named: bool,
}

impl Toy<'_> {
    fn operation(&self, at: At) -> Operation {
        match at {
            At::Step(step) => self.record.steps[step].next().operation,
            At::Pending(at) => self.record.pending[at].operation,
        }
    }
}

impl Source for Toy<'_> {
    fn object(&mut self, at: At, role: Role) -> Option<String> {
        let name = match (self.operation(at), role) {
            (Operation::Lock(A) | Operation::Unlock(A), _) | (Operation::Reacquire { .. }, Role::Mutex) => "a",
            (Operation::Lock(_), _) => "b",
            (Operation::Reacquire { .. }, Role::Object) => "c",
            _ => "x",
        };
        self.named.then(|| name.to_owned())
    }

    fn stack(&mut self, at: At) -> Vec<Frame> {
        let line = match at {
            At::Step(step) => 10 + step as u32,
            At::Pending(at) => 50 + at as u32,
        };
        vec![Frame { function: "work".into(), file: "src/toy".into(), line, ..Frame::default() }]
    }

    fn hook(&self, at: At) -> Option<u32> {
        match at {
            At::Step(step) => Some(step as u32),
            At::Pending(at) => Some(90 + at as u32),
        }
    }

    fn value(&mut self, _: At, word: u64) -> Option<String> {
        Some(word.to_string())
    }

    fn after(&self, _: usize) -> Option<u64> {
        Some(7)
    }

    fn does(&mut self, at: At) -> Option<Phrase> {
        matches!(self.operation(at), Operation::Fence).then(|| Phrase::About("polishes"))
    }
}

fn step(task: u32, operation: Operation) -> Step {
    let enabled = [1, 2].map(|one| Next::of(Task(one), if one == task { operation } else { Operation::Yield }));
    Step {
        node: NodeKey(0),
        enabled: enabled.into_iter().collect(),
        chosen: task as usize - 1,
        arm: 0,
        glued: false,
        outside: Outside::default(),
        forked: Vec::new(),
        branches: 0,
        place: task,
    }
}

fn record(steps: &[(u32, Operation)], pending: &[(u32, Operation)]) -> Record {
    let steps = steps.iter().map(|(task, operation)| step(*task, *operation)).collect();
    let pending = pending.iter().map(|(task, operation)| Next::of(Task(*task), *operation)).collect();
    Record { steps, pending, end: End::Finished }
}

fn narrate<T>(record: &Record, named: bool, describe: impl FnOnce(&mut Narrator<'_>) -> T) -> T {
    let tasks = [vec![1], vec![1, 1], vec![1, 2]].map(TaskId);
    describe(&mut Narrator::new(record, &tasks, &mut Toy { record, named }))
}

fn rows(failure: &Failure) -> Vec<String> {
    failure.interleaving.iter().map(|row| format!("{} {}{}", row.task, row.what, if row.marked { " !" } else { "" })).collect()
}

#[test]
fn two_locks_in_both_orders_are_a_deadlock() {
    let record = record(&[(1, Operation::Lock(A)), (2, Operation::Lock(B))], &[(1, Operation::Lock(B)), (2, Operation::Lock(A))]);
    let failure = narrate(&record, true, stuck);
    assert_eq!(failure.kind, FailureKind::Deadlock);
    assert_eq!(failure.message, "thread 1.1 waits for `b`, which 1.2 has; 1.2 waits for `a`, which 1.1 has");
    assert_eq!(rows(&failure), ["1.1 locks `a` !", "1.2 locks `b` !", "1.1 waits for `b` !", "1.2 waits for `a` !"]);
    let notes: Vec<(&str, u32)> = failure.notes.iter().map(|note| (note.what.as_str(), note.at.line)).collect();
    let waits = [("thread 1.1 waits for `b`", 50), ("thread 1.2 waits for `a`", 51)];
    assert_eq!(notes, [waits[0], waits[1], ("thread 1.1 holds `a`", 10), ("thread 1.2 holds `b`", 11)]);
    let unnamed = narrate(&record, false, stuck).message;
    assert_eq!(unnamed, "thread 1.1 waits for the mutex at toy:11, which 1.2 has; 1.2 waits for the mutex at toy:10, which 1.1 has");
    let order = narrate(&record, true, |narrator| of_run(narrator, None)).unwrap();
    assert_eq!(order.order(), "step 1.1 0 0\nstep 1.2 1 0\nwaits 1.1 90\nwaits 1.2 91\n");
}

#[test]
fn a_waiter_that_keeps_a_lock_is_a_nested_monitor() {
    let (condition, mutex) = (ObjectId(102), B);
    let wait = Operation::Wait { condition, mutex };
    let steps = [(1, Operation::Lock(A)), (1, Operation::Lock(B)), (1, wait)];
    let record = record(&steps, &[(1, Operation::Reacquire { condition, mutex, alone: false }), (2, Operation::Lock(A))]);
    let failure = narrate(&record, true, stuck);
    assert_eq!(failure.message, "thread 1.1 waits for a signal of `c` and keeps `a`, which 1.2 needs");
}

#[test]
fn racing_accesses_are_shown_side_by_side() {
    let steps =
        [(1, Operation::Lock(A)), (1, Operation::Write(X)), (1, Operation::Unlock(A)), (1, Operation::Fence), (2, Operation::Read(X))];
    let record = record(&steps, &[]);
    let failure = narrate(&record, true, |narrator| data_race(narrator, (1, 4), [&[A], &[]])).unwrap();
    assert_eq!(failure.message, "`x` is written by thread 1.1 and read by 1.2, and nothing orders them");
    assert_eq!(rows(&failure), ["1.1 locks `a`", "1.1 writes `x` = 7 !", "1.2 reads `x` = 0 !"]);
    let notes: Vec<(&str, u32)> = failure.notes.iter().map(|note| (note.what.as_str(), note.at.line)).collect();
    assert_eq!(notes, [("other access", 11), ("thread 1.1 holds `a`", 10)]);
    let order = narrate(&record, true, |narrator| of_race(narrator, &failure, Some(Task(2)))).unwrap();
    assert_eq!((order.race, order.fails.is_none()), (Some((1, 2)), true));
    assert_eq!(order.order(), "step 1.1 0 0\nstep 1.1 1 0\nstep 1.2 4 0\nstep 1.1 2 0\nstep 1.1 3 0\nrace 1.1 1\nrace 1.2 4\n");
    let groups = narrate(&record, true, |narrator| (group(narrator, 1, 4), group(narrator, 4, 1)));
    assert_eq!(groups.0, groups.1);
    assert!(narrate(&record, true, |narrator| data_race(narrator, (0, 4), [&[], &[]])).is_none(), "a lock is not an access");
}

#[test]
fn a_front_end_has_words_of_its_own() {
    let record = record(&[(1, Operation::Fence), (2, Operation::Yield)], &[]);
    let what = |step, task| narrate(&record, true, |narrator| narrator.next_of(Task(task), step)).map(|row| row.what);
    assert_eq!(what(0, 1).as_deref(), Some("polishes `x`"));
    assert_eq!(what(0, 2).as_deref(), Some("yields"));
    assert_eq!(what(1, 1), None);
}
