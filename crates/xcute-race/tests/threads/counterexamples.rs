//! The smallest programs on which the figures of the paper, or tempting shortcuts, miss classes. None may be missed here.

use xcute_race::{Causality, races};

use crate::agree::agree;
use crate::campaign::{Campaign, Order};
use crate::programs::*;
use crate::thread::{Step, Thread};
use crate::world::Program;

const S: u64 = 200;
const L: u64 = 201;

fn lock(t: &mut Thread<'_>, m: u64) -> Step {
    t.locked(m, |_| Ok(()))
}

fn attempt(t: &mut Thread<'_>, m: u64) -> Step {
    if t.try_lock(m)? { t.unlock(m) } else { Ok(()) }
}

#[test]
fn operations_that_never_ran() {
    assert_eq!(agree(&philosophers(2), "figure 13, deadlock", 0, 1), 3);
    assert_eq!(agree(&nested_monitor(), "figure 17, deadlock", 0, 2), 2);
    let three = threads!(
        |t| t.locked(M, |t| t.locked(N, |t| lock(t, O))),
        |t| t.locked(O, |t| {
            lock(t, N)?;
            lock(t, N)
        }),
        |t| lock(t, N)
    );
    assert_eq!(agree(&three, "figure 17, locks only", 0, 3), 13);
    assert_eq!(agree(&three_locks(), "postponed as long as possible", 0, 4), 8);
}

#[test]
fn races_of_earlier_runs() {
    let program = threads!(
        |t| {
            t.write(Y, 2)?;
            t.write(Y, 1)
        },
        |t| {
            t.write(X, 1)?;
            t.write(Y, 0)
        }
    );
    assert_eq!(agree(&program, "5.2.1: race not used across executions", 0, 1), 3);
}

#[test]
fn ordered_predecessors() {
    let program = threads!(
        |t| {
            t.write(Y, 1)?;
            t.write(Y, 1)
        },
        |t| if t.read(Y)?.constant() == 0 { t.write(Y, 0) } else { Ok(()) }
    );
    assert_eq!(agree(&program, "theorem 3.4 (1)", 0, 1), 5);
}

#[test]
fn races_of_delayed_threads() {
    assert_eq!(agree(&writer_readers(), "figure 19: suppressed flag", 0, 1), 4);
    assert_eq!(agree(&race_lost(), "figure 19: nobody is left", 0, 2), 3);
    assert_eq!(agree(&postpone_branch(), "figure 19: the error", 0, 3), 3);
}

#[test]
fn locks_that_cannot_be_reversed() {
    let program = threads!(|t| t.locked(M, |t| t.write(Y, 1)), |t| {
        t.read(Y)?;
        lock(t, M)
    });
    let classes = agree(&program, "the unlock is not the lock", 0, 1);
    let mut campaign = Campaign::new(&program, xcute_race::AlgorithmName::Dpor.build());
    let first = &campaign.explore(Order::Dfs).records[0];
    let causality = Causality::new(first);
    let flips: Vec<(usize, usize)> = first
        .steps
        .iter()
        .enumerate()
        .flat_map(|(at, step)| races(&causality, at, step.next()))
        .map(|race| (race.first, race.second))
        .collect();
    // Lock, write, unlock, read, lock: only the write and the read.
    assert_eq!((classes, flips), (3, vec![(1, 3)]));
}

#[test]
fn other_primitives() {
    let permits = |t: &mut Thread<'_>| {
        t.p(S)?;
        t.v(S)
    };
    let semaphore = Program { permits: vec![(S, 1)], ..threads!(permits, permits) };
    assert_eq!(agree(&semaphore, "P | P", 0, 1), 2);
    let readers_writer = threads!(
        |t| {
            t.write_lock(L)?;
            t.write_unlock(L)
        },
        |t| {
            t.read_lock(L)?;
            lock(t, N)?;
            t.read_unlock(L)
        }
    );
    assert_eq!(agree(&readers_writer, "wr | rd", 0, 2), 2);
    assert_eq!(agree(&threads!(|t| t.write(Y, 1), |t| t.until(Y, 0)), "y=1 | await y==0", 0, 3), 2);
    assert_eq!(agree(&await_either(), "x=1 | y=1 | await x or y", 0, 3), 3);
    // It waits for another change where what it waits for is taken back.
    let back = threads!(|t| t.write(X, 1), |t| t.write(X, 0), |t| t.until_any(X, Y), |t| t.write(Y, 1));
    agree(&back, "x=1 | x=0 | await x or y | y=1", 0, 3);
    assert_eq!(agree(&threads!(|t| attempt(t, N), |t| attempt(t, N)), "try | try", 0, 4), 4);
}

#[test]
fn ends_of_blocked_runs() {
    let program = threads!(
        |t| {
            t.read_lock(L)?;
            t.add(X, 1)?;
            t.read_unlock(L)
        },
        |t| t.add(Y, 1).map(drop),
        |t| {
            t.locked(N, |t| t.until(Y, 0))?;
            t.write_lock(L)
        }
    );
    assert_eq!(agree(&program, "races at the end of sleep-blocked runs", 0, 1), 3);
}

#[test]
fn attempts_that_succeed_when_flipped() {
    let program = threads!(|t| lock(t, N), |t| attempt(t, N), |t| {
        if t.try_lock(N)? {
            t.write(Y, 1)?;
            t.write(Y, 0)?;
            t.unlock(N)?;
        }
        t.write(Y, 0)
    });
    assert_eq!(agree(&program, "try whose accesses change", 0, 1), 15);
}

#[test]
fn a_reader_that_has_left() {
    // Reader 1, reader 2, both leave, writer: reader 2 can be postponed although the lock is held before it.
    let read = |t: &mut Thread<'_>| {
        t.read_lock(L)?;
        t.read_unlock(L)
    };
    let program = threads!(read, read, |t| {
        t.write_lock(L)?;
        t.write_unlock(L)
    });
    agree(&program, "rd rd wr", 0, 1);
    // Steps: rd 1, rd 2, leave 1, leave 2, wr.
    let mut campaign = Campaign::new(&program, xcute_race::AlgorithmName::All.build());
    let outcome = campaign.explore(Order::Dfs);
    let order = |record: &&xcute_race::Record| record.steps.iter().map(|step| step.task().0).collect::<Vec<_>>() == [0, 1, 0, 1, 2, 2];
    let record = outcome.records.iter().find(order).expect("one of all interleavings");
    let found: Vec<usize> = races(&Causality::new(record), 4, record.steps[4].next()).iter().map(|race| race.first).collect();
    assert_eq!(found, [1, 0]);
}

#[test]
fn arms_below_schedules() {
    let program = threads!(
        |t| t.read(X).map(drop),
        |t| {
            t.read(X)?;
            t.choose(2)?;
            t.write(X, 0)
        },
        |t| {
            t.read(X)?;
            t.write(X, 2)
        }
    );
    assert_eq!(agree(&program, "absent arms", 0, 1), 24);
    let program = threads!(
        |t| {
            let y = t.read(Y)?;
            if t.equal(y, 1)? { t.read(X).map(drop) } else { Ok(()) }
        },
        |t| {
            let b = t.input(0);
            t.write(Y, b)
        },
        |t| {
            let y = t.read(Y)?;
            if t.equal(y, 1)? {
                t.write(Y, 2)?;
            }
            let b = t.input(0);
            t.write(X, b)
        }
    );
    agree(&program, "arms that exclude each other", 2, 2);
}
