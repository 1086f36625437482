//! Programs whose numbers of interleavings, classes, deadlocks, errors, races and runs are known.

use std::collections::BTreeSet;

use xcute_race::{AlgorithmName, Causality, Explorer, Mode, data_races};
use xcute_trace::TaskId;

use crate::campaign::{Campaign, Order, Outcome};
use crate::oracle;
use crate::programs::*;
use crate::random_programs::number;
use crate::world::Program;

struct Known {
    name: &'static str,
    program: Program,
    interleavings: u64,
    classes: usize,
    /// Classes that deadlock, classes that reach the error, pairs in a data race.
    found: [usize; 3],
    races: usize,
    sleep: (usize, usize),
    dpor: (usize, usize),
}

#[rustfmt::skip]
fn known() -> Vec<Known> {
    let row = |name, program, interleavings, classes, found, races, sleep, dpor| {
        Known { name, program, interleavings, classes, found, races, sleep, dpor }
    };
    let same = |name, program, classes: usize, found| row(name, program, classes as u64, classes, found, classes, (classes, 0), (classes, 0));
    let few = Buffer { producers: 1, consumers: 1, puts: 1, gets: 1, all: false, looping: true, spurious: 0 };
    let pairs = Buffer { producers: 2, consumers: 2, ..few };
    let two = Buffer { consumers: 2, puts: 2, ..few };
    vec![
        same("figure 2, z=1", figure2(true), 3, [0, 1, 2]),
        same("figure 2", figure2(false), 4, [0, 1, 2]),
        row("figure 21", figure21(), 6, 2, [0, 0, 1], 3, (2, 0), (2, 0)),
        row("figure 22", figure22(), 6, 1, [0, 0, 0], 1, (1, 0), (1, 0)),
        row("x=1;x=2 | y=3;x=4", two_and_two(), 6, 3, [0, 0, 1], 6, (3, 0), (3, 0)),
        same("2 writers", writers(2), 2, [0, 0, 1]),
        same("3 writers", writers(3), 6, [0, 0, 3]),
        same("4 writers", writers(4), 24, [0, 0, 6]),
        row("2 readers, writer", readers_writer(2), 6, 4, [0, 0, 2], 5, (4, 0), (4, 0)),
        row("3 readers, writer", readers_writer(3), 24, 8, [0, 0, 3], 16, (8, 0), (8, 0)),
        row("4 readers, writer", readers_writer(4), 120, 16, [0, 0, 4], 65, (16, 0), (16, 0)),
        row("writer, 2 readers", writer_readers(), 6, 4, [0, 0, 2], 5, (4, 0), (4, 0)),
        row("lastzero(1)", last_zero(1), 3, 2, [0, 0, 1], 3, (2, 0), (2, 0)),
        row("lastzero(2)", last_zero(2), 35, 5, [0, 0, 3], 12, (5, 0), (5, 0)),
        row("lastzero(3)", last_zero(3), 920, 12, [0, 0, 5], 99, (12, 3), (12, 1)),
        row("lastzero(4)", last_zero(4), 44_300, 28, [0, 0, 7], 1_609, (28, 17), (28, 7)),
        row("lastzero(5)", last_zero(5), 3_487_880, 64, [0, 0, 9], 46_337, (64, 74), (64, 33)),
        row("indexer(2, 8)", indexer(2, 8), 6, 1, [0, 0, 0], 1, (1, 0), (1, 0)),
        row("indexer(2, 4)", indexer(2, 4), 8, 3, [0, 0, 0], 7, (3, 0), (3, 0)),
        row("indexer(3, 8)", indexer(3, 8), 90, 1, [0, 0, 0], 1, (1, 0), (1, 0)),
        row("philosophers(2)", philosophers(2), 6, 3, [1, 0, 0], 4, (3, 0), (3, 0)),
        row("philosophers(3)", philosophers(3), 168, 7, [1, 0, 0], 19, (7, 2), (7, 0)),
        row("philosophers(4)", philosophers(4), 98_184, 15, [1, 0, 0], 132, (15, 9), (15, 0)),
        row("lock m{n} | o{m} | n{m}", three_locks(), 372, 8, [2, 0, 0], 20, (8, 1), (8, 0)),
        same("buffer 1p1c, 1 item", buffer(few), 2, [0, 0, 0]),
        same("buffer 1p1c, 2 items", buffer(Buffer { puts: 2, gets: 2, ..few }), 8, [0, 0, 0]),
        same("buffer 2p2c, notify", buffer(pairs), 80, [8, 0, 0]),
        same("buffer 2p2c, notifyAll", buffer(Buffer { all: true, ..pairs }), 80, [0, 0, 0]),
        same("buffer 1p2c, while", buffer(two), 40, [4, 0, 0]),
        same("buffer 1p2c, if", buffer(Buffer { looping: false, ..two }), 40, [4, 12, 0]),
        same("buffer 1p1c, while, spurious", buffer(Buffer { spurious: 1, ..few }), 3, [0, 0, 0]),
        same("buffer 1p1c, if, spurious", buffer(Buffer { spurious: 1, looping: false, ..few }), 3, [0, 1, 0]),
        same("buffer 2p2c, notify, spurious", buffer(Buffer { spurious: 1, ..pairs }), 784, [56, 0, 0]),
        same("notify picks 1 of 2", two_waiters(), 10, [10, 0, 0]),
        row("lost wakeup", lost_wakeup(), 8, 3, [1, 0, 1], 4, (3, 0), (3, 0)),
        same("nested monitor", nested_monitor(), 2, [1, 0, 0]),
        row("read-read", read_read(), 6, 1, [0, 0, 0], 1, (1, 0), (1, 0)),
        same("lock race", lock_race(), 2, [0, 0, 0]),
        same("lock counter(2)", lock_counter(2, false), 2, [0, 0, 0]),
        same("lock counter(2), re-entrant", lock_counter(2, true), 2, [0, 0, 0]),
        same("lock counter(3)", lock_counter(3, false), 6, [0, 0, 0]),
        same("lock counter(4)", lock_counter(4, false), 24, [0, 0, 0]),
        row("racy counter(2)", racy_counter(2), 6, 4, [0, 0, 3], 6, (4, 0), (4, 0)),
        row("racy counter(3)", racy_counter(3), 90, 36, [0, 0, 9], 90, (36, 0), (36, 0)),
        same("fork", fork(), 8, [0, 0, 3]),
        row("join", join(), 4, 3, [0, 0, 2], 3, (3, 0), (3, 0)),
        row("postpone, branch", postpone_branch(), 7, 3, [0, 1, 2], 5, (3, 0), (3, 0)),
        row("race lost", race_lost(), 11, 3, [0, 0, 2], 7, (3, 2), (3, 1)),
        row("spin(2)", spin(2), 5, 3, [0, 0, 1], 3, (3, 0), (3, 0)),
        row("spin(3)", spin(3), 7, 4, [0, 0, 1], 4, (4, 0), (4, 0)),
        same("await", await_flag(), 1, [0, 0, 0]),
        same("await, 3 writers", await_three(), 10, [4, 0, 3]),
        same("try | lock", try_lock(1), 3, [0, 0, 0]),
        row("try | try | lock", try_lock(2), 16, 15, [0, 0, 0], 16, (15, 0), (15, 0)),
        same("P V", semaphore(), 2, [0, 0, 0]),
        same("P | V", signal(), 1, [0, 0, 0]),
        row("barrier", barrier(), 18, 4, [0, 0, 1], 6, (4, 0), (4, 0)),
        row("rd | rd | wr", readers_writer_lock(), 42, 4, [0, 0, 0], 5, (4, 0), (4, 0)),
        row("store buffer", store_buffer(false), 6, 3, [0, 0, 2], 4, (3, 0), (3, 0)),
        row("store buffer, atomic", store_buffer(true), 6, 3, [0, 0, 0], 4, (3, 0), (3, 0)),
        row("message, plain", message(Flag::Plain), 6, 3, [0, 0, 2], 4, (3, 0), (3, 0)),
        row("message, atomic", message(Flag::Atomic), 6, 3, [0, 0, 1], 4, (3, 0), (3, 0)),
        same("message, await", message(Flag::Await), 1, [0, 0, 0]),
        row("interaction", interaction(), 12, 8, [0, 2, 2], 12, (8, 0), (8, 0)),
    ]
}

