//! Terms of the library as inputs: those that its functions make, and no others.

use crate::support;
use crate::support::{modules, search, search_text, subject};

/// A specification, a function of what it allows that fails for one of them only, and how that is written.
const FOUND: &[(&str, &str, &str)] = &[
    ("sets:set(integer())", "case sets:is_element(3, X) of true -> error(hit); false -> sets:size(X) end", "#{3 => []}"),
    (
        "gb_sets:set(integer())",
        "case gb_sets:is_member(3, X) of true -> error(hit); false -> gb_sets:size(X) end",
        "gb_sets:from_ordset([3])",
    ),
    (
        "gb_trees:tree(atom(), 1..9)",
        "case gb_trees:lookup(k, X) of {value, 7} -> error(hit); _ -> ok end",
        "gb_trees:from_orddict([{k,7}])",
    ),
    ("queue:queue(integer())", "case queue:out(X) of {{value, 5}, _} -> error(hit); _ -> ok end", "{[],[5]}"),
    ("array:array(integer())", "case array:size(X) > 0 andalso array:get(0, X) of 4 -> error(hit); _ -> ok end", "array:from_list([4])"),
    ("ordsets:ordset(integer())", "case X of [A, B] when A >= B -> error(never); [1, 2] -> error(hit); _ -> ok end", "[1,2]"),
    ("orddict:orddict(integer(), a | b)", "case X of [{A, _}, {A, _}] -> error(never); [{2, b}] -> error(hit); _ -> ok end", "[{2,b}]"),
    ("maps:iterator(atom(), integer())", "case maps:next(X) of {k, 6, _} -> error(hit); _ -> ok end", "maps:iterator(#{k => 6})"),
    ("{x, [gb_sets:set(1..2)]}", "{x, L} = X, [gb_sets:is_member(2, S) andalso error(hit) || S <- L]", "{x,[gb_sets:from_ordset([2])]}"),
];

#[test]
fn what_the_library_makes_is_an_input() {
    for (of, body, wanted) in FOUND {
        let text = format!("-spec f({of}) -> term().\nf(X) -> {body}.\n");
        let found = search_text(&text, "f", 1, Some(4), 60);
        let hit = |case: &(String, Option<String>)| case.0 == *wanted && case.1.as_ref().is_some_and(|message| message.contains("hit"));
        assert!(found.cases.iter().any(hit), "{of}: {:?} {:?}", found.cases, found.incomplete());
        // Nothing else fails: not what no function makes.
        assert_eq!(found.failures().len(), 1, "{of}: {:?}", found.cases);
    }
}

#[test]
fn keys_of_dictionaries_are_found_by_their_hashes() {
    let text = "-spec f(dict:dict(atom(), integer())) -> term().\nf(D) -> case dict:find(k, D) of {ok, 3} -> error(hit); _ -> ok end.\n";
    let found = search_text(text, "f", 1, Some(4), 60);
    assert_eq!(found.failing("hit"), Some("dict:from_list([{k,3}])"), "{:?}", found.cases);
    assert_eq!(found.failures().len(), 1, "{:?}", found.cases);
    // What is put under one key is there under that key, and not under another.
    let text = "-spec f(integer(), integer()) -> term().\n\
                f(A, B) -> case dict:is_key(B, dict:store(A, x, dict:new())) of A =:= B -> ok; true -> error(there); false -> error(gone) end.\n";
    let text = text.replace("of A =:= B -> ok; true", "of true when A =:= B -> ok; false when A =/= B -> ok; true");
    let found = search_text(&text, "f", 2, None, 60);
    assert!(found.failures().is_empty() && found.cases.len() == 2, "{:?}", found.cases);
}

