//! Tabled predicates: the same sets of answers as in SWI-Prolog, and searches that end.

use std::collections::BTreeSet;

use crate::support::{search, show, subject};
use xcute_clp::machine::Bounds;
use xcute_clp::subject::Answer;
use xcute_clp::swipl::{Ending, Limits, Session};
use xcute_clp::syntax::{Atoms, Operators, Style, Writer};
use xcute_term::{Model, Terms};

/// Programs, each with goals for X.
const PROGRAMS: &[(&str, &[&str])] = &[
    (
        ":- table path/2.\npath(X, Y) :- path(X, Z), edge(Z, Y).\npath(X, Y) :- edge(X, Y).\nedge(a, b). edge(b, c). edge(c, a). edge(d, e).",
        &["path(a, X)", "path(X, e)", "path(Y, Z), X = Y-Z", "(path(e, a) -> X = yes ; X = no)", "findall(Y, path(a, Y), L), msort(L, X)"],
    ),
    (
        ":- table conn(_, _).\nconn(X, Y) :- conn(Y, X).\nconn(X, Z) :- conn(X, Y), conn(Y, Z).\nconn(a, b). conn(b, c). conn(d, e).",
        &["conn(a, X)", "conn(X, Y), Y == e", "conn(Y, Z), X = Y/Z"],
    ),
    (
        ":- table fib/2.\nfib(0, 0).\nfib(1, 1).\nfib(N, F) :- N > 1, A is N - 1, B is N - 2, fib(A, X), fib(B, Y), F is X + Y.",
        &["fib(30, X)", "fib(1, X)"],
    ),
    (
        ":- table expr//1.\nexpr(X) --> expr(Y), [+], term(Z), { X = Y + Z }.\nexpr(X) --> term(X).\nterm(1) --> [1].\nterm(2) --> [2].",
        &["phrase(expr(X), [1, +, 2, +, 1])", "phrase(expr(X), [1, +])", "phrase(expr(_), [1, +, 2], R), X = R"],
    ),
    (
        ":- table even/1, odd/1.\neven(0).\neven(N) :- odd(M), M < 6, N is M + 1.\nodd(N) :- even(M), M < 6, N is M + 1.",
        &["even(X)", "odd(X)", "(even(3) -> X = yes ; X = no)"],
    ),
    (
        ":- table path(_, _, min).\npath(X, Y, C) :- edge(X, Y, C).\npath(X, Y, C) :- path(X, Z, A), edge(Z, Y, B), C is A + B.\nedge(a, b, 1). edge(b, c, 2). edge(a, c, 9). edge(c, a, 1).",
        &["path(a, c, X)", "path(a, Y, C), X = Y-C", "catch(path(a, c, 9), error(X, _), true)"],
    ),
    (
        ":- table best(_, max).\nbest(X, N) :- score(X, N).\nscore(a, 1). score(a, 5). score(a, 3). score(b, 2).",
        &["best(a, X)", "best(Y, N), X = Y/N"],
    ),
    (
        ":- table one(_, first), two(_, last), three(_, -).\none(X, Y) :- p(X, Y).\ntwo(X, Y) :- p(X, Y).\nthree(X, Y) :- p(X, Y).\np(a, 1). p(a, 2). p(b, 7).",
        &["one(a, X)", "two(a, X)", "three(a, X)", "one(Y, Z), X = Y-Z"],
    ),
    (
        ":- table route(_, _, lattice(shorter/3)).\nshorter(A, B, C) :- length(A, M), length(B, N), ( M =< N -> C = A ; C = B ).\n\
         route(X, Y, [X, Y]) :- edge(X, Y).\nroute(X, Y, P) :- route(X, Z, Q), edge(Z, Y), append(Q, [Y], P).\nedge(a, b). edge(b, c). edge(c, d). edge(a, c). edge(d, a).",
        &["route(a, d, X)", "route(a, Y, P), X = Y-P"],
    ),
    (
        ":- table all(_, lattice(or(_, _, _))).\nor(X, Y, Z) :- append(X, Y, L), sort(L, Z).\nall(K, [V]) :- v(K, V).\nv(a, 1). v(a, 3). v(b, 2). v(a, 2).",
        &["all(a, X)", "all(K, V), X = K-V"],
    ),
    (
        ":- table top(_, po(better/2)).\nbetter(A, B) :- A < B.\ntop(K, V) :- v(K, V).\nv(a, 3). v(a, 1). v(a, 2). v(b, 5).",
        &["top(a, X)", "top(K, V), X = K-V"],
    ),
    (
        ":- table a/1.\n:- table b/1.\na(X) :- b(X).\na(1).\nb(X) :- a(Y), Y < 4, X is Y + 1.\nb(X) :- c(X).\n:- table c/1.\nc(X) :- c(X).\nc(9).",
        &["a(X)", "b(X)", "c(X)", "a(Y), b(Y), X = Y"],
    ),
    (
        ":- table p/1.\np(X) :- q(X).\nq(1). q(2). q(1).\n:- table r/1.\nr(X) :- throw(oops(X)).\nr(_).",
        &[
            "p(X)",
            "catch(r(1), oops(Y), X = Y)",
            "catch(r(1), _, true), p(X)",
            "p(X), abolish_all_tables",
            "findall(Y, p(Y), L), length(L, X)",
        ],
    ),
    (":- table s/2.\ns(X, Y) :- s(Y, X).\ns(f(_), a).\ns(_, b).", &["s(f(1), X)", "s(X, a)", "s(Y, Z), X = Y-Z"]),
];

