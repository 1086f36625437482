//! Programs whose runs are known: the same by every strategy, with one worker or several.

use xcute_engine::{Scheduling, StopReason};
use xcute_race::{AlgorithmName, PolicyName};
use xcute_strategy::StrategyName;

use crate::model::{How, Make, Outcomes, search};
use crate::programs::*;

struct Known {
    name: &'static str,
    program: Make,
    /// Complete runs, and runs that ended asleep.
    dpor: (u64, u64),
    sleep: (u64, u64),
    races: u64,
    all: u64,
    classes: usize,
}

#[rustfmt::skip]
fn known() -> Vec<Known> {
    let row = |name, program, all, classes, races, sleep, dpor| Known { name, program, dpor, sleep, races, all, classes };
    vec![
        row("figure 2", || figure2(false), 4, 4, 4, (4, 0), (4, 0)),
        row("figure 21", figure21, 6, 2, 3, (2, 0), (2, 0)),
        row("figure 22", figure22, 6, 1, 1, (1, 0), (1, 0)),
        row("x=1;x=2 | y=3;x=4", two_and_two, 6, 3, 6, (3, 0), (3, 0)),
        row("3 writers", || writers(3), 6, 6, 6, (6, 0), (6, 0)),
        row("3 readers, writer", || readers_writer(3), 24, 8, 16, (8, 0), (8, 0)),
        row("lastzero(3)", || last_zero(3), 920, 12, 99, (12, 3), (12, 1)),
        row("philosophers(3)", || philosophers(3), 168, 7, 19, (7, 2), (7, 0)),
        row("notify picks 1 of 2", two_waiters, 10, 10, 10, (10, 0), (10, 0)),
        row("lost wakeup", lost_wakeup, 8, 3, 4, (3, 0), (3, 0)),
        row("fork", fork, 8, 8, 8, (8, 0), (8, 0)),
        row("join", join, 4, 3, 3, (3, 0), (3, 0)),
        row("race lost", race_lost, 11, 3, 7, (3, 2), (3, 1)),
        row("try | try | lock", || try_lock(2), 16, 15, 16, (15, 0), (15, 0)),
        row("2 counters of 3", || adders(3), 20, 20, 20, (20, 0), (20, 0)),
        row("interaction", interaction, 12, 8, 12, (8, 0), (8, 0)),
    ]
}

/// Two tasks that add to one atomic this many times.
fn adders(times: usize) -> crate::world::Program {
    let add = crate::thread::body(move |t| (0..times).try_for_each(|_| t.add(X, 1).map(drop)));
    program(vec![add.clone(), add])
}

#[test]
fn arms_that_are_asked_for_elsewhere_come_back() {
    for jobs in [2, 3, 4] {
        let out = search(|| adders(6), How { jobs, ..How::new(AlgorithmName::Dpor, StrategyName::Coverage) }, &[]);
        assert_eq!((out.results.paths, out.results.complete), (924, true), "{jobs} workers: {:?}", out.results.arms);
    }
}

fn check(row: &Known, how: How, runs: (u64, u64), what: &str) -> Outcomes {
    let out = search(row.program, how, &[]);
    let r = &out.results;
    let what = format!("{}, {what}", row.name);
    assert_eq!((r.paths, r.sleep_blocked), runs, "{what}");
    assert_eq!((r.complete, r.stop, r.runs), (true, Some(StopReason::Exhausted), runs.0 + runs.1), "{what}: {:?}", r.limits);
    let mut classes = out.classes.clone();
    classes.dedup();
    assert_eq!(classes.len(), row.classes, "{what}");
    out
}

#[test]
fn every_algorithm() {
    for row in known() {
        for name in AlgorithmName::ALL {
            let runs = match name {
                AlgorithmName::Dpor => row.dpor,
                AlgorithmName::Sleep => row.sleep,
                AlgorithmName::Races => (row.races, 0),
                AlgorithmName::All => (row.all, 0),
            };
            check(&row, How::new(name, StrategyName::Dfs), runs, name.as_str());
        }
    }
}