#[test]
fn what_cannot_be_made_is_named() {
    for (of, body) in [
        ("digraph:graph()", "digraph:vertices(X)"),
        ("ets:tid()", "ets:lookup(X, 1)"),
        ("ets:compiled_match_spec()", "ets:match_spec_run([a], X)"),
        ("re:mp()", "re:run(\"xaab\", X)"),
        ("binary:cp()", "binary:match(<<\"xa\">>, X)"),
        ("atomics:atomics_ref()", "atomics:add(X, 1, 5), atomics:get(X, 1)"),
        ("counters:counters_ref()", "counters:add(X, 1, 5), counters:get(X, 1)"),
        ("rand:state()", "element(1, rand:uniform_s(X))"),
        ("zlib:zstream()", "zlib:close(X)"),
        ("file:fd()", "file:read(X, 10)"),
        ("file:io_device()", "file:read(X, 10)"),
        ("timer:tref()", "timer:cancel(X)"),
    ] {
        let text = format!("-spec f({of}) -> term().\nf(X) -> {body}.\n");
        let found = search_text(&text, "f", 1, None, 20);
        assert!(found.failures().is_empty() && found.results.failures.is_empty(), "{of}: {:?}", found.cases);
        assert!(found.incomplete().iter().any(|why| why.contains(of)), "{of}: {:?}", found.incomplete());
    }
}

#[test]
fn functions_may_return_what_is_made() {
    let text = "-spec f(fun((integer()) -> gb_sets:set(integer()))) -> term().\n\
                f(F) -> case gb_sets:to_list(F(1)) of [3] -> error(hit); _ -> ok end.\n";
    let found = search_text(text, "f", 1, Some(3), 40);
    assert!(found.failing("hit").is_some_and(|input| input.contains("gb_sets:from_ordset([3])")), "{:?}", found.cases);
    assert_eq!(found.failures().len(), 1, "{:?}", found.cases);
}

#[test]
fn a_contract_sees_what_is_made() {
    let directory = tempfile::tempdir().expect("a directory");
    let contract = xcute_erl::program::Contract {
        module: "t".to_owned(),
        function: "f".to_owned(),
        arity: 1,
        pre: Some("small".to_owned()),
        post: None,
    };
    let write = |name: &str, text: &str| {
        let file = directory.path().join(format!("{name}.erl"));
        std::fs::write(&file, text).expect("a file");
        xcute_erl::program::Source::File(file, Vec::new())
    };
    let text = "-module(t).\n-export([f/1, small/1]).\n-spec f(gb_sets:set(integer())) -> term().\n\
                f(S) -> case gb_sets:to_list(S) of [_, _] -> error(two); [8] -> error(hit); _ -> ok end.\nsmall(S) -> gb_sets:size(S) < 2.\n";
    let loaded = support::load(&[write("t", text), write("xcute_contract", &contract.text())]);
    let found = search(&mut subject(&loaded, "t", "f", 1, Some(4)), 60);
    assert_eq!(found.failing("hit"), Some("gb_sets:from_ordset([8])"), "{:?}", found.cases);
    assert_eq!(found.failures().len(), 1, "{:?}", found.cases);
}

#[test]
fn a_module_of_another_name_is_not_meant() {
    // A type of the program's own is what it says.
    let text = "-type set(T) :: {set, T}.\n-spec f(set(integer())) -> term().\nf({set, 3}) -> error(hit);\nf({set, _}) -> ok.\n";
    let loaded = modules(&[("t", text)]);
    let found = search(&mut subject(&loaded, "t", "f", 1, None), 20);
    assert_eq!(found.failing("hit"), Some("{set,3}"), "{:?}", found.cases);
    assert!(found.results.complete, "{:?}", found.incomplete());
}

