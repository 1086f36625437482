//! Long runs: what they cost grows with their length, not with its square.

use std::time::Instant;

use xcute_race::{AlgorithmName, Causality, Cells, End, Explorer, Next, NodeKey, ObjectId, Operation, Record, Step, Task, data_races};
use xcute_trace::TaskId;

const TASKS: u32 = 10;

/// Tasks that read and write a cell in turn, this many accesses each; every `turns` accesses another task runs.
fn counters(accesses: usize, turns: usize, cell: impl Fn(u32) -> u64) -> Record {
    let mut done = vec![0; TASKS as usize];
    let mut steps = Vec::new();
    let next = |task: u32, done: usize| {
        let at = Cells::one(ObjectId(cell(task)));
        let operation = if done.is_multiple_of(2) { Operation::Read(at) } else { Operation::Write(at) };
        Next::of(Task(task), operation)
    };
    let mut current = 0;
    while let Some(first) = (0..TASKS).cycle().skip(current).take(TASKS as usize).find(|task| done[*task as usize] < accesses) {
        for _ in 0..turns.min(accesses - done[first as usize]) {
            let enabled: Vec<Next> =
                (0..TASKS).filter(|task| done[*task as usize] < accesses).map(|task| next(task, done[task as usize])).collect();
            let chosen = enabled.iter().position(|next| next.task.0 == first).expect("it can run");
            let (node, place) = (NodeKey(steps.len() as u64), first * 2 + (done[first as usize] % 2) as u32);
            steps.push(Step {
                node,
                enabled: enabled.into(),
                chosen,
                arm: 0,
                glued: false,
                outside: Default::default(),
                forked: Vec::new(),
                branches: 0,
                place,
            });
            done[first as usize] += 1;
        }
        current = (first as usize + 1) % TASKS as usize;
    }
    Record { steps, pending: Vec::new(), end: End::Finished }
}

/// The arms that a run of ten tasks opens.
fn opened(name: AlgorithmName, record: &Record) -> usize {
    let mut explorer = Explorer::new(name.build());
    (1..=TASKS).for_each(|number| _ = explorer.tasks_mut().intern(&TaskId(vec![number as u16])));
    let causality = Causality::new(record);
    assert!(data_races(&causality).len() <= record.steps.len() * 2 * TASKS as usize);
    explorer.observe_run(&causality, 0).expect("the first").opened.len()
}

#[test]
fn ten_tasks_of_a_thousand_accesses() {
    let start = Instant::now();
    for name in [AlgorithmName::Dpor, AlgorithmName::Sleep, AlgorithmName::Races] {
        assert_eq!(opened(name, &counters(1000, 1000, |_| 0)), 9, "one after the other, {}", name.as_str());
        assert_eq!(opened(name, &counters(1000, 1, u64::from)), 0, "each its own, {}", name.as_str());
        let (short, long) = (opened(name, &counters(100, 1, |_| 0)), opened(name, &counters(1000, 1, |_| 0)));
        assert!(long < 11 * short, "in turn, {}: {short}, {long}", name.as_str());
    }
    assert_eq!(opened(AlgorithmName::All, &counters(1000, 1000, |_| 0)), 45_000);
    // About 0.2 s; the square of the length would be minutes.
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
}
