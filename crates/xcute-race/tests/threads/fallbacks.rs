//! Bounded search and random schedules.

use std::collections::BTreeSet;

use xcute_race::{AlgorithmName, Bounded, PolicyName};

use crate::campaign::{Campaign, Order};
use crate::oracle;
use crate::programs::*;
use crate::world::{Mark, Program};

#[test]
fn bugs_within_few_preemptions() {
    let few = Buffer { producers: 1, consumers: 2, puts: 2, gets: 1, all: false, looping: false, spurious: 0 };
    type Row = (&'static str, Program, &'static [(usize, usize)]);
    let known: [Row; 4] = [
        ("philosophers(3)", philosophers(3), &[(6, 0), (57, 3), (129, 6)]),
        ("lost wakeup", lost_wakeup(), &[(2, 0), (7, 1), (8, 1)]),
        ("figure 2", figure2(true), &[(2, 0), (3, 1), (3, 1)]),
        ("if, not while", buffer(few), &[(20, 6), (40, 12)]),
    ];
    for (name, program, bounds) in known {
        for (preemptions, found) in bounds.iter().enumerate() {
            let (runs, failed, _) = oracle::bounded(&program, preemptions as u32);
            assert_eq!((runs, failed), *found, "{name} with {preemptions} preemptions");
        }
    }
}

#[test]
fn the_bound_is_all_that_is_cut() {
    let programs = [last_zero(3), last_zero(4), racy_counter(3), philosophers(4), lost_wakeup(), two_waiters(), fork()];
    for (number, program) in programs.iter().enumerate() {
        for preemptions in 0..3 {
            let (runs, _, known) = oracle::bounded(program, preemptions);
            for order in [Order::Dfs, Order::Bfs, Order::Random(2)] {
                let outcome = Campaign::new(program, Box::new(Bounded::new(preemptions))).explore(order);
                let classes: BTreeSet<Vec<Mark>> = outcome.classes.into_keys().collect();
                assert!(classes == known, "program {number}, {preemptions} preemptions, {order:?}");
                assert!(outcome.full <= runs && outcome.complete, "program {number}: {} runs of {runs}", outcome.full);
            }
        }
    }
}

#[test]
fn equal_choices_are_cut() {
    let (runs, _, _) = oracle::bounded(&last_zero(4), 2);
    let outcome = Campaign::new(&last_zero(4), Box::new(Bounded::new(2))).explore(Order::Dfs);
    assert!(runs == 5_940 && outcome.full < 2_100, "{} runs, of {runs}", outcome.full);
}

#[test]
fn random_schedules_find_bugs() {
    // Percent of the runs that fail: walk, pct:2, pct:3, pos. Known from 4,000 runs each; with 2,000 here, 4 is three standard deviations.
    let known = [
        ("figure 2", figure2(true), [26, 17, 25, 26]),
        ("lost wakeup", lost_wakeup(), [12, 6, 10, 16]),
        ("philosophers(3)", philosophers(3), [34, 5, 8, 19]),
    ];
    for (name, program, percents) in known {
        for (policy, percent) in [PolicyName::Walk, PolicyName::Pct(2), PolicyName::Pct(3), PolicyName::Pos].into_iter().zip(percents) {
            let sample = |seed| Campaign::new(&program, AlgorithmName::Dpor.build()).sample(policy.build(seed), 1_000).failed;
            let found = (sample(11) + sample(12)) as f64 / 20.0;
            assert!((found - f64::from(percent)).abs() < 4.0, "{name}, {policy:?}: {found} %, known {percent} %");
        }
    }
}

#[test]
fn same_seed_same_runs() {
    for policy in [PolicyName::Walk, PolicyName::Pct(3), PolicyName::Pos] {
        let texts = |seed| Campaign::new(&last_zero(4), AlgorithmName::Dpor.build()).sample(policy.build(seed), 20).texts;
        assert_eq!(texts(1), texts(1), "{policy:?}");
        assert_ne!(texts(1), texts(2), "{policy:?}");
    }
}

#[test]
fn random_runs_feed_the_exploration() {
    // What sampled runs saw is part of the tree; the arms they open are still run, and every class is found.
    for policy in [PolicyName::Walk, PolicyName::Pct(2), PolicyName::Pos] {
        for (program, classes) in [(last_zero(3), 12), (philosophers(3), 7), (lost_wakeup(), 3)] {
            let mut campaign = Campaign::new(&program, AlgorithmName::Dpor.build());
            let outcome = campaign.sample_then_explore(policy.build(3), 5);
            assert_eq!((outcome.classes.len(), outcome.complete), (classes, true), "{policy:?}");
        }
    }
}
