//! The examples of Mesnard, Payet & Vidal, "Concolic Testing in CLP" (2020), literally.

use crate::support::{inputs, search, sets, subject};
use xcute_clp::machine::Bounds;
use xcute_clp::machine::choice::Transition;
use xcute_term::Terms;
use xcute_term::print::human;
use xcute_trace::{Subject as _, TestCase};

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

/// The transitions of a run of a goal whose argument is given, and γ of each choice as text.
fn derivation(text: &str, goal: &str, trace: &[Vec<u32>]) -> Vec<String> {
    let (program, mut subject) = subject(text, goal, None, None, Bounds { solutions: u64::MAX, ..Bounds::default() });
    let (mut terms, log) = (Terms::new(), inputs(&mut subject, &program));
    let mut texts = Vec::new();
    for input in log {
        let case = TestCase { input, ..TestCase::default() };
        subject.run(&case, &[], &mut terms).expect("it can be run");
        if sets(subject.derivation()) == trace {
            for transition in subject.derivation() {
                texts.push(match transition {
                    Transition::Choice { rq, rs, gamma, .. } => {
                        let gamma = gamma.map_or("true".to_owned(), |gamma| human(&terms, gamma).to_string());
                        format!("choice {rq:?} of {rs:?}, γ = {gamma}")
                    }
                    Transition::Unfold { clause, .. } => format!("unfold {clause}"),
                    Transition::Backtrack => "backtrack".to_owned(),
                    Transition::Next => "next".to_owned(),
                });
            }
            return texts;
        }
    }
    panic!("no case has this trace");
}

/// Example 3: the derivation of p(s(a)), with trace ℓ2 ℓ3 and γ1 = ∀X'(N ≠ X' ∨ X' ≠ a), which is N ≠ a.
#[test]
fn example_3() {
    let text = "p(X) :- X = a.\np(s(Y)) :- q(Y).\nq(W) :- W = a.\n";
    let steps = derivation(text, "p/1", &[vec![2], vec![1]]);
    assert_eq!(
        steps,
        ["choice [1] of [0, 1], γ = arg1 != constant(0)", "unfold 1", "choice [0] of [0], γ = true", "unfold 0", "next", "backtrack"]
    );
    let outcome = search(text, "p/1", None, Some(2));
    assert_eq!((outcome.results.paths, outcome.results.complete), (4, true), "{:?}", outcome.goals());
}

/// Example 4: of {H1, H2} with HQ = {H2}, the alternative H+ = {H1} exists: W ≠ s(M) and W = a.
#[test]
fn example_4() {
    let outcome = search("p(N) :- q(N).\nq(X) :- X = a.\nq(s(_)).\n", "p/1", None, Some(2));
    assert_eq!(outcome.traces(), [vec![vec![1], vec![]], vec![vec![1], vec![1]], vec![vec![1], vec![2]]]);
    let alternative = outcome.cases.iter().find(|case| case.trace == [vec![1], vec![1]]).expect("H+ = {H1}");
    assert_eq!(alternative.goal, "p(a)");
}

/// Example 5: over the naturals, H+ = {H1, H2} is infeasible; {1, 3}, {3}, {2} and {} are not.
#[test]
fn example_5() {
    let text = ":- use_module(library(clpfd)).\n:- pred p(+nat).\np(W) :- W = X, X #=< 10, q(X).\n\
                q(Y) :- Y #=< 2.\nq(Z) :- 8 #=< Z, Z #=< 10.\nq(T) :- T #< 5.\n";
    let outcome = search(text, "p/1", None, None);
    let expected = [vec![vec![]], vec![vec![1], vec![]], vec![vec![1], vec![1, 3]], vec![vec![1], vec![2]], vec![vec![1], vec![3]]];
    assert_eq!(outcome.traces(), expected, "{:?}", outcome.goals());
    assert!(outcome.results.complete);
}