#[test]
fn every_strategy_gives_the_same_classes() {
    for row in known() {
        let first = check(&row, How::new(AlgorithmName::Dpor, StrategyName::Dfs), row.dpor, "dfs");
        for strategy in StrategyName::EXHAUSTIVE {
            let how = How::new(AlgorithmName::Dpor, strategy);
            let out = search(row.program, how, &[]);
            assert_eq!(out.classes, first.classes, "{}, {}", row.name, strategy.as_str());
            assert!(out.results.complete, "{}, {}", row.name, strategy.as_str());
        }
    }
}

#[test]
fn workers_find_together_what_one_finds_alone() {
    for row in known() {
        let alone = search(row.program, How::new(AlgorithmName::Dpor, StrategyName::Dfs), &[]);
        for (strategy, jobs) in [(StrategyName::Dfs, 2), (StrategyName::Bfs, 3), (StrategyName::Coverage, 2), (StrategyName::Random, 2)] {
            let out = search(row.program, How { jobs, ..How::new(AlgorithmName::Dpor, strategy) }, &[]);
            let what = format!("{}, {} workers, {}", row.name, jobs, strategy.as_str());
            let r = &out.results;
            assert_eq!((&out.classes, r.complete, r.paths), (&alone.classes, true, row.dpor.0), "{what}: {:?} {:?}", r.arms, r.limits);
            assert_eq!(r.failures.len(), alone.results.failures.len(), "{what}");
        }
    }
}

#[test]
fn figure_2_shows_its_error_in_four_runs() {
    for strategy in StrategyName::EXHAUSTIVE {
        let out = search(|| figure2(false), How::new(AlgorithmName::Dpor, strategy), &[]);
        assert_eq!((out.results.runs, out.failing.len()), (4, 1), "{}", strategy.as_str());
        assert!(out.causes > 0, "races opened the arms");
    }
}

#[test]
fn bounds_on_preemptions_are_told() {
    for (most, deadlocks) in [(0, false), (1, true)] {
        let how = How { scheduling: Scheduling::Preemptions(most), ..How::new(AlgorithmName::Dpor, StrategyName::Dfs) };
        let out = search(|| philosophers(3), how, &[]);
        assert_eq!(!out.failing.is_empty(), deadlocks, "{most} preemptions");
        assert!(!out.results.complete && out.results.limits.keys().any(|limit| limit.kind == "preemptions"));
    }
    let how = How { scheduling: Scheduling::Preemptions(9), ..How::new(AlgorithmName::Dpor, StrategyName::Dfs) };
    let out = search(interaction, how, &[]);
    let mut classes = out.classes.clone();
    classes.dedup();
    assert_eq!((classes.len(), out.results.complete), (8, true), "{:?}", out.results.limits);
}

#[test]
fn a_bound_on_the_depth_leaves_the_search_incomplete() {
    for depth in 1..6 {
        let out = search(interaction, How { depth, ..How::new(AlgorithmName::Dpor, StrategyName::Dfs) }, &[]);
        let r = &out.results;
        let cut = r.limits.keys().any(|limit| limit.kind == "depth");
        assert_eq!((r.stop, r.complete), (Some(StopReason::Exhausted), !cut), "depth {depth}");
        assert!(!r.limits.keys().any(|limit| limit.kind == "nondeterminism"), "depth {depth}: {:?}", r.limits);
    }
}

#[test]
fn random_schedules_find_what_is_there_and_are_never_complete() {
    for policy in [PolicyName::Walk, PolicyName::Pos] {
        for jobs in [1, 2] {
            let scheduling = Scheduling::Random { policy, seed: 1 };
            let out = search(interaction, How { scheduling, jobs, ..How::new(AlgorithmName::Dpor, StrategyName::Dfs) }, &[]);
            let mut classes = out.classes.clone();
            classes.dedup();
            let r = &out.results;
            assert_eq!((classes.len(), r.complete, r.stop), (8, false, Some(StopReason::Exhausted)), "{policy}, {jobs} workers");
            assert!(r.limits.keys().any(|limit| limit.kind == "random") && !out.failing.is_empty());
        }
    }
}

#[test]
fn random_schedules_are_repeated() {
    let scheduling = Scheduling::Random { policy: PolicyName::Walk, seed: 3 };
    let how = How { scheduling, ..How::new(AlgorithmName::Dpor, StrategyName::Dfs) };
    let whole = search(|| figure2(false), how, &[]);
    let again = search(|| figure2(false), how, &whole.records[..whole.records.len() / 2]);
    assert_eq!(again.classes, whole.classes);
}
