//! What programs of SWI-Prolog are written with: functions of their own, packs, goals that must be deterministic, long lists.

use crate::support;
use std::io;
use std::path::Path;

use crate::support::{Outcome, search, subject};
use xcute_clp::machine::Bounds;
use xcute_clp::subject::Answer;
use xcute_clp::syntax::Program;

/// The goals that succeed.
fn successes(outcome: &Outcome) -> Vec<&str> {
    let holds = |answer: &Answer| matches!(answer, Answer::Solutions(solutions, _) if !solutions.is_empty());
    outcome.cases.iter().filter(|case| holds(&case.answer)).map(|case| case.goal.as_str()).collect()
}

#[test]
fn functions_of_the_program_are_evaluated() {
    let program = ":- use_module(library(arithmetic)).\n:- arithmetic_function(double/1).\n:- arithmetic_function(two/0).\n\
                   double(X, Y) :- Y is X * 2.\ntwo(2).\n\
                   p(X) :- integer(X), Y is double(X + 1) - two, ( Y > double(double(5)) -> X < 13 ; X =:= 7 ).\n";
    let outcome = search(program, "p/1", None, None);
    assert!(outcome.results.complete, "{:?}", outcome.results.limits);
    let mut found = successes(&outcome);
    found.sort_unstable();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.contains(&"p(7)"), "{found:?}");
}

#[test]
fn a_goal_that_must_be_deterministic_throws_where_it_is_not() {
    let outcome = search("p(X) :- $(member(X, [a, b])).\n:- det(q/1).\nq(_).", "p/1", None, None);
    assert!(outcome.results.complete, "{:?}", outcome.results.limits);
    let errors = outcome.cases.iter().filter(|case| matches!(case.answer, Answer::Error(_))).count();
    // `a` leaves a choice point, whatever is neither fails, and `b` is the last.
    assert_eq!((outcome.results.paths, errors), (3, 2), "{:?}", outcome.goals());
}

#[test]
fn a_predicate_that_must_be_deterministic_throws_where_it_is_not() {
    let program = ":- det([p/1, q/1]).\np(a).\np(f(X)) :- member(X, [1, 2]).\nq(X) :- p(X).\nr(X) :- catch(q(X), error(determinism_error(_, det, Found, _), _), Found == nondet).\n";
    let outcome = search(program, "r/1", None, None);
    assert!(outcome.results.complete, "{:?}", outcome.results.limits);
    // The first member leaves a choice point, and so does nothing else.
    let mut found = successes(&outcome);
    found.sort_unstable();
    assert_eq!(found, ["r(a)", "r(f(1))", "r(f(2))"], "{:?}", outcome.goals());
}

/// The place of such a failure is the predicate itself, wherever it was called.
#[test]
fn a_determinism_error_has_a_line() {
    for program in ["\n:- det(p/1).\np(a).\n", ":- det(p/1).\n\np(X) :- member(X, [a, b, c]).\n", "q(X) :- p(X).\n:- det(p/1).\np(a).\n"] {
        let goal = if program.starts_with('q') { "q/1" } else { "p/1" };
        let outcome = search(program, goal, None, None);
        let failures = &outcome.results.failures;
        assert!(!failures.is_empty(), "{program}");
        for found in failures {
            let first = found.failure.stack.first();
            assert!(first.is_some_and(|frame| frame.line == 3 && frame.function == "p/1"), "{program}: {:?}", found.failure);
        }
    }
}

#[test]
fn records_have_their_predicates() {
    let program = ":- use_module(library(record)).\n:- record point(x:integer=3, name), box(at:point, w:positive_integer=1).\n\
                   p(X) :- make_point([x(X), colour(red)], P, Rest), Rest == [colour(red)], is_point(P), point_data(name, P, V), var(V),\n\
                   set_point_fields([name(n)], P, Q), point_name(Q, n), default_box(B), box_w(B, 1), set_at_of_box(Q, B, C), is_box(C), box_at(C, Q),\n\
                   findall(N, current_record(N, _), [point, box]), current_record(point, T), T == point(x:integer=3, name), current_record(box, _:box(_, _)).\n";
    let outcome = search(program, "p/1", None, None);
    assert!(outcome.results.complete, "{:?}", outcome.results.limits);
    assert_eq!((successes(&outcome).len(), outcome.results.paths), (1, 2), "{:?}", outcome.goals());
}

#[test]
fn long_lists_are_of_their_declared_types() {
    let program = ":- pred p(+list(int)).\np(L) :- q(L, 0).\nq([], N) :- N =:= 15.\nq([X|Xs], N) :- N < 15, X > N, M is N + 1, q(Xs, M).\n";
    let (source, mut long) = subject(program, "p/1", None, None, Bounds::default());
    let outcome = support::explore(&source, &mut long, xcute_engine::Options::default());
    assert_eq!(outcome.results.arms.diverged, 0, "{:?}", outcome.goals());
    assert!(outcome.results.complete, "{:?}", outcome.results.limits);
    assert_eq!(successes(&outcome).len(), 1, "{:?}", outcome.goals());
}

#[test]
fn a_file_of_a_pack_finds_the_libraries_of_its_pack() {
    let files = |path: &Path| match path.to_string_lossy().as_ref() {
        "tools/pack.pl" => Ok("name(tools).".to_owned()),
        "tools/prolog/tools/inner.pl" => Ok(":- module(inner, [inner/1]).\ninner(a).\n".to_owned()),
        _ => Err(io::ErrorKind::NotFound.into()),
    };
    let text =
        ":- module(outer, [outer/1]).\n:- use_module(library(tools/inner)).\n:- use_module(library(lists)).\nouter(X) :- inner(X).\n";
    let found = |path: &str| {
        let (program, errors) = Program::load(path, text, &files);
        assert!(errors.is_empty(), "{errors:?}");
        program.predicates.iter().any(|predicate| program.atoms.name(predicate.indicator.name) == "inner" && !predicate.clauses.is_empty())
    };
    assert!(found("tools/prolog/outer.pl"));
    assert!(!found("elsewhere/prolog/outer.pl"));
}
