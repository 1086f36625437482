//! What the builtin predicates decide about inputs, types, failures, and what must neither hang nor overflow.

use crate::support;
use crate::support::{Outcome, explore, search, subject};
use xcute_clp::machine::Bounds;
use xcute_trace::FailureKind;

fn kinds(outcome: &Outcome) -> Vec<FailureKind> {
    let mut kinds: Vec<FailureKind> = outcome.results.failures.iter().map(|found| found.failure.kind).collect();
    kinds.sort_unstable();
    kinds
}

#[test]
fn comparisons_of_integers_are_decided() {
    let outcome =
        search(":- pred sign(+int, -atom).\nsign(X, neg) :- X < 0, !.\nsign(0, zero) :- !.\nsign(_, pos).\n", "sign/2", None, None);
    assert_eq!((outcome.results.paths, outcome.results.complete), (3, true), "{:?}", outcome.goals());
}

#[test]
fn an_input_that_is_no_number_is_a_type_error() {
    let outcome = search("double(X, Y) :- Y is X * 2.\n", "double/2", Some(&[1]), None);
    // An integer, a float, a float that is too large, and anything else.
    assert_eq!((outcome.results.paths, outcome.results.complete), (4, true), "{:?}", outcome.goals());
    let evaluable = |message: &str| message.starts_with("uncaught type_error(evaluable,");
    let found = outcome.results.failures.iter().find(|found| evaluable(&found.failure.message));
    let failure = &found.expect("what is not a number cannot be doubled").failure;
    assert_eq!(failure.kind, FailureKind::UncaughtException);
    assert_eq!((failure.stack[0].function.as_str(), failure.stack[0].line), ("double/2", 1));
}

#[test]
fn division_needs_a_divisor() {
    let outcome = search(":- pred f(+int, +int).\nf(X, Y) :- 10 =:= X // Y.\n", "f/2", None, None);
    let messages: Vec<&str> = outcome.results.failures.iter().map(|found| found.failure.message.as_str()).collect();
    assert_eq!(messages, ["uncaught evaluation_error(zero_divisor)"]);
    assert_eq!(outcome.results.paths, 3, "{:?}", outcome.goals());
}

#[test]
fn variables_of_constraints_alone_are_eliminated() {
    let even = ":- use_module(library(clpfd)).\n:- pred p(+int).\np(X) :- X #= 2*Y, q(Y).\np(_).\nq(_).\n";
    let outcome = search(even, "p/1", None, None);
    assert_eq!(outcome.traces(), [vec![vec![1, 2], vec![1]], vec![vec![2]]], "{:?}", outcome.goals());
    // 3·Y between X and X + 1, and an equation of two variables.
    let rows = ":- use_module(library(clpfd)).\n:- pred p(+int).\np(X) :- X #=< 3*Y, 3*Y #=< X + 1.\np(X) :- X #= 4*A + 6*B.\np(X) :- X #\\= Y, Y #> 0.\n";
    let outcome = search(rows, "p/1", None, None);
    assert_eq!(outcome.traces(), [vec![vec![1, 2, 3]], vec![vec![1, 3]], vec![vec![2, 3]], vec![vec![3]]], "{:?}", outcome.goals());
    assert!(outcome.results.complete);
}

#[test]
fn kinds_of_characters_are_ranges() {
    let kinds = ":- pred kind(+code, -atom).\nkind(C, digit) :- code_type(C, digit), !.\nkind(C, alpha) :- code_type(C, alpha), !.\nkind(_, other).\n";
    let outcome = search(kinds, "kind/2", None, None);
    // Three of ASCII, and what is beyond it is tried with one code.
    assert_eq!(outcome.results.paths, 4, "{:?}", outcome.goals());
    assert!(!outcome.results.complete && outcome.results.limits.keys().all(|limit| limit.kind == "concretised"));
    let weight = ":- pred w(+code, -int).\nw(C, W) :- C < 128, code_type(C, digit(W)), W > 7.\n";
    let outcome = search(weight, "w/2", None, None);
    assert_eq!((outcome.results.paths, outcome.results.complete), (4, true), "{:?}", outcome.goals());
    let nine = ":- pred w(+code).\nw(C) :- code_type(C, digit(W)), 9 is W, throw(nine).\n";
    let outcome = search(nine, "w/1", None, None);
    assert_eq!(outcome.results.failures.len(), 1, "{:?}", outcome.goals());
}

