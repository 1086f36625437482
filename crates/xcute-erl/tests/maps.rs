//! Maps as inputs: patterns, updates, failures and the functions of `maps`, searched to the end.

use crate::support::{Found, search_text};

fn search(text: &str, arity: u32, depth: Option<u32>) -> Found {
    search_text(text, "f", arity, depth, 3000)
}

#[test]
fn named_keys_need_no_bound() {
    let found = search("f(#{a := 1, b := X}) -> 10 div X;\nf(#{a := _}) -> a;\nf(#{}) -> map;\nf(_) -> other.\n", 1, None);
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert!(found.failing("arithmetic expression").is_some_and(|input| input.starts_with("#{a => 1,b => ")), "{:?}", found.inputs());
    assert_eq!(found.failures().len(), 1, "{:?}", found.failures());
    let zero = search("-spec f(#{a := integer(), b => integer()}) -> term().\nf(#{a := X} = M) -> X div maps:get(b, M, 1).\n", 1, None);
    assert!(zero.results.complete, "{:?}", zero.incomplete());
    assert!(zero.failing("arithmetic").is_some_and(|input| input.ends_with("b => 0}")), "{:?}", zero.inputs());
}

#[test]
fn updates_and_functions_fail_as_they_should() {
    let found = search("f(M) -> N = M#{a := 1},\n map_get(b, N).\n", 1, None);
    assert!(found.results.complete, "{:?}", found.incomplete());
    let all = found.failures().join("; ");
    for reason in ["bad map", "bad key: a", "bad key: b"] {
        assert!(all.contains(reason), "{all}");
    }
    let found =
        search("f(M) -> case maps:find(k, maps:put(j, 2, M)) of {ok, 3} -> error(three); {ok, _} -> ok; error -> no end.\n", 1, None);
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert_eq!(found.failing("three"), Some("#{k => 3}"), "{:?}", found.inputs());
    let found = search(
        "f(M) -> N = maps:remove(a, M), case N =:= #{b => 1} andalso is_map_key(a, M) of true -> error(here); false -> ok end.\n",
        1,
        None,
    );
    assert!(found.failing("here").is_some_and(|input| input.contains("b => 1") && input.contains("a => ")), "{:?}", found.inputs());
}

#[test]
fn other_keys_are_atoms_and_integers() {
    let text = "-spec f(integer(), #{integer() => atom()}) -> term().\nf(K, M) -> case M of #{K := x} when map_size(M) =:= 2 -> error(found); _ -> ok end.\n";
    let found = search(text, 2, Some(2));
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert!(found.failing("found").is_some_and(|input| input.contains("=> x")), "{:?}", found.inputs());
    let text = "-spec f(#{atom() => 0..9}) -> term().\nf(M) -> case maps:fold(fun(_, V, A) -> V + A end, 0, M) of 17 -> error(seventeen); _ -> ok end.\n";
    let found = search(text, 1, Some(2));
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert!(found.failing("seventeen").is_some(), "{:?}", found.inputs());
}

#[test]
fn keys_that_depend_on_the_input() {
    let text = "-spec f([{integer(), integer()}]) -> term().\nf(L) -> M = maps:from_list(L), case {length(L), map_size(M), M} of {2, 1, #{5 := 6}} -> error(twice); {2, 2, #{7 := 8}} -> error(once); _ -> ok end.\n";
    let found = search(text, 1, Some(3));
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert!(found.failing("twice").is_some_and(|input| input.ends_with("{5,6}]")), "{:?}", found.inputs());
    assert!(found.failing("once").is_some_and(|input| input.contains("{7,8}")), "{:?}", found.inputs());
    let text = "-spec f(integer(), integer()) -> term().\nf(X, Y) -> M = #{X => a, Y => b}, case maps:keys(M) of [K, 9] when K < 9 -> error(nine); [_] -> error(one); _ -> ok end.\n";
    let found = search(text, 2, None);
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert!(found.failing("nine").is_some_and(|input| input.contains('9')) && found.failing("one").is_some(), "{:?}", found.inputs());
}

#[test]
fn what_is_left_out_is_named() {
    let text = "f(M) -> case maps:to_list(M) of [{{x}, _}] -> error(tuple); _ -> ok end.\n";
    let found = search(text, 1, Some(2));
    assert!(!found.results.complete);
    assert!(found.incomplete().iter().any(|limit| limit.contains("other keys")), "{:?}", found.incomplete());
}

#[test]
fn maps_are_ordered() {
    let text = "-spec f(#{a => 0..3, b => 0..3}, #{a => 0..3, b => 0..3}) -> term().\nf(M, N) -> if M < N, map_size(M) =:= 2 -> error(less); M == N, M =/= #{} -> error(same); true -> ok end.\n";
    let found = search(text, 2, None);
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert!(found.failing("less").is_some() && found.failing("same").is_some(), "{:?}", found.inputs());
}
