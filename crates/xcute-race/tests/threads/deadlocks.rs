//! The shapes of deadlocks.

use std::collections::BTreeMap;

use xcute_race::{AlgorithmName, Causality, Deadlock, Operation, Shape, deadlock};

use crate::campaign::{Campaign, Order};
use crate::programs::*;
use crate::world::Program;

/// The deadlocks of all classes.
fn deadlocks(program: &Program) -> Vec<Deadlock> {
    let outcome = Campaign::new(program, AlgorithmName::Dpor.build()).explore(Order::Dfs);
    let found: Vec<Deadlock> = outcome.records.iter().filter_map(|record| deadlock(&Causality::new(record))).collect();
    assert_eq!(found.len(), outcome.deadlocks.len(), "a deadlock is seen where there is one");
    found
}

fn shapes(program: &Program) -> BTreeMap<&'static str, usize> {
    let mut count = BTreeMap::new();
    for found in deadlocks(program) {
        let name = match found.shape {
            Shape::Cycle(_) => "cycle",
            Shape::NestedMonitor { .. } => "nested monitor",
            Shape::LostWakeup { .. } => "lost wakeup",
            Shape::Stuck => "stuck",
        };
        *count.entry(name).or_default() += 1;
    }
    count
}

#[test]
fn a_cycle_of_locks() {
    let found = deadlocks(&philosophers(3));
    let [Deadlock { shape: Shape::Cycle(tasks), blocked }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(tasks.iter().map(|task| task.0).collect::<Vec<_>>(), [0, 1, 2]);
    for one in blocked {
        let Operation::Lock(fork) = one.operation else { panic!("{one:?}") };
        assert_eq!((fork.0, one.holders[0].0), (M + u64::from(one.task.0 + 1) % 3, (one.task.0 + 1) % 3));
    }
}

#[test]
fn a_cycle_beside_tasks_that_end() {
    let opposite = |a: u64, b: u64| crate::thread::body(move |t| t.locked(a, |t| t.locked(b, |_| Ok(()))));
    let all = program(vec![opposite(M, N), opposite(N, M), crate::thread::body(|t| t.write(X, 1))]);
    assert_eq!(shapes(&all), BTreeMap::from([("cycle", 1)]));
}

#[test]
fn a_signal_that_came_too_early() {
    let found = deadlocks(&lost_wakeup());
    // Read, write, lock, notify, unlock, lock, wait.
    assert_eq!(found[0].shape, Shape::LostWakeup { missed: Some(3) });
    let never = threads!(|t| t.locked(M, |t| t.wait(M)), |t| t.write(X, 1));
    assert_eq!(deadlocks(&never)[0].shape, Shape::LostWakeup { missed: None });
    assert_eq!(shapes(&await_three()), BTreeMap::from([("lost wakeup", 4)]));
    let pairs = Buffer { producers: 2, consumers: 2, puts: 1, gets: 1, all: false, looping: true, spurious: 0 };
    assert_eq!(shapes(&buffer(pairs)), BTreeMap::from([("lost wakeup", 8)]));
}

#[test]
fn a_monitor_kept_while_waiting() {
    let found = deadlocks(&nested_monitor());
    let Shape::NestedMonitor { waiter, keeps, blocked } = &found[0].shape else { panic!("{found:?}") };
    assert_eq!((waiter.0, keeps.0, blocked.len()), (0, O, 1));
}

#[test]
fn a_task_that_is_never_joined() {
    let program = threads!(|t| {
        let child = t.fork(&crate::thread::body(|t| t.p(M)))?;
        t.join(child)
    });
    assert_eq!(shapes(&program), BTreeMap::from([("stuck", 1)]));
}