/// A module with opaque types that say less than what its functions make.
const HIDDEN: &str = "-opaque t() :: {stk, non_neg_integer(), [integer()]}.
    -opaque s(A) :: [A].
    -opaque l() :: {limit, integer()}.
    -opaque h() :: {hidden, integer()}.
    -spec new() -> t().
    new() -> {stk, 0, []}.
    -spec push(integer(), t()) -> t().
    push(X, {stk, N, L}) -> {stk, N + 1, [X | L]}.
    -spec pop(t()) -> {integer(), t()}.
    pop({stk, N, [X | L]}) when N > 0 -> {X, {stk, N - 1, L}}.
    -spec sorted([A]) -> s(A).
    sorted(L) -> lists:usort(L).
    -spec limit(integer()) -> R when R :: {ok, l()} | {error, bad}.
    limit(N) when N > 0, N < 100 -> {ok, {limit, N}};
    limit(_) -> {error, bad}.
";

/// What a function of another module finds with inputs of these types: the failing inputs, and what kept the search from being complete.
fn of_another_module(of: &str, body: &str, depth: u32) -> (Vec<(String, String)>, Vec<String>, bool) {
    let text = format!("-spec f({of}) -> term().\nf(X) -> {body}.\n");
    let modules = modules(&[("t", &text), ("hid", HIDDEN)]);
    let found = search(&mut subject(&modules, "t", "f", 1, Some(depth)), 60);
    let failing = found.cases.iter().filter_map(|(input, failure)| Some((input.clone(), failure.clone()?))).collect();
    let marked = found.results.failures.iter().any(|found| found.failure.notes.iter().any(|note| note.what.contains("opaque")));
    (failing, found.incomplete(), marked)
}

#[test]
fn opaque_types_of_other_modules_are_made_by_their_functions() {
    for (of, body, wanted) in [
        ("hid:t()", "{stk, N, L} = X, N =/= length(L) andalso error(never), L =:= [4] andalso error(hit)", "hid:push(4,hid:new())"),
        ("hid:s(integer())", "case X of [A, B | _] when A >= B -> error(never); [7] -> error(hit); _ -> ok end", "hid:sorted([7])"),
        (
            "hid:l()",
            "case X of {limit, N} when N < 1; N > 99 -> error(never); {limit, 50} -> error(hit); _ -> ok end",
            "element(2,hid:limit(50))",
        ),
        ("#{k => hid:s(integer())}", "case X of #{k := [3]} -> error(hit); _ -> ok end", "#{k => hid:sorted([3])}"),
    ] {
        let (failing, incomplete, marked) = of_another_module(of, body, 3);
        assert!(failing.iter().any(|(input, why)| input == wanted && why.contains("hit")), "{of}: {failing:?} {incomplete:?}");
        assert!(failing.iter().all(|(_, why)| why.contains("hit")) && !marked, "{of}: {failing:?}");
    }
}

#[test]
fn opaque_types_that_nothing_makes_are_made_by_definition_and_marked() {
    let (failing, incomplete, marked) = of_another_module("hid:h()", "{hidden, N} = X, 100 div N", 2);
    assert_eq!(failing.iter().map(|(input, _)| input.as_str()).collect::<Vec<_>>(), ["{hidden,0}"]);
    assert!(marked && incomplete.iter().any(|why| why.contains("hid:h()")), "{incomplete:?}");
}

#[test]
fn keys_of_maps_never_show_tags() {
    for (of, body) in [
        ("#{ets:tid() => integer()}", "[ets:info(K, size) =:= 0 orelse error(K) || K <- maps:keys(X)]"),
        ("#{hid:t() => integer()}", "[case K of {stk, _, _} -> ok; _ -> error(K) end || K <- maps:keys(X)]"),
        ("sets:set(gb_sets:set(integer()))", "[case K of {N, _} when is_integer(N) -> ok; _ -> error(K) end || K <- sets:to_list(X)]"),
        (
            "#{a | gb_sets:set(integer()) => integer()}",
            "[case K of a -> ok; {N, _} when is_integer(N) -> ok; _ -> error(K) end || K <- maps:keys(X)]",
        ),
    ] {
        let (failing, _, _) = of_another_module(of, body, 3);
        assert!(failing.is_empty(), "{of}: {failing:?}");
    }
}
