//! Types that hold themselves.

mod support;

use support::search_text;

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
