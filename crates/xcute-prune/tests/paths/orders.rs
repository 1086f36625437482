//! In every order of the search: exponential becomes linear, and greedy confirmation changes nothing of what the search does next.

use xcute_prune::Options;

use crate::known_answers::{family_a, family_d};
use crate::order::Order;
use crate::search::{Setting, search};
use crate::syntax::parse;

#[test]
fn greedy_confirmation_is_linear_in_every_order() {
    for order in Order::ALL {
        for n in [10, 20, 60] {
            let outcome = search(&family_a(n, n), &Setting { order, ..Setting::pruned(true) });
            assert_eq!(outcome.counts(), (1, n), "{order:?}, {n} conditions");
            assert!(outcome.verified());
        }
    }
}

#[test]
fn depth_first_is_linear_without_greedy_confirmation() {
    for n in [10, 20, 60] {
        let outcome = search(&family_a(n, n), &Setting::pruned(false));
        assert_eq!(outcome.runs, n + 1);
        let queries = outcome.pruner.as_ref().map(|pruner| pruner.counters().all_queries());
        assert!(queries.is_some_and(|queries| queries <= 10 * n as u64), "{queries:?} questions");
    }
}

#[test]
fn other_orders_need_few_runs_without_greedy_confirmation() {
    for order in [Order::Random, Order::Urs, Order::Cfg] {
        for seed in 0..5 {
            let outcome = search(&family_a(8, 8), &Setting { order, seed, ..Setting::pruned(false) });
            assert!((9..=128).contains(&outcome.runs), "{order:?}, seed {seed}: {} runs of 256", outcome.runs);
            assert!(outcome.verified());
        }
    }
}

/// I6: with look-ups ignored, the search runs the same paths with pruning, with greedy confirmation, and without.
#[test]
fn the_order_of_the_search_is_unchanged() {
    let driver = parse(
        "int status, pending; int f(int a){ if(a>2) { pending=1; return 1; } if(status==1) return 2; return 0; }",
        "int i=0, r; while(i<3){ r=f(read()); if(r==1) { if(read()) status=1; } if(r==2) pending=0; i=i+1; } if(status==1) { if(pending>1) bug(); }",
    );
    for source in [family_a(6, 6), family_a(6, 5), family_d(3), driver] {
        for order in Order::ALL {
            let run = |prune: Option<Options>| {
                let outcome = search(&source, &Setting { order, prune, measure: true, ..Setting::naive() });
                outcome.paths.iter().map(|path| path.0.clone()).collect::<Vec<_>>()
            };
            let naive = run(None);
            for greedy in [false, true] {
                assert!(naive == run(Some(Options { greedy, ..Options::default() })), "{order:?}, greedy {greedy}");
            }
        }
    }
}

/// The paper's measure: which share of the paths of the search meets something that is subsumed.
#[test]
fn most_paths_are_subsumed() {
    for order in Order::ALL {
        let share = |greedy| {
            let outcome = search(&family_d(4), &Setting { order, measure: true, ..Setting::pruned(greedy) });
            100 * outcome.paths.iter().filter(|path| path.1).count() / outcome.paths.len()
        };
        assert!(share(false) >= 50, "{order:?}: {} %", share(false));
        assert!(share(true) >= 95, "{order:?}: {} %", share(true));
    }
}