/// The pairs of tasks and kinds, with the cell, that race in one of these runs.
pub fn pairs(outcome: &Outcome, explorer: &Explorer) -> BTreeSet<(u64, [(TaskId, Mode); 2])> {
    let mut all = BTreeSet::new();
    for record in &outcome.records {
        let causality = Causality::new(record);
        for race in data_races(&causality) {
            let event = |step: usize| &causality.events()[step];
            let access = |step: usize| (explorer.tasks().id(event(step).task).clone(), event(step).accesses[0].mode);
            let mut pair = [access(race.first), access(race.second)];
            pair.sort_unstable();
            all.insert((race.cell.0, pair));
        }
    }
    all
}

/// Differences to what is known, one line each.
fn differences(row: &Known, name: AlgorithmName, order: Order, runs: (usize, usize)) -> Vec<String> {
    let mut campaign = Campaign::new(&row.program, name.build());
    let outcome = campaign.explore(order);
    let found = [outcome.deadlocks.len(), outcome.errors.len(), pairs(&outcome, &campaign.explorer).len()];
    let mut all = Vec::new();
    let mut hold = |what: &str, is: String, known: String| {
        if is != known {
            all.push(format!("{}, {}: {what} {is}, known {known}", row.name, name.as_str()));
        }
    };
    hold("runs", format!("{:?}", (outcome.full, outcome.asleep)), format!("{runs:?}"));
    hold("classes", outcome.classes.len().to_string(), row.classes.to_string());
    hold("deadlocks, errors, races", format!("{found:?}"), format!("{:?}", row.found));
    hold("complete", outcome.complete.to_string(), "true".to_owned());
    all
}

