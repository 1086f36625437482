//! Constraints over inputs: what bounds tell of them, and when constrained variables are looked at.

use crate::support;
use crate::support::{explore, search, subject};
use xcute_clp::machine::Bounds;

const SEND: &str = ":- use_module(library(clpfd)).\n\
    send(Vs) :- Vs = [S,E,N,D,M,O,R,Y], Vs ins 0..9, all_different(Vs),\n\
    S*1000 + E*100 + N*10 + D + M*1000 + O*100 + R*10 + E #= M*10000 + O*1000 + N*100 + E*10 + Y, M #\\= 0, S #\\= 0, label(Vs).\n";

#[test]
fn a_digit_of_send_more_money_may_be_an_input() {
    for (digit, value) in [("S", 9), ("Y", 2), ("E", 5)] {
        let names = ["S", "E", "N", "D", "M", "O", "R", "Y"].map(|name| if name == digit { name } else { "_" }).join(",");
        let text = format!("{SEND}:- pred p(+int).\np({digit}) :- send([{names}]).\n");
        let (program, mut subject) = subject(&text, "p/1", None, None, Bounds { steps: 1_000_000, ..Bounds::default() });
        let outcome = explore(&program, &mut subject, xcute_engine::Options::default());
        assert!(outcome.results.complete, "{digit}: {:?}", outcome.results.limits);
        let solved: Vec<&str> = outcome
            .cases
            .iter()
            .filter(|case| matches!(&case.answer, xcute_clp::subject::Answer::Solutions(all, _) if !all.is_empty()))
            .map(|case| case.goal.as_str())
            .collect();
        assert!(outcome.results.paths <= 12, "{digit}: {:?}", outcome.goals());
        assert_eq!(solved, [format!("p({value})")], "{digit}");
    }
}

#[test]
fn a_clause_that_the_store_rules_out_does_not_match() {
    let clp = ":- use_module(library(clpfd)).\n";
    // All is known: no input is needed.
    let outcome = search(&format!("{clp}p :- X in 2..5, X #\\= 3, q(X).\nq(1).\nq(2).\nq(3).\nq(f).\nq(4).\n"), "p/0", None, None);
    assert_eq!(outcome.traces(), [vec![vec![1], vec![2, 4, 5]]], "q(f) matches, and throws");
    let outcome = search(&format!("{clp}p :- dif(X, b), q(X).\nq(a).\nq(b).\nq(_).\n"), "p/0", None, None);
    assert_eq!(outcome.traces(), [vec![vec![1], vec![1, 3]]]);
    // Bounds that are an input's become conditions of the match.
    let text = format!("{clp}:- pred p(+int, -int).\np(N, X) :- X #> N, X #< 5, q(X).\nq(1).\nq(3).\nq(7).\n");
    let outcome = search(&text, "p/2", None, None);
    let expected = [vec![vec![1]], vec![vec![1], vec![]], vec![vec![1], vec![1, 2]], vec![vec![1], vec![2]]];
    assert_eq!(outcome.traces(), expected, "{:?}", outcome.goals());
    assert!(outcome.results.complete);
    // A goal that waits is none of the store's business.
    let outcome = search("p :- freeze(X, X == b), q(X).\nq(a).\nq(b).\n", "p/0", None, None);
    assert_eq!(outcome.traces(), [vec![vec![1], vec![1, 2]]]);
}

#[test]
fn truth_values_of_inputs_are_decided() {
    let text = ":- use_module(library(clpfd)).\n:- pred p(+int, -int).\np(N, B) :- B #<==> (N #> 3 #/\\ N #< 6).\n";
    let outcome = search(text, "p/2", None, None);
    assert_eq!((outcome.results.paths, outcome.results.complete), (3, true), "{:?}", outcome.goals());
    let text =
        ":- use_module(library(clpfd)).\n:- pred p(+int, -list(int)).\np(N, [X, Y]) :- [X, Y] ins 0..2, X + Y #= N, label([X, Y]).\n";
    let outcome = search(text, "p/2", None, None);
    // The domains differ for each sum from 0 to 4, and there are two ways to be none.
    assert_eq!((outcome.results.paths, outcome.results.complete), (7, true), "{:?}", outcome.goals());
    let text =
        ":- use_module(library(clpfd)).\n:- pred p(+int, -int).\np(A, B) :- tuples_in([[A, B]], [[1, 2], [2, 3], [4, 5]]), label([B]).\n";
    let outcome = search(text, "p/2", None, None);
    assert!(outcome.results.complete);
    let solved = |case: &&support::Case| matches!(&case.answer, xcute_clp::subject::Answer::Solutions(all, _) if !all.is_empty());
    assert_eq!(outcome.cases.iter().filter(solved).count(), 3, "{:?}", outcome.goals());
}

#[test]
fn operations_on_inputs_are_decided_for_each_of_their_values() {
    let clauses = "q(0).\nq(1).\nq(2).\nq(_).\n";
    let head = ":- use_module(library(clpfd)).\n:- pred p(+int).\n";
    // Whether each case takes its own path on the plain machine is asked by the search itself.
    let bodies = [
        "N in -7..9, [Y, Z] ins 0..3, Y #<==> (N #= Z * Z), q(Y), label([Y, Z])",
        "N in 0..200, N #= Z * Z, Z #> 0, q(Z)",
        "N in -100..100, X #= abs(N), X #> 90, q(X)",
        "N in 0..200, Z in 0..9, Y #<==> (N #= Z * Z), q(Y), label([Z]), q(Z)",
    ];
    let outcome =
        search(&format!("{head}p(N) :- all_distinct([N, X, Y]), [X, Y] ins 1..2, q(X), label([X, Y]).\n{clauses}"), "p/1", None, None);
    assert_eq!((outcome.results.complete, outcome.results.paths), (true, 4), "{:?} {:?}", outcome.goals(), outcome.results.limits);
    for body in bodies {
        let outcome = search(&format!("{head}p(N) :- {body}.\n{clauses}"), "p/1", None, None);
        assert!(outcome.results.complete, "{body}: {:?}", outcome.results.limits);
    }
    let outcome = search(&format!("{head}p(N) :- N in 0..200, N #= Z * Z, Z #> 0, q(Z).\n{clauses}"), "p/1", None, None);
    let squares = outcome.cases.iter().filter(|case| case.trace.len() == 2).count();
    assert_eq!(squares, 14, "{:?}", outcome.goals());
}