#[test]
fn lists_have_the_declared_type() {
    let text = ":- pred total(+list(int), -int).\ntotal([], 0).\ntotal([X|Xs], S) :- total(Xs, T), S is X + T.\n";
    let outcome = search(text, "total/2", None, Some(3));
    assert_eq!((outcome.results.paths, outcome.results.failures.len()), (4, 0), "{:?}", outcome.goals());
    assert!(outcome.results.complete);
}

#[test]
fn failed_assertions_and_declared_determinism() {
    let outcome = search("p(X) :- assertion(X \\== a), q(X).\nq(_).\n", "p/1", None, Some(1));
    assert_eq!(kinds(&outcome), [FailureKind::Assertion]);
    let outcome = search(":- pred p(+term) is det.\np(a).\np(X) :- q(X).\nq(a).\nq(b).\n", "p/1", None, Some(1));
    // p(a) has two clauses, p(o) has no solution.
    let messages: Vec<&str> = outcome.cases.iter().map(|case| case.goal.as_str()).collect();
    assert_eq!(kinds(&outcome), [xcute_clp::DETERMINISM], "{messages:?}");
}

#[test]
fn builtins_take_inputs_apart_exactly() {
    let outcome = search("p(T) :- T =.. [f|As], length(As, N), N > 1.\nf(f(a), f(a, b), [c]).\n", "p/1", None, Some(1));
    // A term may have any number of arguments: not all are tried.
    assert!(
        !outcome.results.complete && outcome.results.limits.keys().all(|limit| limit.kind == "universe"),
        "{:?}",
        outcome.results.limits
    );
    let outcome = search(":- pred p(+nat, -int).\np(N, X) :- N < 4, between(1, N, X), X * X > 3.\n", "p/2", None, None);
    assert_eq!(outcome.results.paths, 5, "{:?}", outcome.goals());
    assert!(outcome.results.complete);
}

#[test]
fn left_recursion_is_a_goal_that_does_not_end() {
    let outcome = search("p(X) :- p(X).\np(a).\n", "p/1", None, Some(1));
    assert_eq!(kinds(&outcome), [FailureKind::Hang]);
}

#[test]
fn infinite_terms_do_not_exist() {
    let outcome = search(":- set_prolog_flag(occurs_check, true).\np(X) :- Y = f(Y), q(X, Y).\nq(_, _).\n", "p/1", None, Some(1));
    assert_eq!((outcome.results.paths, outcome.results.complete, outcome.results.failures.len()), (1, true, 0));
}

#[test]
fn deep_recursion_uses_no_stack() {
    let text = "p(X) :- count(30000, [], L), len(L, 0, X).\ncount(0, L, L) :- !.\ncount(N, A, L) :- M is N - 1, count(M, [N|A], L).\n\
                len([], N, N).\nlen([_|T], M, N) :- K is M + 1, len(T, K, N).\n";
    let (program, mut subject) = subject(text, "p/1", Some(&[]), None, Bounds { steps: 1_000_000, ..Bounds::default() });
    let outcome = explore(&program, &mut subject, xcute_engine::Options::default());
    assert_eq!(outcome.results.paths, 1);
    let deep = "p(N) :- nest(50000, z, T), copy_term(T, U), T == U, ground(U), N = 1.\nnest(0, T, T) :- !.\nnest(N, A, T) :- M is N - 1, nest(M, s(A), T).\n";
    let (program, mut subject) = support::subject(deep, "p/1", Some(&[]), None, Bounds { steps: 1_000_000, ..Bounds::default() });
    let outcome = explore(&program, &mut subject, xcute_engine::Options::default());
    assert_eq!(outcome.results.paths, 1);
}