/// The most runs a test makes of one row; `XCUTE_RACE_RUNS` allows more.
const RUNS: u64 = 2_000;

fn compare(order: Order, algorithms: &[AlgorithmName]) {
    let mut wrong = Vec::new();
    for row in known() {
        for name in algorithms {
            let runs = match name {
                AlgorithmName::All => (row.interleavings as usize, 0),
                AlgorithmName::Races => (row.races, 0),
                AlgorithmName::Sleep => row.sleep,
                AlgorithmName::Dpor => row.dpor,
            };
            if runs.0 as u64 <= number("XCUTE_RACE_RUNS", RUNS) {
                wrong.extend(differences(&row, *name, order, runs));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn runs_depth_first() {
    compare(Order::Dfs, &AlgorithmName::ALL);
}

#[test]
fn runs_in_any_order() {
    compare(Order::Random(7), &[AlgorithmName::Dpor, AlgorithmName::Sleep, AlgorithmName::Races]);
    compare(Order::Bfs, &[AlgorithmName::Dpor]);
}

#[test]
fn larger_programs() {
    for (n, runs) in [(6, (144, 131)), (7, (320, 473))] {
        let outcome = Campaign::new(&last_zero(n), AlgorithmName::Dpor.build()).explore(Order::Dfs);
        assert_eq!((outcome.full, outcome.asleep, outcome.classes.len()), (runs.0, runs.1, runs.0), "lastzero({n})");
    }
    for (n, classes) in [(5, 31), (6, 63)] {
        let outcome = Campaign::new(&philosophers(n), AlgorithmName::Dpor.build()).explore(Order::Bfs);
        assert_eq!((outcome.classes.len(), outcome.deadlocks.len()), (classes, 1), "philosophers({n})");
    }
}

#[test]
fn the_oracle_agrees() {
    for row in known() {
        let truth = oracle::truth(&row.program, 8);
        assert_eq!((truth.classes.len(), [truth.deadlocks, truth.errors]), (row.classes, [row.found[0], row.found[1]]), "{}", row.name);
        assert_eq!(oracle::interleavings(&row.program, 8), row.interleavings, "{}", row.name);
    }
}
