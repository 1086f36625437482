//! Memory that turns out to be shared: the search restarts and finds what it would have found with that knowledge.

use xcute_race::AlgorithmName;
use xcute_strategy::StrategyName;

use crate::model::{How, Make, search};
use crate::programs::*;

#[test]
fn the_search_is_that_of_a_program_whose_sharing_was_known() {
    let programs: [(&str, Make); 5] = [
        ("figure 2", || figure2(false)),
        ("interaction", interaction),
        ("lastzero(3)", || last_zero(3)),
        ("postpone, branch", postpone_branch),
        ("racy counter(3)", || racy_counter(3)),
    ];
    for (name, program) in programs {
        let known = search(program, How::new(AlgorithmName::Dpor, StrategyName::Dfs), &[]);
        for (strategy, jobs) in StrategyName::EXHAUSTIVE.into_iter().flat_map(|strategy| [(strategy, 1), (strategy, 2)]) {
            let how = How { private: true, jobs, ..How::new(AlgorithmName::Dpor, strategy) };
            let out = search(program, how, &[]);
            let what = format!("{name}, {} with {jobs} workers", strategy.as_str());
            let r = &out.results;
            assert!(r.restarts > 0 && r.complete, "{what}: {:?}", r.limits);
            assert_eq!((r.paths, out.classes.len()), (known.results.paths, known.classes.len()), "{what}");
        }
    }
}
