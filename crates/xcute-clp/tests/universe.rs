//! Inputs are whatever the program can tell apart, and nothing else.

use crate::support::{Outcome, search};
use xcute_clp::subject::Answer;

fn succeeds(outcome: &Outcome) -> bool {
    outcome.cases.iter().any(|case| matches!(&case.answer, Answer::Solutions(solutions, _) if !solutions.is_empty()))
}

/// Goals that succeed for terms that are not written in the program.
#[test]
fn what_a_builtin_looks_for_is_tried() {
    for body in [
        "compound(X)",
        "is_list(X)",
        "length(X, 2)",
        "maplist(integer, X), X = [_|_]",
        "string(X)",
        "float(X)",
        "float(X), X =:= 2.5",
        "X > 3, X < 4",
        "Y is X * 2, Y =:= 5.0",
        "number(X), \\+ integer(X)",
        "functor(X, point, 2)",
        "X =.. [point, A, B], A = B",
        "compound_name_arity(X, foo, 2)",
        "atom_length(abc, X)",
        "\\+ atom(X), \\+ compound(X)",
        "callable(X), \\+ atom(X)",
        "X @> 5, X @< a, \\+ number(X)",
        "atomic(X), \\+ atom(X), \\+ number(X), \\+ X == [], string(X)",
        "call(is_list, X), X = [_, _]",
        "foldl([Y, S0, S]>>(S is S0 + Y), X, 0, 7)",
    ] {
        let outcome = search(&format!("p(X) :- {body}."), "p/1", None, Some(3));
        assert!(succeeds(&outcome), "{body}: {:?} {:?}", outcome.goals(), outcome.results.limits);
    }
}

/// `1+1`, `pi` and `[a]` are numbers where they are evaluated, and something else where their kind is looked at.
#[test]
fn what_is_evaluated_and_looked_at_is_not_all_tried() {
    for (body, complete) in [
        ("X > 0, compound(X)", false),
        ("X > 0, atom(X)", false),
        ("X > 0, \\+ number(X)", false),
        ("X > 0, functor(X, _, 2)", false),
        ("\\+ functor(X, _, 0), X > 0", false),
        ("atom(X), Y is X, Y > 3", false),
        ("callable(X), X > 0", false),
        ("X = f(_), X > 0", true),
        ("X = a, X > 0", true),
        ("integer(X), X > 0, \\+ atom(X)", true),
        ("X > 0", true),
    ] {
        let outcome = search(&format!("p(X) :- {body}."), "p/1", None, None);
        assert_eq!(outcome.results.complete, complete, "{body}: {:?}", outcome.results.limits);
    }
}

#[test]
fn variables_come_before_inputs() {
    for body in ["_ @>= X", "X @< _", "compare(>, _, X)", "atom_length(X, 1), _ @>= X"] {
        let outcome = search(&format!("p(X) :- {body}."), "p/1", None, None);
        assert!(!succeeds(&outcome), "{body}: {:?}", outcome.goals());
    }
}

#[test]
fn symbols_of_the_library_are_tried() {
    let outcome = search("p(X) :- is_assoc(X), X \\== t.", "p/1", None, Some(1));
    assert!(succeeds(&outcome), "{:?}", outcome.goals());
}

#[test]
fn kinds_that_make_no_difference_are_one_path() {
    let count = |text: &str, depth| {
        let outcome = search(text, "p/1", None, depth);
        assert!(outcome.results.complete, "{text}: {:?}", outcome.results.limits);
        outcome.results.paths
    };
    assert_eq!(count("p(X) :- compound(X).", None), 2);
    assert_eq!(count("p(X) :- string(X).\nq(f(_), g(_, _)).", None), 2);
    assert_eq!(count("p(X) :- atom(X).", None), 2);
    // Which term it is that is not a number makes no difference: an integer, a float, one too large, and the rest.
    assert_eq!(count("p(X) :- Y is X + X, q(Y).\nq(_).\nr(f(_), g(_), h(_), a, b, c, [d]).", None), 4);
    assert_eq!(count("p(X) :- X @< 5.", None), count("p(X) :- X @< 5.\nq(f(_), g(_, _), a, b).", None));
}

