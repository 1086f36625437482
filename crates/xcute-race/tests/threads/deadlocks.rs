//! The shapes of deadlocks.

use std::collections::BTreeMap;

use xcute_race::{AlgorithmName, Causality, Deadlock, Operation, Shape, deadlock, possible_deadlocks};

use crate::campaign::{Campaign, Order, deadlocked};
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
fn who_joins_a_task_that_waits_for_a_signal_is_no_shape_of_its_own() {
    let program = threads!(|t| {
        let child = t.fork(&crate::thread::body(|t| t.p(M)))?;
        t.join(child)
    });
    assert_eq!(shapes(&program), BTreeMap::from([("lost wakeup", 1)]));
}

/// The locks of the possible deadlocks that the first run shows.
fn predicted(program: &Program) -> Vec<Vec<u64>> {
    let mut campaign = Campaign::new(program, AlgorithmName::Dpor.build());
    campaign.limit = 1;
    let record = campaign.explore(Order::Dfs).records.remove(0);
    assert!(!deadlocked(&record), "the first run goes well");
    possible_deadlocks(&Causality::new(&record)).iter().map(|cycle| cycle.iter().map(|one| one.held.0 - M).collect()).collect()
}

#[test]
fn deadlocks_of_other_runs_are_foreseen() {
    assert_eq!(predicted(&philosophers(2)), [[0, 1]]);
    assert_eq!(predicted(&philosophers(4)), [[0, 1, 2, 3]]);
    assert!(predicted(&lock_counter(3, true)).is_empty(), "one lock has no order");
}

#[test]
fn a_gate_or_a_join_prevents_a_deadlock() {
    let gated = |a: u64, b: u64| crate::thread::body(move |t| t.locked(O, |t| t.locked(a, |t| t.locked(b, |_| Ok(())))));
    assert!(predicted(&program(vec![gated(M, N), gated(N, M)])).is_empty());
    let joined = threads!(|t| {
        let child = t.fork(&crate::thread::body(|t| t.locked(M, |t| t.locked(N, |_| Ok(())))))?;
        t.join(child)?;
        t.locked(N, |t| t.locked(M, |_| Ok(())))
    });
    assert!(predicted(&joined).is_empty());
    let unjoined = threads!(|t| {
        t.fork(&crate::thread::body(|t| t.locked(M, |t| t.locked(N, |_| Ok(())))))?;
        t.locked(N, |t| t.locked(M, |_| Ok(())))
    });
    assert_eq!(predicted(&unjoined), [[0, 1]]);
    let attempts =
        threads!(|t| t.locked(M, |t| t.locked(N, |_| Ok(()))), |t| t.locked(N, |t| { if t.try_lock(M)? { t.unlock(M) } else { Ok(()) } }));
    assert!(predicted(&attempts).is_empty(), "an attempt does not block");
}
