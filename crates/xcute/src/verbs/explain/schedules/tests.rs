//! What is said about schedule arms, from handmade records.

use xcute_race::Accesses;
use xcute_trace::{Cells, End, Next, ObjectId, Record};

use super::*;

const X: ObjectId = ObjectId(1);

fn next(task: u32, operation: Operation) -> Next {
    Next::of(Task(task), operation)
}

/// Two threads: the first writes `x`, the second reads it; `first` goes first.
fn run(schedules: &mut Schedules, number: u64, first: usize, asked: &[Wanted<'_>]) {
    let write = next(1, Operation::Write(Cells::one(X)));
    let read = next(2, Operation::Read(Cells::one(X)));
    let step = |node, enabled: Vec<Next>, chosen| Step {
        node: NodeKey(node),
        enabled: enabled.into(),
        chosen,
        arm: 0,
        glued: false,
        outside: Default::default(),
        forked: Vec::new(),
        branches: 0,
        place: 0,
    };
    let left = if first == 0 { read } else { write };
    let steps = vec![step(7, vec![write, read], first), step(8, vec![left], 0)];
    let record = Record { steps, pending: Vec::new(), end: End::Finished };
    let concurrent = Concurrent { record, before: vec![0, 1], outdated: false, failed: None, later: Vec::new() };
    let name = |task: Task| format!("1.{}", task.0);
    let happening = |step: usize, task: Task| {
        let at = Frame { function: "f".into(), file: "x.c".into(), line: 4, ..Frame::default() };
        // The front end knows about one of the two.
        (task == Task(1)).then(|| Happening { task: name(task), what: format!("writes `x` at {step}"), at, marked: false })
    };
    schedules.ran(&Run { number, concurrent: &concurrent, asked, last: None, name: &name, happening: &happening });
}

fn race() -> Race {
    Race { first: 0, second: 1, task: Task(2), accesses: Accesses::new() }
}

#[test]
fn who_asked_and_who_took() {
    let tree = PathTree::new();
    let mut schedules = Schedules::about(Some(1));
    assert!(schedules.is_empty());
    run(&mut schedules, 1, 0, &[Wanted { step: 0, option: 1, race: Some(&race()) }]);
    assert!(schedules.overview(&tree).starts_with("1 schedule arm was asked for: 0 taken, 1 open\n"));
    assert!(schedules.run(&tree).contains("else 1.2 (open)"));
    run(&mut schedules, 2, 1, &[]);
    let overview = "1 schedule arm was asked for: 1 taken\n\
        1 to turn around thread 1.1 writes `x` at 0 (x.c:4), thread 1.2 reads memory\n  at schedule:1:1\n";
    assert_eq!(schedules.overview(&tree), overview);
    assert_eq!(schedules.run(&tree), "run 1: 2 steps, 1 with a choice\nstep 1  thread 1.1 writes `x` at 0 (x.c:4); else 1.2 (run 2)\n");
    let choice = "run 1, step 1: 2 ways to go on\n\
        thread 1.1 writes `x` at 0 (x.c:4): taken by this run\n\
        thread 1.2 reads memory: taken, first by run 2\n  \
        run 1 asked for it, to turn these around:\n    \
        step 1  thread 1.1 writes `x` at 0 (x.c:4)\n    \
        step 2  thread 1.2 reads memory\n";
    assert_eq!(schedules.choice(&tree, 1).unwrap(), choice);
    assert_eq!(schedules.choice(&tree, 2).unwrap_err(), "run 1 had no choice between threads at step 2, but at 1");
}

#[test]
fn nobody_asked() {
    let mut schedules = Schedules::about(Some(1));
    run(&mut schedules, 1, 0, &[]);
    assert!(schedules.choice(&PathTree::new(), 1).unwrap().contains("thread 1.2 reads memory: not asked for"));
}

#[test]
fn what_was_before_a_restart_is_void() {
    let mut schedules = Schedules::about(Some(1));
    run(&mut schedules, 1, 0, &[Wanted { step: 0, option: 1, race: Some(&race()) }]);
    assert_eq!(schedules.void(), None);
    schedules.restart(2);
    assert!(schedules.is_empty());
    assert!(schedules.void().is_some_and(|why| why.starts_with("run 1 was discarded: the search restarted at run 2")));
    schedules.wanted = Some(2);
    run(&mut schedules, 2, 0, &[]);
    assert_eq!(schedules.void(), None);
    assert!(schedules.overview(&PathTree::new()).starts_with("0 schedule arms"));
}