/// Which of two inputs comes first is decided, whatever they are.
#[test]
fn the_order_of_inputs_is_no_limit() {
    let search = |text: &str, goal, depth| {
        let outcome = search(text, goal, None, Some(depth));
        assert!(outcome.results.complete, "{text}: {:?}", outcome.results.limits);
        outcome
    };
    assert_eq!(search("p(X, Y) :- X @< Y.", "p/2", 0).results.paths, 3);
    assert_eq!(search("p(X, Y, Z) :- X @< Y, Y @< Z.", "p/3", 0).results.paths, 5);
    assert!(succeeds(&search("p(X) :- sort(X, [a, Y]), Y @> b, Y @< c.", "p/1", 2)));
    assert!(!succeeds(&search("p(X, Y) :- X @< Y, Y @< X.", "p/2", 0)));
    for body in [
        "X @> zebra, X @< zoo",
        "X @> a, X @< a0",
        "X @< []",
        "X @> f(a, b), compound(X), \\+ X = f(_, _)",
        "X @< f(_), compound(X), \\+ X = f(_)",
    ] {
        assert!(succeeds(&search(&format!("p(X) :- {body}."), "p/1", 1)), "{body}");
    }
    // No text comes before the empty one, and `o` comes before `o1`.
    for body in ["atom(X), X @< ''", "string(X), X @< \"\"", "atom(X), X @> a, X @< 'a\\x0\\'", "X @< o, X = o1"] {
        assert!(!succeeds(&search(&format!("p(X) :- {body}."), "p/1", 1)), "{body}");
    }
    for body in ["atom(X), X @> '', X @< '1'", "atom(X), X @> o, X @< oo", "atom(X), X @> a, X @< 'a '"] {
        assert!(succeeds(&search(&format!("p(X) :- {body}."), "p/1", 1)), "{body}");
    }
    assert!(succeeds(&search("p(K) :- list_to_assoc([b-1, d-2], A), put_assoc(K, A, 3, t(_, _, _, t(K, _, _, _, _), _)).", "p/1", 0)));
}

/// A text that the program makes may be an input, too, wherever that comes in the order.
#[test]
fn a_text_that_is_made_and_ordered_inputs_are_a_limit() {
    for body in [
        "X @< foo, atom_concat(a, b, Y), X == Y",
        "atom_concat(a, b, Y), X @< foo, X == Y",
        "X @> \"m\", string_concat(\"q\", \"r\", Y), X = Y",
        "sort([X, foo], _), atom_chars(Y, [b, a, r]), X = f(Y)",
    ] {
        let outcome = search(&format!("p(X) :- {body}."), "p/1", None, Some(2));
        assert!(succeeds(&outcome) || !outcome.results.complete, "{body}: {:?}", outcome.goals());
    }
}

/// `--term-depth` costs what the goal can reach.
#[test]
fn unrelated_functors_cost_nothing() {
    let unrelated: String = (0..300).map(|n| format!("other(f{n}(_, _), g{n}(a{n})).\n")).collect();
    let own = "p([]).\np([_|T]) :- p(T).\n";
    let (alone, beside) = (search(own, "p/1", None, Some(3)), search(&format!("{own}{unrelated}"), "p/1", None, Some(3)));
    assert_eq!(alone.results.paths, beside.results.paths);
    assert!(beside.results.complete);
}

#[test]
fn two_ways_to_throw_are_two_failures() {
    let outcome = search("p(X) :- X > 3, X < 4, throw(oops).", "p/1", None, None);
    let mut messages: Vec<&str> = outcome.results.failures.iter().map(|found| found.failure.message.as_str()).collect();
    messages.sort_unstable();
    assert!(matches!(messages[..], ["uncaught oops", other] if other.starts_with("uncaught type_error(evaluable,")), "{messages:?}");
}

/// What is neither an atom nor what else the program looks for.
#[test]
fn something_is_left_when_kinds_are_asked_for() {
    for tests in ["integer", "string", "number", "integer, string", "number, string"] {
        for last in ["atom", "callable"] {
            let clauses: String = tests.split(", ").chain([last, "compound"]).map(|test| format!("p(X) :- {test}(X), !.\n")).collect();
            let outcome = search(&format!("{clauses}p(_) :- throw(left)."), "p/1", None, Some(1));
            let found = outcome.results.failures.iter().any(|found| found.failure.message == "uncaught left");
            assert!(found && outcome.results.complete, "{tests}, {last}: {:?}", outcome.goals());
        }
    }
}

