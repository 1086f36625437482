//! Functions as inputs: finite tables that are found, called, and repeated on the original module.

use crate::support::{Found, search_text};

fn search(text: &str, arity: u32, depth: Option<u32>) -> Found {
    search_text(text, "f", arity, depth, 1000)
}

#[test]
fn results_are_inputs() {
    let text = "-spec f(fun((integer()) -> integer())) -> term().\nf(F) -> case F(3) of 42 -> error(bug); _ -> F(4) div (F(3) - 7) end.\n";
    let found = search(text, 1, None);
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert!(found.failing("bug").is_some_and(|input| input.contains("(3) -> 42")), "{:?}", found.inputs());
    assert!(found.failing("arithmetic").is_some_and(|input| input.contains("(3) -> 7")), "{:?}", found.inputs());
    assert_eq!(found.failures().len(), 2, "{:?}", found.failures());
}

#[test]
fn equal_arguments_give_equal_results() {
    let text = "-spec f(fun((integer()) -> integer()), integer()) -> term().\n\
                f(F, X) -> case {F(X), F(7)} of {1, 2} when X =:= 7 -> error(never); {1, 2} -> error(here); _ -> ok end.\n";
    let found = search(text, 2, None);
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert!(found.failing("here").is_some_and(|input| input.contains("(7) -> 2")), "{:?}", found.inputs());
    assert_eq!(found.failing("never"), None);
}

#[test]
fn arguments_are_of_the_types_of_inputs() {
    let text = "-spec f(fun((integer()) -> {ok, integer()} | error), integer()) -> term().\n\
                f(F, X) -> case F(X) of {ok, Y} -> Y; error -> {ok, Y} = F(X + 1), Y end.\n";
    let found = search(text, 2, None);
    assert!(found.results.complete, "{:?} {:?}", found.incomplete(), found.inputs());
    let text = "-spec f(fun(({integer(), atom()}) -> boolean()), integer(), atom()) -> term().\n\
                f(F, X, A) -> case F({X, A}) of true -> error(bug); false -> X + 1 end.\n";
    let found = search(text, 3, None);
    assert!(found.results.complete, "{:?} {:?}", found.incomplete(), found.inputs());
    assert!(found.failing("bug").is_some(), "{:?}", found.inputs());
}

#[test]
fn what_is_not_such_a_function_fails() {
    let found = search("f(F) -> F(1).\n", 1, None);
    assert!(found.results.complete, "{:?}", found.incomplete());
    let all = found.failures().join("; ");
    assert!(all.contains("bad function") && all.contains("called with one argument"), "{all}");
    assert_eq!(found.failures().len(), 2, "{all}");
    let found = search("f(F) when is_function(F, 2) -> F(a, b);\nf(F) when is_function(F) -> F();\nf(_) -> none.\n", 1, None);
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert_eq!(found.failures().len(), 1, "{:?}", found.failures());
    assert!(found.inputs().iter().any(|input| input.starts_with("fun(a,b) -> ")), "{:?}", found.inputs());
}

#[test]
fn many_calls_are_cheap() {
    // Arguments that cannot be equal need no condition, so this many calls are no more than this many rows.
    let text = "-spec f(fun((integer()) -> 0..9)) -> term().\n\
                f(F) -> case lists:sum([F(N) || N <- lists:seq(1, 120)]) of 17 -> error(bug); _ -> ok end.\n";
    let found = search(text, 1, None);
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert!(found.failing("bug").is_some(), "{:?}", found.inputs());
}

#[test]
fn the_library_calls_them() {
    let text = "-spec f(fun((atom()) -> boolean()), [atom()]) -> term().\n\
                f(F, L) -> case lists:filter(F, L) of [x, y] when length(L) =:= 3 -> error(bug); _ -> ok end.\n";
    let found = search(text, 2, Some(3));
    assert!(found.results.complete, "{:?}", found.incomplete());
    let input = found.failing("bug").unwrap_or_else(|| panic!("{:?}", found.inputs()));
    assert!(input.contains("(x) -> true") && input.contains("(y) -> true") && input.contains("-> false"), "{input}");
}

#[test]
fn functions_return_functions_and_lie_in_terms() {
    let text = "-type g() :: #{g := fun((integer()) -> fun(() -> {ok, integer()} | error))}.\n-spec f(g()) -> term().\n\
                f(#{g := G}) -> case (G(5))() of {ok, 9} -> error(nine); {ok, _} -> ok; error -> (G(6))() end.\n";
    let found = search(text, 1, None);
    assert!(found.results.complete, "{:?}", found.incomplete());
    assert!(found.failing("nine").is_some_and(|input| input.contains("(5) -> fun() -> {ok,9} end")), "{:?}", found.inputs());
    assert_eq!(found.failures().len(), 1, "{:?}", found.failures());
}

#[test]
fn what_is_left_out_is_named() {
    let found = search(
        "-spec f(fun((term()) -> integer())) -> term().\nf(F) -> case F(fun() -> ok end) of 5 -> error(five); _ -> ok end.\n",
        1,
        None,
    );
    assert!(!found.results.complete);
    assert!(found.incomplete().iter().any(|limit| limit.contains("with a function or process")), "{:?}", found.incomplete());
    assert!(found.failing("five").is_some(), "{:?}", found.inputs());
    let found = search("-spec f(fun(), fun()) -> term().\nf(F, G) -> F =:= G.\n", 2, None);
    assert!(!found.results.complete, "{:?}", found.inputs());
    let found = search("-spec f(integer() | fun(() -> no_return())) -> term().\nf(F) -> F.\n", 1, None);
    assert!(found.incomplete().iter().any(|limit| limit.contains("do not return")), "{:?}", found.incomplete());
}