#[test]
fn a_table_of_facts_is_one_decision() {
    let text: String = (0..10_000).map(|i| format!("edge(n{i}, n{}).\n", (i * 7 + 1) % 10_000)).collect();
    let (program, mut subject) = subject(&text, "edge/2", None, Some(0), Bounds::default());
    let outcome = explore(&program, &mut subject, xcute_engine::Options { runs: 5, ..xcute_engine::Options::default() });
    assert_eq!((outcome.results.runs, outcome.results.arms.diverged), (5, 0));
    assert_eq!(outcome.results.paths, 5, "{:?}", outcome.goals());
    // One decision with an arm for each fact and one for none.
    assert_eq!(outcome.results.arms.open + outcome.results.arms.taken, 10_000 + 1);
}

#[test]
fn overlapping_clauses_cost_their_feasible_subsets() {
    // Clause i matches lists that begin with i elements: 21 of the 2^20 subsets are feasible.
    let mut text = String::new();
    for i in 1..=20 {
        let elements: Vec<String> = (0..i).map(|_| "_".to_owned()).collect();
        text += &format!("p([{}|_]).\n", elements.join(","));
    }
    let (program, mut subject) = subject(&text, "p/1", None, None, Bounds::default());
    let outcome = explore(&program, &mut subject, xcute_engine::Options::default());
    assert_eq!((outcome.results.paths, outcome.results.complete), (21, true));
    let (sat, unsat, unknown) = outcome.results.queries;
    assert!(sat + unsat + unknown < 21 * 21, "{sat} + {unsat} + {unknown} queries");
}

#[test]
fn what_is_not_supported_is_said() {
    let outcome = search("p(X) :- random(Y), X == Y.\n", "p/1", None, None);
    assert!(!outcome.results.complete);
    assert!(outcome.results.limits.keys().any(|limit| limit.kind == "unsupported" && limit.what == "random/1"));
    let outcome = search("p(X) :- q(X).\n", "p/1", None, None);
    assert_eq!(outcome.results.failures[0].failure.message, "uncaught existence_error(procedure, q/1)");
}

#[test]
fn a_million_elements_are_counted_or_handled() {
    let count = "count(0, L, L) :- !.\ncount(N, A, L) :- M is N - 1, count(M, [N|A], L).\n";
    let large = Bounds { steps: 20_000_000, cells: 400_000_000, ..Bounds::default() };
    for (length, goals) in [
        (1_000_000, "copy_term(L, C), length(C, X)"),
        (50_000, "msort(L, S), S == L, term_to_atom(L, A), atom_length(A, _), nb_setval(k, L), nb_getval(k, K), K = L, last(L, X)"),
    ] {
        let (_, mut handled) = subject(&format!("p(X) :- count({length}, [], L), {goals}.\n{count}"), "p/1", Some(&[]), None, large);
        let (answer, _) = handled.replay(&xcute_term::Terms::new(), &xcute_term::Model::new(), large);
        assert!(
            matches!(&answer, xcute_clp::subject::Answer::Solutions(all, _) if all.len() == 1),
            "{goals} does not end within its budget"
        );
    }
    // Within the usual bounds it is too much, and said so.
    let outcome = search(&format!("p :- count(1000000, [], _).\n{count}"), "p/0", None, None);
    assert_eq!(kinds(&outcome), [FailureKind::Hang]);
    // Suspended goals, and a constraint on each of many variables, need no stack either.
    let chain = "p(X) :- chain(20000, F, L), F = 1, L == 1, X = 1.\nchain(0, L, L) :- !.\nchain(N, F, L) :- freeze(F, G = F), M is N - 1, chain(M, G, L).\n";
    let (_, mut waiting) = subject(chain, "p/1", Some(&[]), None, large);
    let (answer, _) = waiting.replay(&xcute_term::Terms::new(), &xcute_term::Model::new(), large);
    assert!(matches!(&answer, xcute_clp::subject::Answer::Solutions(all, _) if all.len() == 1), "it does not end within its budget");
}