/// Which term is not a number, and in which way, is one path: unless the program looks at the error.
#[test]
fn what_an_error_blames_is_not_all_tried() {
    for (body, complete) in [
        ("catch(X > 0, error(type_error(evaluable, _), _), fail)", false),
        ("catch(X > 0, error(type_error(_, foo/0), _), throw(found))", false),
        ("catch(X > 0, error(E, _), true), q(E)", false),
        ("catch(X > 0, E, true), q(E)", false),
        ("catch(X > 0, _, fail)", true),
        // An expression that throws something else, such as 1 / 0, is not caught there.
        ("catch(X > 0, error(type_error(_, _), _), fail)", false),
        ("catch(X > 0, error(evaluation_error(_), _), q(X))", false),
        ("catch(Y is 6 / X, error(evaluation_error(zero_divisor), _), Y = none)", false),
        ("integer(X), catch(Y is 6 // X, error(evaluation_error(zero_divisor), _), Y = none)", true),
        ("catch(X > 0, error(existence_error(_, _), _), fail)", true),
        ("catch(X > 0, done, fail)", true),
        ("catch(X > 0, E, ( print_message(error, E), fail ))", true),
        ("catch(X > 0, error(E, _), ( nl, ( q(X) -> print(E) ; writeln(f(E)) ) ))", true),
        ("catch(X > 0, error(type_error(T, V), _), format(\"~w: ~q~n\", [T, V]))", false),
        ("catch(X > 0, error(E, _), format(\"~w~n\", [E]))", true),
        ("catch(X > 0, E, print(E)), q(E)", false),
        ("catch(X > 0, E, ( print(E), throw(E) ))", false),
        ("catch(X > 0, error(type_error(_, V), _), format(\"~a\", [V]))", false),
        ("with_output_to(atom(A), catch(X > 0, E, print(E))), q(A)", false),
        ("integer(X), catch(X > 0, E, true), q(E)", true),
    ] {
        let outcome = search(&format!("p(X) :- {body}.\nq(_)."), "p/1", None, None);
        assert_eq!(outcome.results.complete, complete, "{body}: {:?}", outcome.results.limits);
    }
}

/// An atom of one character in a list is a number to arithmetic.
#[test]
fn characters_in_lists_that_are_evaluated_are_a_limit() {
    let program = "p(X) :- catch(X > 0, _, fail), sum_list(X, 2).\np(_).";
    let outcome = search(program, "p/1", None, Some(2));
    assert!(!outcome.results.complete, "{:?}", outcome.goals());
    let outcome = search("p(X) :- X @< [\"\"], integer(X), !.\np(X) :- 0 =:= 0 * X.", "p/1", None, Some(2));
    assert!(!outcome.results.complete, "{:?}", outcome.goals());
}

/// What is written with a format may be evaluated, and is refused where it does not fit its directive.
#[test]
fn arguments_of_formats_are_looked_at() {
    for (format, errors, complete) in
        [("~d", 2, true), ("~c", 3, true), ("~e", 1, true), ("~w", 0, true), ("~a", 1, true), ("~s", 1, false)]
    {
        // Nobody sees the text.
        let outcome = search(&format!("p(X) :- format(\"{format}~n\", [X])."), "p/1", None, Some(1));
        let refused = outcome.cases.iter().filter(|case| matches!(case.answer, Answer::Error(_))).count();
        assert!(succeeds(&outcome) && refused >= errors, "{format}: {:?}", outcome.goals());
        assert_eq!(outcome.results.complete, complete, "{format}: {:?}", outcome.results.limits);
    }
    let outcome = search("p(X) :- tab(X).", "p/1", None, Some(0));
    let of_float = |goal: &str| goal.contains('.');
    let refused = outcome.cases.iter().any(|case| of_float(&case.goal) && matches!(case.answer, Answer::Error(_)));
    assert!(refused, "a float is not a number of spaces: {:?}", outcome.goals());
}

/// A clause that is added may have an input in it, whose symbol is known only by what was decided.
#[test]
fn inputs_in_added_clauses_match() {
    for (body, paths) in [("X = [], assertz(d(X)), d([])", 2), ("X = f(_), assertz(d(X)), d(f(_))", 2), ("assertz(d(X)), d(a)", 2)] {
        let outcome = search(&format!(":- dynamic d/1.\np(X) :- {body}."), "p/1", None, Some(1));
        assert!(succeeds(&outcome), "{body}: {:?}", outcome.goals());
        assert_eq!((outcome.results.paths, outcome.results.complete), (paths, true), "{body}: {:?}", outcome.goals());
    }
}

#[test]
fn what_is_not_tried_is_named() {
    let outcome = search("p(X) :- functor(X, _, N), N > 20.", "p/1", None, Some(1));
    assert!(!outcome.results.complete && outcome.results.limits.keys().any(|limit| limit.kind == "universe"));
}
