//! The examples of Mesnard, Payet & Vidal, "Concolic Testing in CLP" (2020), literally.

mod support;

use support::search;

/// Example 1: the procedure of 2015 misses p(f(c)), because it knows no negative constraints.
#[test]
fn example_1() {
    let outcome = search("p(f(a)).\np(f(X)) :- q(X).\nq(b).\n", "p/1", None, Some(2));
    assert_eq!(outcome.traces(), [vec![vec![]], vec![vec![1, 2]], vec![vec![2], vec![]], vec![vec![2], vec![1]]]);
    assert_eq!((outcome.results.paths, outcome.results.complete), (4, true), "{:?}", outcome.goals());
    let goal = |trace: &[Vec<u32>]| outcome.cases.iter().find(|case| case.trace == trace).expect("found above").goal.clone();
    assert_eq!(goal(&[vec![1, 2]]), "p(f(a))");
    assert_eq!(goal(&[vec![2], vec![1]]), "p(f(b))");
    assert!(goal(&[vec![2], vec![]]).starts_with("p(f("));
}