#[test]
fn what_is_run_otherwise_than_in_swi_prolog_is_counted() {
    let counted = |text: &str, goal: &str| {
        let outcome = search(text, goal, None, Some(0));
        assert!(!outcome.results.complete, "{text}");
        outcome.results.limits.keys().map(|limit| limit.what.clone()).collect::<Vec<String>>()
    };
    let summed = ":- table count(_, sum).\ncount(a, 1).\n";
    assert_eq!(counted(summed, "count/2"), ["the mode of tabling of count/2"]);
    assert_eq!(counted("p(X) :- set_prolog_flag(occurs_check, error), X = a.\n", "p/1"), ["the flag occurs_check"]);
    assert_eq!(counted("p(X) :- term_hash(X, _).\n", "p/1"), ["term_hash/2"]);
    assert_eq!(counted("p(X) :- X = a, Y is random(10), Y >= 0.\n", "p/1"), ["random/1 in an expression"]);
    assert_eq!(counted(":- open(file, read, _).\np(a).\n", "p/1"), ["open/3"]);
}

/// SWI-Prolog makes cyclic terms, unless the program says otherwise: `X = f(X)` succeeds there.
#[test]
fn cyclic_terms_are_counted_where_they_would_be_made() {
    let limits = |text: &str| {
        let outcome = search(text, "p/1", None, Some(1));
        let what: Vec<String> = outcome.results.limits.keys().map(|limit| limit.what.clone()).collect();
        (outcome.results.complete, what.iter().any(|what| what.contains("a cyclic term")))
    };
    for body in
        ["Y = f(Y), X = a", "Y \\= f(Y)", "q(Y, Y), X = a", "q(Y, Y, X)", "X = a, unify_with_occurs_check(Y, f(Y)) ; X = b, Z = g(Z)"]
    {
        let program = format!("p(X) :- {body}.\nq(Y, f(Y)).\nq(Y, f(Y), a).\nq(Y, Y, b).\n");
        assert_eq!(limits(&program), (false, true), "{program}");
        assert_eq!(limits(&format!(":- set_prolog_flag(occurs_check, true).\n{program}")), (true, false), "{program}");
    }
    for body in ["X = a, unify_with_occurs_check(Y, f(Y))", "q(Y, Y, b, X)", "q(Y, Z, b), Y = Z, X = a"] {
        let program = format!("p(X) :- {body}.\nq(Y, f(Y), c, _).\nq(Y, Y, b, _).\nq(Y, f(Y), a).\nq(Y, Y, b).\n");
        assert_eq!(limits(&program), (true, false), "{program}");
    }
}

#[test]
fn an_undefined_predicate_comes_with_the_one_that_was_meant() {
    let message = |text: &str| {
        let outcome = search(text, "p/1", None, Some(0));
        outcome.results.failures.iter().map(|failure| failure.failure.message.clone()).collect::<Vec<String>>()
    };
    let own = "p(X) :- lenght_of(X, _).\nlength_of(_, 0).\n";
    assert_eq!(message(own), ["uncaught existence_error(procedure, lenght_of/2) (did you mean length_of/2?)"]);
    assert_eq!(message("p(X) :- q(X, X).\nq(_).\n"), ["uncaught existence_error(procedure, q/2) (did you mean q/1?)"]);
    assert_eq!(message("p(X) :- memberchck(X, [a]).\n"), ["uncaught existence_error(procedure, memberchck/2) (did you mean memberchk/2?)"]);
    assert_eq!(message("p(X) :- unrelated(X).\n"), ["uncaught existence_error(procedure, unrelated/1)"]);
}
