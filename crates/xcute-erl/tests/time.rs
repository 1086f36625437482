//! Times: what waits, and for how long.

use crate::support::search_text;

#[test]
fn the_time_that_a_receive_waits_is_decided() {
    for body in ["timer:sleep(T)", "receive stop -> 1 after T -> ok end"] {
        let found = search_text(&format!("-spec f(term()) -> ok.\nf(T) -> {body}.\n"), "f", 1, Some(1), 100);
        assert!(found.results.complete, "{body}: {:?}", found.incomplete());
        assert!(found.failing("bad receive timeout value").is_some(), "{body}: {:?}", found.inputs());
        assert_eq!(found.failing("waits for ever"), Some("infinity"), "{body}: {:?}", found.inputs());
    }
}

#[test]
fn times_are_reckoned_with() {
    for (body, wanted) in [
        ("10 div (timer:seconds(X) - 42000)", "42"),
        ("10 div (timer:hms(0, X, 1) - 121000)", "2"),
        ("10 div (timer:now_diff({0, X, 5}, {0, 3, 0}) - 1000005)", "4"),
        ("element(2, timer:tc(fun() -> 10 div (X - 7) end))", "7"),
        ("element(2, timer:tc(fun(Y) -> 10 div (Y - 7) end, [X]))", "7"),
        ("element(2, timer:tc(erlang, 'div', [10, X - 7]))", "7"),
    ] {
        let found = search_text(&format!("-spec f(0..99) -> integer().\nf(X) -> {body}.\n"), "f", 1, None, 100);
        assert_eq!(found.failing("arithmetic"), Some(wanted), "{body}: {:?}", found.inputs());
        assert!(found.results.complete, "{body}: {:?}", found.incomplete());
    }
}

/// What sleeps looks at no table and changes none.
#[test]
fn a_sleep_leaves_tables_alone() {
    let text = "-spec f(0..9) -> integer().\n\
                f(X) -> T = ets:new(t, []), timer:sleep(1), ets:insert(T, {x, X}), [{x, Y}] = ets:lookup(T, x), 1 div (Y - 7).\n";
    let found = search_text(text, "f", 1, None, 100);
    assert_eq!(found.failing("arithmetic"), Some("7"), "{:?}", found.inputs());
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn the_size_of_a_deep_list_is_that_of_its_bytes() {
    let text = "-spec f([0..255 | <<_:16>>]) -> integer().\nf(X) -> 1 div (iolist_size(X) - 3).\n";
    let found = search_text(text, "f", 1, Some(3), 200);
    assert!(found.failing("arithmetic").is_some(), "{:?}", found.inputs());
    assert!(found.results.complete, "{:?}", found.incomplete());
}