fn ours(text: &str) -> (BTreeSet<String>, bool) {
    let bounds = Bounds { solutions: 1_000, ..Bounds::default() };
    let (program, mut subject) = subject(text, "main/1", Some(&[]), None, bounds);
    match subject.replay(&Terms::new(), &Model::new(), bounds).0 {
        Answer::Solutions(solutions, _) => {
            let all: BTreeSet<String> = solutions.iter().map(|solution| show(&program, &subject, solution)).collect();
            let twice = all.len() < solutions.len();
            (all, twice)
        }
        other => (BTreeSet::from([format!("{other:?}")]), false),
    }
}

#[test]
fn tabled_predicates_have_the_answers_of_swi_prolog() {
    let mut compared = 0;
    for (program, goals) in PROGRAMS {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let file = directory.path().join("tabled.pl");
        let mains: String = goals.iter().enumerate().map(|(n, goal)| format!("main{n}(X) :- {goal}.\n")).collect();
        std::fs::write(&file, format!("{program}\n{mains}")).expect("a writable directory");
        let mut session = Session::start(&file).expect("the tests need SWI-Prolog (run \"./x setup\")");
        for (number, goal) in goals.iter().enumerate() {
            let mut atoms = Atoms::default();
            let limits = Limits { solutions: 1_000, ..Limits::default() };
            let answer = session.solve(&format!("main{number}(X)"), limits, &mut atoms).expect("it answers");
            assert_eq!(answer.ending, Ending::Complete, "{program}\n?- {goal}.");
            let mut own = atoms.clone();
            let operators = Operators::new(&mut own);
            let writer = Writer::new(&own, &operators, Style::Operators);
            let theirs: BTreeSet<String> =
                answer.solutions.iter().map(|solution| writer.term(&answer.terms, solution.values[0], &[])).collect();
            let (found, _) = ours(&format!("{program}\nmain(X) :- {goal}.\n"));
            assert_eq!(found, theirs, "{program}\n?- {goal}.");
            compared += 1;
        }
    }
    assert!(compared > 40, "{compared} goals are few");
}

#[test]
fn an_answer_comes_once() {
    let (found, twice) = ours(&format!("{}\nmain(X) :- path(a, X).\n", PROGRAMS[0].0));
    assert_eq!((found.len(), twice), (3, false));
}

/// Calls and answers that depend on the input are compared by decisions: the search ends, and is complete.
#[test]
fn left_recursion_over_inputs_ends() {
    let outcome = search(PROGRAMS[0].0, "path/2", None, Some(0));
    assert!(outcome.results.complete, "{:?}", outcome.results.limits);
    let solved: Vec<&str> = outcome
        .cases
        .iter()
        .filter(|case| matches!(&case.answer, Answer::Solutions(found, _) if !found.is_empty()))
        .map(|case| case.goal.as_str())
        .collect();
    assert!((solved.contains(&"path(d,e)") || solved.contains(&"path(d, e)")) && solved.len() == 10, "{solved:?}");
    let grammar = ":- table s/2.\ns(A, B) :- s(A, C), C = [x|B].\ns([x|B], B).\ng(L) :- s(L, []).";
    let outcome = search(grammar, "g/1", None, Some(3));
    assert!(outcome.results.complete, "{:?}", outcome.results.limits);
    assert!(outcome.goals().contains(&"g([x,x,x])"), "{:?}", outcome.goals());
}
