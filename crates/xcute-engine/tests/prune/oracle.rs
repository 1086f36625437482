//! Random programs: with and without pruning the same failures, for every order, with and without greedy confirmation, with one worker and two; and no failing
//! path of the plain search passes a full node.

use xcute_engine::{Equipment, Options, Prune, PruneOptions, run_all};
use xcute_strategy::StrategyName;

use crate::generate::{Generator, Kind};
use crate::model::{Log, Model, campaign, failures, pruned, solver};
use crate::syntax::Source;

/// Programs with more paths are left out.
const PATHS: u64 = 150;

/// The failures of the plain search, if it is complete.
fn truth(source: &Source) -> Option<(std::collections::BTreeSet<u32>, u64)> {
    let plain = campaign(source, StrategyName::Dfs, 0, Options { runs: PATHS, ..Options::default() }).0;
    (plain.complete && plain.runs > 2).then(|| (failures(&plain), plain.runs))
}

#[test]
fn random_programs_have_the_same_failures() {
    let (mut plain, mut less) = (0, 0);
    for kind in [Kind::General, Kind::Counters, Kind::Addresses] {
        let mut generator = Generator::new(kind, 41);
        let mut done = 0;
        while done < 30 {
            let (source, text) = generator.program();
            let Some((truth, runs)) = truth(&source) else { continue };
            done += 1;
            for order in [StrategyName::Dfs, StrategyName::Random, StrategyName::Cfg] {
                for greedy in [false, true] {
                    let results = campaign(&source, order, done, pruned(greedy)).0;
                    assert_eq!(failures(&results), truth, "{order:?}, greedy confirmation {greedy}:\n{text}");
                    assert!(results.complete, "{order:?}, greedy confirmation {greedy}:\n{text}");
                    let pruned = results.pruned.expect("it was asked for");
                    assert!(!pruned.verified || truth.is_empty(), "verified:\n{text}");
                    (plain, less) = (plain + runs, less + results.runs);
                }
            }
            if done % 5 == 0 {
                let mut subjects = [Model::new(&source), Model::new(&source)];
                let strategy = |sites: &xcute_trace::Sites, worker| StrategyName::Cfg.build(sites, worker);
                let equipment = Equipment { solver: &solver, strategy: &strategy, options: pruned(true), seeds: &[], past: &[] };
                let results = run_all(&mut subjects, &equipment, &Log::default()).0;
                assert_eq!(failures(&results), truth, "two workers:\n{text}");
            }
        }
    }
    assert!(less * 4 < plain * 3, "{less} runs instead of {plain}");
}

/// The stronger oracle: where everything is run all the same, no run that fails may have come to a full node.
#[test]
fn no_failing_path_passes_a_full_node() {
    let mut generator = Generator::new(Kind::General, 77);
    let (mut done, mut failing) = (0, 0);
    while done < 40 {
        let (source, text) = generator.program();
        let Some((truth, _)) = truth(&source) else { continue };
        done += 1;
        failing += u64::from(!truth.is_empty());
        for greedy in [false, true] {
            let options = pruned(greedy);
            let options = Options { prune: PruneOptions { prune: Prune::Measure, ..options.prune }, ..options };
            for order in [StrategyName::Dfs, StrategyName::Random, StrategyName::Cfg] {
                let results = campaign(&source, order, done, options).0;
                let pruned = results.pruned.as_ref().expect("it was asked for");
                assert_eq!(pruned.counters.refuted, 0, "{order:?}, greedy confirmation {greedy}:\n{text}");
                assert!(truth.is_empty() || !pruned.verified, "{text}");
                assert_eq!((failures(&results), results.complete), (truth.clone(), true), "{text}");
            }
        }
    }
    assert!(failing > 10, "only {failing} programs fail");
}
