//! Types that hold themselves, and any terms.

use crate::support::search_text;

#[test]
fn records_may_hold_records_of_their_kind() {
    for (record, pattern) in [
        ("-record(r, {a = 0 :: integer(), next :: #r{} | undefined}).", "#r{next = #r{a = 8}}"),
        ("-record(r, {a = 0 :: integer(), next :: #r{a :: 1..9} | undefined}).", "#r{next = #r{next = #r{a = 8}}}"),
    ] {
        let text = format!("{record}\n-spec f(#r{{}}) -> term().\nf({pattern}) -> error(hit);\nf(_) -> ok.\n");
        let found = search_text(&text, "f", 1, None, 100);
        assert!(found.failing("hit").is_some(), "{record}: {:?}", found.cases);
        assert!(found.results.complete, "{record}: {:?}", found.incomplete());
    }
}

#[test]
fn terms_of_any_kind_are_compared() {
    let found = search_text("lt(A, B) -> if A < B -> less; A > B -> more; true -> eq end.\n", "lt", 2, None, 40);
    // A solver does not know which numbers are those of pids, nor that floats are finite: what it gives becomes a term of the same kind.
    assert_eq!(found.results.arms.diverged, 0, "{:?}", found.cases);
    assert!(found.cases.iter().any(|(input, _)| input.contains("list_to_") || input.contains("fun(")), "{:?}", found.cases);
}

#[test]
fn alternatives_of_a_tuple_are_told_apart_by_its_elements() {
    let text = "-spec f({[], []} | {[a, ...], [b, ...]}) -> term().\n\
                f({[], []}) -> none;\nf({[a, a], [b, b]}) -> error(hit);\nf({[_ | _], [_ | _]}) -> some.\n";
    let found = search_text(text, "f", 1, None, 60);
    assert_eq!(found.failing("hit"), Some("{[a,a],[b,b]}"), "{:?}", found.cases);
    // No other tuple is an input.
    assert!(found.failures().len() == 1 && found.results.complete, "{:?} {:?}", found.cases, found.incomplete());
}

#[test]
fn a_type_says_that_an_input_is_not_an_atom_of_the_emulator() {
    let body = "f(X) -> try hd(X) catch error:Reason -> case Reason =:= X of true -> error(same); false -> ok end end.\n";
    let found = search_text(&format!("-spec f(a | [] | {{}}) -> term().\n{body}"), "f", 1, None, 50);
    assert!(found.results.complete && found.failures().is_empty(), "{:?} {:?}", found.cases, found.incomplete());
    // Where it may be one, that is said.
    let found = search_text(&format!("-spec f(atom()) -> term().\n{body}"), "f", 1, None, 50);
    assert!(found.failing("same").is_some() || !found.results.complete, "{:?}", found.cases);
}
