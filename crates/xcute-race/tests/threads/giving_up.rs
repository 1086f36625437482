//! What is not explored is told, and nothing relies on it.

use xcute_race::{AlgorithmName, Cells, Diverged, End, Explorer, Next, NodeKey, ObjectId, Operation, Record, Step, Task};
use xcute_trace::TaskId;

fn explorer(name: AlgorithmName) -> Explorer {
    let mut explorer = Explorer::new(name.build());
    for number in 1..=3 {
        assert_eq!(explorer.tasks_mut().intern(&TaskId(vec![number])), Task(u32::from(number) - 1));
    }
    explorer
}

fn write(task: u32) -> Next {
    Next::of(Task(task), Operation::Write(Cells::one(ObjectId(0))))
}

fn step(node: u64, enabled: Vec<Next>, chosen: usize) -> Step {
    Step {
        node: NodeKey(node),
        enabled: enabled.into(),
        chosen,
        arm: 0,
        glued: false,
        outside: Default::default(),
        forked: Vec::new(),
        branches: 0,
        place: 0,
    }
}

/// Two writers; the second never gets to write in a run that is cut.
fn writers(end: End) -> Record {
    let steps = vec![step(0, vec![write(0), write(1)], 0), step(1, vec![write(1)], 0)];
    match end {
        End::Cut => Record { steps: steps[..1].to_vec(), pending: vec![write(1)], end },
        _ => Record { steps, pending: Vec::new(), end },
    }
}

fn flipped() -> Record {
    Record { steps: vec![step(0, vec![write(0), write(1)], 1), step(2, vec![write(0)], 0)], pending: Vec::new(), end: End::Finished }
}

#[test]
fn a_finished_sibling_sleeps() {
    let mut explorer = explorer(AlgorithmName::Dpor);
    let opened = explorer.observe(&writers(End::Finished)).expect("the first").opened;
    assert_eq!((opened.len(), opened[0].node, opened[0].task), (1, NodeKey(0), Task(1)));
    let cause = opened[0].cause.as_ref().expect("a race opened it");
    assert_eq!((cause.first, cause.second), (0, 1));
    assert_eq!(explorer.plan(NodeKey(0), Task(1), 0).expect("it is open").asleep, [Task(0)]);
    assert!(!explorer.complete(), "an arm is open");
    assert!(explorer.observe(&flipped()).expect("the same choices").opened.is_empty());
    assert!(explorer.complete());
}

#[test]
fn a_run_that_was_cut_puts_nobody_to_sleep() {
    let mut explorer = explorer(AlgorithmName::Dpor);
    let opened = explorer.observe(&writers(End::Cut)).expect("the first").opened;
    assert_eq!((opened.len(), opened[0].task), (1, Task(1)), "a pending operation races");
    assert!(explorer.plan(NodeKey(0), Task(1), 0).expect("it is open").asleep.is_empty());
    explorer.observe(&flipped()).expect("the same choices");
    assert!(!explorer.complete(), "something was cut");
}

#[test]
fn what_the_solver_gave_up_counts_for_all_choices_above() {
    let all = || vec![write(0), write(1), write(2)];
    let run = |first: usize, second: usize, keys: [u64; 2]| {
        let mut left = all();
        left.remove(first);
        let mut last = left.clone();
        last.remove(second);
        let steps = vec![step(0, all(), first), step(keys[0], left, second), step(keys[1], last, 0)];
        Record { steps, pending: Vec::new(), end: End::Finished }
    };
    let mut explorer = explorer(AlgorithmName::Sleep);
    explorer.observe(&run(0, 0, [1, 2])).expect("1 2 3");
    // A branch below 1 3 is given up: 1 is no longer trusted when 3 is appended at the root.
    explorer.observe(&run(0, 1, [1, 3])).expect("1 3 2");
    explorer.give_up(NodeKey(1), Task(2));
    explorer.observe(&run(1, 0, [4, 5])).expect("2 1 3");
    assert_eq!(explorer.plan(NodeKey(0), Task(1), 0).expect("it was opened before").asleep, [Task(0)]);
    assert_eq!(explorer.plan(NodeKey(0), Task(2), 0).expect("it was opened after").asleep, [Task(1)]);
    assert!(!explorer.complete());
}

#[test]
fn an_executor_that_is_not_deterministic_is_noticed() {
    let mut explorer = explorer(AlgorithmName::Dpor);
    explorer.observe(&writers(End::Finished)).expect("the first");
    let other = Record { steps: vec![step(0, vec![write(0), write(2)], 0)], pending: Vec::new(), end: End::Finished };
    let diverged = explorer.observe(&other).expect_err("other tasks at the same choice");
    assert_eq!(diverged, Diverged { node: NodeKey(0), step: 0 });
    assert_eq!(diverged.to_string(), "schedule choice 0 came up again with other tasks, at step 0");
}
