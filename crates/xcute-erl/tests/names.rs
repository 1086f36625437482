//! Names that depend on the input: of functions and modules that are called, and text of atoms.

use crate::support::{modules, search, search_text, subject};

const CALLED: &str = "
good(X, Y) -> {X, Y}.
bad(X) -> 100 div (X - 3).
bad(X, X) -> error(same);
bad(X, Y) -> 100 div (X - Y - 3).
";

#[test]
fn a_name_is_one_of_those_that_the_module_exports() {
    let text = format!("-spec f(atom(), integer()) -> term().\nf(F, X) -> t:F(X, 1).\n{CALLED}");
    let found = search_text(&text, "f", 2, None, 200);
    assert_eq!(found.failing("arithmetic"), Some("bad,4"), "{:?}", found.cases);
    assert_eq!(found.failing("same"), Some("bad,1"), "{:?}", found.cases);
    // Any other name is that of no function, so nothing is left out.
    assert!(found.failing("undefined function").is_some(), "{:?}", found.cases);
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn what_is_not_a_name_fails_as_it_should() {
    let text = format!("-spec f(integer() | bad) -> term().\nf(F) -> t:F(3, 3).\n{CALLED}");
    let found = search_text(&text, "f", 1, None, 200);
    assert_eq!(found.failing("same"), Some("bad"), "{:?}", found.cases);
    assert!(found.failing("bad argument").is_some(), "{:?}", found.cases);
    assert!(found.results.complete, "{:?}", found.incomplete());
}

#[test]
fn a_list_of_arguments_says_which_function_it_is() {
    let text = format!("-spec f(atom(), [integer()]) -> term().\nf(F, Args) -> apply(t, F, Args).\n{CALLED}");
    let found = search_text(&text, "f", 2, Some(2), 400);
    assert_eq!(found.failing("arithmetic"), Some("bad,[3]"), "{:?}", found.cases);
    assert!(found.failing("same").is_some(), "{:?}", found.cases);
}

#[test]
fn a_module_may_be_one_of_the_program() {
    let text = format!("-spec f(atom(), integer()) -> term().\nf(M, X) -> M:bad(X).\n{CALLED}");
    let loaded = modules(&[("t", &text), ("u", "bad(X) -> X =:= 7 andalso error(seven).\n")]);
    let found = search(&mut subject(&loaded, "t", "f", 2, None), 200);
    assert_eq!(found.failing("arithmetic"), Some("t,3"), "{:?}", found.cases);
    assert_eq!(found.failing("seven"), Some("u,7"), "{:?}", found.cases);
    // Other modules may have such a function, too.
    assert!(found.incomplete().iter().any(|why| why.contains("the module of a call")), "{:?}", found.incomplete());
}

#[test]
fn atoms_have_text() {
    let text = "-spec f(atom()) -> term().\nf(A) -> case atom_to_binary(A) of <<\"foo\">> -> error(hit); _ -> ok end.\n";
    let found = search_text(text, "f", 1, None, 200);
    assert_eq!(found.failing("hit"), Some("foo"), "{:?}", found.cases);
    assert!(!found.results.complete, "other atoms have other texts");
    for call in ["list_to_atom(S)", "list_to_existing_atom(S)"] {
        let text = format!("-spec f([97..122]) -> term().\nf(S) -> case catch {call} of go -> error(hit); _ -> ok end.\n");
        let found = search_text(&text, "f", 1, None, 60);
        assert_eq!(found.failing("hit"), Some("\"go\""), "{call}: {:?}", found.cases);
        assert!(found.incomplete().iter().any(|why| why.contains("an atom that the program does not write")), "{:?}", found.incomplete());
    }
    let text = "-spec f(binary()) -> term().\nf(S) -> case catch binary_to_atom(S, utf8) of go -> error(hit); _ -> ok end.\n";
    assert_eq!(search_text(text, "f", 1, None, 60).failing("hit"), Some("<<103,111>>"));
}
