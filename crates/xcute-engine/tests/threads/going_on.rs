//! Campaigns that were killed go on.

use xcute_engine::Record;
use xcute_race::AlgorithmName;
use xcute_strategy::StrategyName;

use crate::model::{How, Make, search};
use crate::programs::*;

#[test]
fn after_any_record() {
    let programs: [(&str, Make); 4] = [
        ("figure 2", || figure2(false)),
        ("interaction", interaction),
        ("lastzero(3)", || last_zero(3)),
        ("philosophers", || philosophers(3)),
    ];
    for (name, program) in programs {
        for (strategy, jobs) in [(StrategyName::Dfs, 1), (StrategyName::Random, 1), (StrategyName::Bfs, 2)] {
            let whole = search(program, How { jobs, ..How::new(AlgorithmName::Dpor, strategy) }, &[]);
            for cut in 1..=whole.records.len() {
                let how = How { jobs: 1 + cut % 2, ..How::new(AlgorithmName::Dpor, strategy) };
                let out = search(program, how, &whole.records[..cut]);
                let what = format!("{name}, {} with {jobs} workers, after {cut} records", strategy.as_str());
                assert_eq!((&out.classes, out.results.complete), (&whole.classes, true), "{what}: {:?}", out.results.limits);
                assert_eq!(out.results.failures.len(), whole.results.failures.len(), "{what}");
            }
            let out = search(program, How::new(AlgorithmName::Dpor, strategy), &whole.records);
            assert_eq!((out.results.queries, out.results.runs), ((0, 0, 0), whole.results.runs), "{name}: nothing is left to be asked");
        }
    }
}

#[test]
fn a_restart_is_repeated() {
    let how = How { private: true, ..How::new(AlgorithmName::Dpor, StrategyName::Dfs) };
    let whole = search(interaction, how, &[]);
    assert!(whole.records.contains(&Record::Restart));
    for cut in 1..=whole.records.len() {
        let out = search(interaction, how, &whole.records[..cut]);
        assert_eq!((&out.classes, out.results.complete), (&whole.classes, true), "after {cut} records");
    }
}
