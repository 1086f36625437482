//! Bounds: on decisions, with and without a horizon; on greedy confirmation; and when pruning switches itself on and off.

use xcute_engine::{Options, Prune, PruneOptions};
use xcute_strategy::StrategyName;

use crate::model::{campaign, counts, failures, pruned};
use crate::syntax::{Source, parse};

/// K14: nothing but the bound ends its paths.
fn endless() -> Source {
    parse("", "int x=0,n=0; while(n<100){ n=n+1; if(read()){ if(x>2) x=0; x=x+1; } if(x>5) bug(); }")
}

fn with(options: Options, change: impl FnOnce(&mut PruneOptions)) -> Options {
    let mut prune = options.prune;
    change(&mut prune);
    Options { prune, ..options }
}

#[test]
fn a_horizon_prunes_inside_of_what_is_cut() {
    for (greedy, most) in [(false, 26), (true, 26)] {
        let options = with(pruned(greedy), |prune| prune.horizon = Some(25));
        let (results, _) = campaign(&endless(), StrategyName::Dfs, 0, options);
        let (runs, confirmations) = counts(&results);
        assert!(runs + confirmations <= most, "{runs} + {confirmations} instead of 156 runs");
        assert!(!results.complete && failures(&results).is_empty());
        assert_eq!(results.limits.keys().map(|limit| limit.what.as_str()).collect::<Vec<_>>(), ["branches beyond 25 were not explored"]);
    }
}

#[test]
fn a_failure_within_the_horizon_is_found() {
    let source = parse("", "int x=0; while(read()){ if(x>2) bug(); x=x+1; }");
    for order in [StrategyName::Dfs, StrategyName::Random, StrategyName::Cfg] {
        for greedy in [false, true] {
            let options = with(pruned(greedy), |prune| prune.horizon = Some(12));
            let (results, _) = campaign(&source, order, 2, options);
            assert_eq!(failures(&results).len(), 1, "{order:?} {greedy}");
        }
    }
}

#[test]
fn with_a_bound_on_the_depth_alone_nothing_that_is_cut_is_full() {
    for greedy in [false, true] {
        let options = Options { depth: 8, ..pruned(greedy) };
        let plain = campaign(&endless(), StrategyName::Dfs, 0, Options { depth: 8, ..Options::default() }).0;
        let results = campaign(&endless(), StrategyName::Dfs, 0, options).0;
        assert_eq!((results.runs, results.paths, results.complete), (plain.runs, plain.paths, false));
        assert_eq!(counts(&results).1, 0, "greedy confirmation does not look beyond the bound");
    }
}

#[test]
fn greedy_confirmation_of_an_endless_loop_ends() {
    let source = parse("", "int x=0; while(read()) x=x+1; if(x==1000) bug();");
    let options = Options { runs: 20, ..pruned(true) };
    let (results, log) = campaign(&source, StrategyName::Dfs, 0, options);
    assert_eq!(results.runs, 20);
    assert_eq!(*log.asides.lock().unwrap() as u64, counts(&results).1);
    assert!(results.pruned.expect("it was asked for").counters.confirmations < 20 * (16 + 8 * 1200));
}

#[test]
fn it_switches_itself_on_where_it_pays() {
    let n = 18;
    let source = parse("", &format!("int s=0; {} if(s>{n}) bug();", "if(read()) s=s+1; ".repeat(n)));
    for order in [StrategyName::Dfs, StrategyName::Random, StrategyName::Cfg, StrategyName::Coverage] {
        let auto = with(Options::default(), |prune| prune.prune = Prune::Auto);
        let results = campaign(&source, order, 4, auto).0;
        let (runs, confirmations) = counts(&results);
        assert!(results.complete && runs + confirmations < 18_000, "{order:?}: {runs} + {confirmations} instead of 262144 runs");
    }
}

#[test]
fn it_switches_itself_off_where_it_does_not() {
    // Whatever the path, the state at each point is another one, and all of it matters in the end.
    let mut text = "int s=0; ".to_owned();
    for bit in 0..15 {
        text += &format!("if(read()) s=s+{}; ", 1 << bit);
    }
    let source = parse("", &format!("{text} if(s==777) {{ if(read()==5) bug(); }} if(s*s==59049) bug();"));
    let plain = campaign(&source, StrategyName::Dfs, 0, Options::default()).0;
    let auto = campaign(&source, StrategyName::Dfs, 0, with(Options::default(), |prune| prune.prune = Prune::Auto)).0;
    assert_eq!((auto.complete, failures(&auto)), (plain.complete, failures(&plain)));
    let counters = auto.pruned.expect("it was asked for").counters;
    let followed = counters.runs + counters.confirmations;
    assert!(followed > 0 && followed * 4 < plain.runs, "{followed} runs with segments of {}", plain.runs);
}
