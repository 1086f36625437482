//! Known answers of pruning where only the first decisions of a path are explored, for programs in C.
//!
//! The loop of K14 has 12 turns here instead of 100: each has at least three decisions, so no bound of 31 comes to its end, and runs are shorter.

use xcute_prune::{Options, Visits};

use super::known_answers::READ;
use super::search::Search;

/// Searches of one program, each with its bound and its way to prune.
fn searches<const N: usize>(text: &str, ways: [(usize, Option<Options>); N]) -> [(usize, usize); N] {
    let mut last = None;
    ways.map(|(bound, prune)| {
        let search = search(last.take(), text, bound, prune);
        let counts = runs(&search);
        last = Some(search);
        counts
    })
}

fn search(last: Option<Search>, text: &str, bound: usize, prune: Option<Options>) -> Search {
    let prune = prune.map(|options| Options { bound: Some(bound), ..options });
    let text = format!("{READ}{}", text.replace("read()", "read1()"));
    let mut search = match last {
        Some(last) => last.again(prune),
        None => Search::of(&text, prune),
    };
    search.bound = Some(bound);
    let search = search.all();
    assert_eq!(search.found.lost, Vec::<String>::new());
    search
}

fn runs(search: &Search) -> (usize, usize) {
    (search.found.runs, search.found.confirmations)
}

fn pruned(greedy: bool, horizon: bool) -> Option<Options> {
    Some(Options { greedy, horizon, ..Options::default() })
}

#[test]
fn t2_an_unfinished_node_subsumes_nothing() {
    let text = "void f(void) { int x=0; while(read()) { assert(x<=2); x=x+1; } }";
    let mut last = search(None, text, 12, None);
    assert_eq!((last.found.runs, last.found.failures), (5, 1));
    for greedy in [false, true] {
        last = search(Some(last), text, 12, pruned(greedy, true));
        assert_eq!(last.found.failures, 1);
    }
}

#[test]
fn t3_a_cut_is_not_an_end() {
    let text = "void f(void) { int x=0,k=0; if(read()==0) { while(k<6) k=k+1; } while(x<4) x=x+1; assert(read()!=5); }";
    let mut last = search(None, text, 10, None);
    assert_eq!((last.found.runs, last.found.failures), (3, 1));
    for (greedy, horizon) in [(false, false), (false, true), (true, false), (true, true)] {
        last = search(Some(last), text, 10, pruned(greedy, horizon));
        assert_eq!(last.found.failures, 1, "greedy: {greedy}, horizon: {horizon}");
        assert!(last.pruner.as_ref().is_some_and(|pruner| !pruner.verified()));
    }
}

#[test]
fn k14_a_loop_that_only_a_bound_ends() {
    let text = "void f(void) { int x=0,n=0; while(n<12) { n=n+1; if(read()) { if(x>2) x=0; x=x+1; } assert(x<=5); } }";
    let without = [(25, None), (25, pruned(false, false)), (25, pruned(true, false)), (25, pruned(true, true))];
    assert_eq!(searches(text, without), [(156, 0), (156, 0), (156, 0), (1, 22)]);
    let with = search(None, text, 25, pruned(false, true));
    assert!((23..=26).contains(&with.found.runs), "{}", with.found.runs);
    let root = with.pruner.as_ref().map(|pruner| (pruner.root().is_some(), pruner.verified()));
    assert_eq!(root, Some((true, false)), "full as far as the bound, not beyond");
    let per_point = pruned(true, true).map(|options| Options { visits: Visits::PerPoint, ..options });
    let per_point = search(Some(with), text, 25, per_point);
    assert!(per_point.found.runs + per_point.found.confirmations > 30, "{:?}", runs(&per_point));
}

#[test]
fn k14_growth_with_the_bound() {
    let text = "void f(void) { int x=0,n=0; while(n<12) { n=n+1; if(read()) { if(x>2) x=0; x=x+1; } else x=x; assert(x<=5); } }";
    let all = |way: Option<Options>| searches(text, [(13, way), (19, way), (25, way), (31, way)]).map(|counts| counts.0);
    assert_eq!(all(None), [15, 48, 156, 521]);
    assert_eq!(all(pruned(false, true)), [7, 15, 23, 31]);
}
