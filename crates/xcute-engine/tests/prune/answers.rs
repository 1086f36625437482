//! Known answers of the notes, through the whole loop; and that pruning does not change the order of the search.

use xcute_engine::{Equipment, Options, Prune, PruneOptions, run_all};
use xcute_strategy::StrategyName;

use crate::model::{Log, Model, campaign, counts, failures, pruned, solver};
use crate::syntax::{Source, parse};

fn family_a(n: usize, limit: usize) -> Source {
    parse("", &format!("int s=0; {} if(s>{limit}) bug();", "if(read()) s=s+1; ".repeat(n)))
}

const ORDERS: [StrategyName; 3] = [StrategyName::Dfs, StrategyName::Random, StrategyName::Cfg];

#[test]
fn the_paper_s_example() {
    let source = parse("", "int s=0; if(read()) s=s+1; if(read()) s=s+2; if(s>3) bug();");
    let plain = campaign(&source, StrategyName::Dfs, 0, Options::default()).0;
    assert_eq!((plain.runs, plain.complete, plain.pruned.is_none()), (4, true, true));
    let half = campaign(&source, StrategyName::Dfs, 0, pruned(false)).0;
    assert_eq!((counts(&half), half.complete, half.pruned.as_ref().map(|p| p.verified)), ((3, 0), true, Some(true)));
    for order in StrategyName::EXHAUSTIVE {
        let greedy = campaign(&source, order, 1, pruned(true)).0;
        assert_eq!((counts(&greedy), greedy.complete, greedy.arms.open), ((1, 2), true, 0), "{order:?}");
        assert!(greedy.arms.subsumed > 0);
        // What only greedy confirmation ran is covered as well.
        assert_eq!(greedy.branches, plain.branches, "{order:?}");
    }
}

#[test]
fn linear_instead_of_exponential() {
    let source = family_a(8, 8);
    assert_eq!(campaign(&source, StrategyName::Dfs, 0, Options::default()).0.runs, 256);
    assert_eq!(counts(&campaign(&source, StrategyName::Dfs, 0, pruned(false)).0), (9, 0));
    for order in ORDERS {
        assert_eq!(counts(&campaign(&source, order, 3, pruned(true)).0), (1, 8), "{order:?}");
    }
    let long = campaign(&family_a(40, 40), StrategyName::Dfs, 0, pruned(false)).0;
    assert_eq!((counts(&long), long.complete), ((41, 0), true));
}

#[test]
fn a_failure_is_found_all_the_same() {
    let source = family_a(8, 7);
    for order in ORDERS {
        for greedy in [false, true] {
            let results = campaign(&source, order, 5, pruned(greedy)).0;
            assert_eq!(failures(&results).len(), 1, "{order:?} {greedy}");
            assert!(results.complete && results.runs < 200, "{order:?} {greedy}: {} runs", results.runs);
            assert!(!results.pruned.expect("it was asked for").verified);
        }
    }
}

/// I6: where what is subsumed is looked up but run all the same, the search makes the same runs in the same order.
#[test]
fn the_order_is_that_of_the_plain_search() {
    let programs = [
        family_a(6, 6),
        family_a(6, 4),
        parse("int g; int f(int a){ if(a>0) g=g+1; return g; }", "int x=read(); f(x); f(read()); if(x>3) f(read()); if(g>2) bug();"),
        parse("", "int i=0,s=0; while(i<4){ if(read()) s=s+1; i=i+1; } if(s>3) { if(read()==7) bug(); }"),
    ];
    let mut skipped = [0, 0];
    for source in &programs {
        for order in StrategyName::EXHAUSTIVE {
            let plain = campaign(source, order, 9, Options::default()).1.runs.into_inner().unwrap();
            for greedy in [false, true] {
                let options = pruned(greedy);
                let measured = Options { prune: PruneOptions { prune: Prune::Measure, ..options.prune }, ..options };
                let (results, log) = campaign(source, order, 9, measured);
                assert_eq!(log.runs.into_inner().unwrap(), plain, "{order:?}, greedy confirmation: {greedy}");
                skipped[usize::from(greedy)] += results.pruned.expect("it was asked for").counters.skipped;
            }
        }
    }
    assert!(0 < skipped[0] && skipped[0] < skipped[1], "looked up and found, without and with greedy confirmation: {skipped:?}");
}

#[test]
fn workers_prune_each_for_itself() {
    let source = family_a(10, 9);
    for greedy in [false, true] {
        let mut subjects: Vec<Model> = (0..3).map(|_| Model::new(&source)).collect();
        let equipment = Equipment {
            solver: &solver,
            strategy: &|sites, worker| StrategyName::Random.build(sites, worker),
            options: pruned(greedy),
            seeds: &[],
            past: &[],
        };
        let (results, error) = run_all(&mut subjects, &equipment, &Log::default());
        assert!(error.is_none() && results.complete);
        assert_eq!((failures(&results).len(), results.arms.open), (1, 0));
        assert!(results.runs < 1024, "{} runs", results.runs);
    }
}

#[test]
fn a_subject_without_segments_is_searched_plainly() {
    let mut subject = Model::new(&family_a(4, 4));
    subject.segments = false;
    let equipment = Equipment {
        solver: &solver,
        strategy: &|sites, worker| StrategyName::Dfs.build(sites, worker),
        options: pruned(true),
        seeds: &[],
        past: &[],
    };
    let results = run_all(std::slice::from_mut(&mut subject), &equipment, &Log::default()).0;
    assert_eq!((results.runs, results.complete), (16, true));
    let reasons = results.pruned.expect("it was asked for").reasons;
    assert_eq!(reasons.into_iter().collect::<Vec<_>>(), ["it has none"]);
}
