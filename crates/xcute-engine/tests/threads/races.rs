//! Data races are failures of their own.

use std::collections::BTreeSet;

use xcute_engine::Flipped;
use xcute_race::AlgorithmName;
use xcute_strategy::StrategyName;
use xcute_trace::FailureKind;

use crate::model::{How, Make, search};
use crate::programs::*;

#[test]
fn each_pair_of_places_once() {
    let rows: [(&str, Make, usize); 5] = [
        ("figure 2", || figure2(false), 2),
        ("racy counter(2)", || racy_counter(2), 3),
        ("racy counter(3)", || racy_counter(3), 9),
        ("lock counter(2)", || lock_counter(2, false), 0),
        ("store buffer, atomic", || store_buffer(true), 0),
    ];
    for (name, program, races) in rows {
        for (how, jobs) in AlgorithmName::ALL.into_iter().zip([1, 2, 1, 2]) {
            let out = search(program, How { jobs, ..How::new(how, StrategyName::Dfs) }, &[]);
            let found: Vec<_> = out.results.failures.iter().filter(|found| found.failure.kind == FailureKind::DataRace).collect();
            let keys: BTreeSet<_> = found.iter().map(|found| format!("{:?}", found.failure.key())).collect();
            assert_eq!((found.len(), keys.len()), (races, races), "{name}, {}", how.as_str());
            assert!(found.iter().all(|found| found.confirmed && found.times > 0));
        }
    }
}

#[test]
fn what_turning_a_race_round_led_to_is_known() {
    // Whether the input is there already or has to be found.
    for (program, how) in [(|| figure2(true)) as Make, || figure2(false)].into_iter().flat_map(|p| AlgorithmName::ALL.map(|how| (p, how))) {
        let out = search(program, How::new(how, StrategyName::Dfs), &[]);
        let flipped: Vec<_> = out.results.failures.iter().filter_map(|found| found.flipped.clone()).collect();
        assert!(
            flipped.iter().any(|flip| matches!(flip, Flipped::Failed { kind: FailureKind::Assertion, .. })),
            "{}: {flipped:?}",
            how.as_str()
        );
    }
}

#[test]
fn a_failing_case_has_the_schedule_that_repeats_it() {
    let out = search(|| philosophers(2), How::new(AlgorithmName::Dpor, StrategyName::Dfs), &[]);
    let deadlock = out.results.failures.iter().find(|found| found.failure.kind == FailureKind::Deadlock).expect("they starve");
    assert!(!deadlock.case.schedule.choices.is_empty() && deadlock.case.schedule.asleep.is_empty());
}
