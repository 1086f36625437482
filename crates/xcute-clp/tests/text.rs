//! Texts and bits of inputs are followed: what is reached through them is reached, and where all of it is followed the search is complete.

use crate::support::{Outcome, follow_texts, search};
use xcute_clp::subject::Answer;

fn succeeds(outcome: &Outcome) -> bool {
    outcome.cases.iter().any(|case| matches!(&case.answer, Answer::Solutions(solutions, _) if !solutions.is_empty()))
}

/// Each body succeeds for some input, and for none that the program names.
#[test]
fn what_is_reached_through_a_text_is_found() {
    follow_texts();
    for body in [
        "atom(X), atom_length(X, 3)",
        "string(X), string_length(X, 2)",
        "atom(X), atom_concat(ab, _, X)",
        "atom(X), atom_concat(_, yz, X), atom_length(X, 4)",
        "string(X), string_concat(\"ab\", Y, X), Y == \"c\"",
        "atom(X), atom_codes(X, [0'a, C]), C > 0'x",
        "atom(X), atom_chars(X, [C, C]), C \\== a",
        "string(X), string_codes(X, [C|_]), C =:= 0'k",
        "char_code(X, 0'q)",
        "integer(X), char_code(C, X), C == q",
        "atom(X), sub_atom(X, 0, _, _, http)",
        "atom(X), sub_atom(X, _, _, 0, '.pl')",
        "atom(X), sub_atom(X, B, 1, _, '-'), B > 1",
        "atom(X), atom_number(X, N), N > 41, N < 43",
        "atom(X), atom_number(X, -7)",
        "atom(X), upcase_atom(X, 'AB'), X \\== 'AB'",
        "string(X), string_code(2, X, 0'b)",
        "atom(X), atom_string(X, S), string_length(S, 5)",
        "atom(X), atomic_list_concat([a, X, c], '-', 'a-b-c')",
        "string(X), text_to_string(X, Y), Y == \"word\"",
        "atom(X), atomic_list_concat([a, B], '-', X), B == bc",
        "atom(X), atomic_list_concat([a, b], X, 'a--b')",
        "string(X), split_string(X, \",\", \"\", [\"a\", B]), B \\== \"\"",
        "X = [_, _], atom_codes(A, X), A == ok",
        "atom(X), Y = X, atom_string(X, Y), X == word",
    ] {
        let outcome = search(&format!("p(X) :- {body}."), "p/1", None, Some(2));
        assert!(succeeds(&outcome), "{body}: {:?} {:?}", outcome.goals(), outcome.results.limits);
    }
}

/// How many paths there are, where every one of them is followed.
#[test]
fn texts_are_no_limit_where_they_are_followed() {
    follow_texts();
    for (body, paths) in [
        ("atom(X), atom_length(X, 3)", 3),
        ("atom(X), atom_concat(ab, _, X)", 3),
        ("atom(X), sub_atom(X, 0, _, _, ab)", 3),
        ("atom(X), sub_atom(X, 0, 1, _, a)", 3),
        ("atom(X), sub_atom(X, 1, 2, _, P), P == bc", 4),
        ("atom(X), sub_atom(X, B, 2, 1, xy), B > 3", 5),
        ("string(X), string_concat(_, \"z\", X)", 3),
        ("atom(X), atomic_list_concat([_, _], '-', X)", 4),
        ("atom(X), atomic_list_concat([A, B], '-', X), A == B", 5),
        ("string(X), split_string(X, \"=\", \"\", [K, _]), K \\== \"\"", 5),
        ("char_code(X, 0'q)", 4),
        ("string(X), string_length(X, N), Y is X + N, Y > 98", 4),
    ] {
        let outcome = search(&format!("p(X) :- {body}."), "p/1", None, Some(1));
        assert!(outcome.results.complete, "{body}: {:?} {:?}", outcome.goals(), outcome.results.limits);
        assert_eq!(outcome.results.paths, paths, "{body}: {:?}", outcome.goals());
    }
}

/// A float has a text as well, and lengths have no end: that is said.
#[test]
fn what_is_not_followed_of_texts_is_named() {
    follow_texts();
    for body in ["atom_length(X, 3)", "atom(X), atom_codes(X, L), length(L, 12)", "atom(X), format(atom(_), '~a', [X]), atom_length(X, 2)"]
    {
        let outcome = search(&format!("p(X) :- {body}."), "p/1", None, Some(1));
        assert!(!outcome.results.complete, "{body}: {:?}", outcome.goals());
        assert!(outcome.results.limits.iter().any(|(limit, _)| limit.what.contains("text")), "{:?}", outcome.results.limits);
    }
}

#[test]
fn numbers_of_digits_are_sums() {
    let body = "integer(X), X >= 0'0, X =< 0'9, number_codes(N, [0'1, X]), N > 17, N =\\= 19";
    let outcome = search(&format!("p(X) :- {body}."), "p/1", None, Some(1));
    assert!(outcome.results.complete && succeeds(&outcome), "{:?} {:?}", outcome.goals(), outcome.results.limits);
}

#[test]
fn texts_that_are_fixed_are_counted() {
    let outcome = search("p(X) :- atom(X), atom_length(X, 3).", "p/1", None, Some(1));
    assert!(!outcome.results.complete && !succeeds(&outcome), "{:?}", outcome.goals());
    assert!(outcome.results.limits.iter().any(|(limit, _)| limit.what.contains("text")), "{:?}", outcome.results.limits);
}

/// Which text comes first is a question to the solver, also where the program looks into texts.
#[test]
fn texts_that_are_looked_into_have_an_order() {
    follow_texts();
    for (body, paths) in
        [("atom(X), atom_length(X, 2), X @> b, X @< c", 5), ("string(X), string_concat(\"b\", _, X), \"ba\" @< X, X @< \"bb\"", 7)]
    {
        let outcome = search(&format!("p(X) :- {body}."), "p/1", None, Some(1));
        assert!(outcome.results.complete && succeeds(&outcome), "{body}: {:?} {:?}", outcome.goals(), outcome.results.limits);
        assert_eq!(outcome.results.paths, paths, "{body}: {:?}", outcome.goals());
    }
}

#[test]
fn bits_of_integers_are_followed() {
    for (body, paths) in [
        ("X /\\ 3 =:= 2", 3),
        ("X xor 5 =:= 3", 3),
        ("X \\/ 6 =:= 7", 3),
        ("X /\\ \\ 7 =:= 16, X > 20", 4),
        ("X >> 3 =:= -2", 3),
        ("X << 2 =:= 12", 3),
        ("getbit(X, 2) =:= 1", 4),
    ] {
        let outcome = search(&format!("p(X) :- integer(X), {body}."), "p/1", None, None);
        assert!(outcome.results.complete, "{body}: {:?} {:?}", outcome.goals(), outcome.results.limits);
        assert!(succeeds(&outcome), "{body}: {:?}", outcome.goals());
        assert_eq!(outcome.results.paths, paths, "{body}: {:?}", outcome.goals());
    }
    for body in ["1 << X =:= 32", "X < 20, msb(X) =:= 4", "2 ** X =:= 1024", "X >> -2 =:= 20"] {
        let outcome = search(&format!("p(X) :- integer(X), {body}."), "p/1", None, None);
        assert!(succeeds(&outcome), "{body}: {:?}", outcome.goals());
    }
    let outcome = search("p(X, Y) :- integer(X), integer(Y), X xor Y =:= 3.", "p/2", None, None);
    assert!(succeeds(&outcome), "{:?}", outcome.goals());
}
