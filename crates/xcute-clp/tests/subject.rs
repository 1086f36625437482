//! Constraint logic programs pass the conformance suite for front ends.

use crate::support;
use crate::support::subject;
use xcute_clp::machine::Bounds;
use xcute_clp::subject::ClpSubject;
use xcute_solver::conformance::witness;
use xcute_solver::{Chain, ChainOptions};
use xcute_solver_z3::Z3;
use xcute_term::{Model, TermId, Terms};

/// Clauses that overlap, a number, an error, and a goal that fails.
const PATHS: &str = "
f(a, _).
f(b, N) :- N > 3, fail.
f(b, N) :- X is 10 // (N - 7), X > 0.
f(g(c), _).
";

const ENDLESS: &str = "loop(X) :- loop(X).";

fn made(paths: &str) -> ClpSubject {
    subject(&format!(":- pred f(+any, +int).\n{paths}"), "f/2", Some(&[1, 2]), Some(1), Bounds::default()).1
}

/// The program, the same made ready again, and one in which a number is another one.
fn changed() -> (ClpSubject, ClpSubject, ClpSubject) {
    (made(PATHS), made(PATHS), made(&PATHS.replace("N > 3", "N > 4")))
}

fn pair() -> (ClpSubject, ClpSubject) {
    let first = made(PATHS);
    let second = first.another();
    (first, second)
}

fn endless() -> ClpSubject {
    subject(ENDLESS, "loop/1", None, Some(1), Bounds::default()).1
}

fn solve(terms: &mut Terms, conditions: &[TermId], input: &Model) -> Option<Model> {
    witness(&mut Chain::build(ChainOptions::default(), vec![Box::new(Z3::new())]), terms, conditions, input)
}

xcute_trace::subject_conformance!(pair(), 7, solve, endless(), changed());

#[test]
fn a_variable_that_two_outputs_share_is_one() {
    let outcome = support::search("p(a, X, X, f(X, _)).\n", "p/4", Some(&[1]), None);
    let solutions: Vec<String> = outcome
        .cases
        .iter()
        .filter_map(|case| match &case.answer {
            xcute_clp::subject::Answer::Solutions(list, _) => list.first(),
            _ => None,
        })
        .map(|written| {
            let texts = written.roots.iter().map(|&root| format!("{:?}", written.terms.get(root)));
            texts.take(2).collect::<Vec<String>>().join(" ")
        })
        .collect();
    assert_eq!(solutions.len(), 1);
    let (first, second) = solutions[0].split_once(' ').expect("two outputs");
    assert_eq!(first, second);
}
