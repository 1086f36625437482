//! Functions that fail for inputs that are known beforehand: each must be found.

use crate::support::{load, search, subject, subject_file};
use xcute_erl::program::Source;

/// A function, its arity, the depth of terms, and what the input that fails is: it begins and ends like this.
type Known = (&'static str, u32, Option<u32>, (&'static str, &'static str));

const KNOWN: &[Known] = &[
    ("answer", 1, None, ("424242", "")),
    ("three", 1, None, ("[17,17,42", "]")),
    ("twice", 1, None, ("42", "")),
    ("classify", 1, Some(2), ("[", "]")),
    ("shifted", 2, None, ("", "")),
    ("complement", 1, None, ("-43", "")),
    ("truncated", 1, None, ("2.", "")),
    ("masked", 1, None, ("25", "")),
    ("either", 1, None, ("", "")),
    ("exclusive", 1, None, ("59", "")),
    ("pair", 2, None, ("1,2", "")),
    ("power", 1, None, ("8", "")),
    ("spelled", 1, None, ("foo", "")),
    ("alias", 1, None, ("", "")),
    ("chain", 1, Some(3), ("{42,{17,nil}}", "")),
    ("message", 1, None, ("{msg,true}", "")),
    ("third", 1, Some(3), ("", "")),
    ("shorter", 2, Some(2), ("", "")),
    ("contains", 1, Some(2), ("", "")),
    ("header", 1, None, ("<<1,2,0", ">>")),
    ("fields", 1, None, ("<<241,128>>", "")),
    ("sized", 1, Some(3), ("<<", ">>")),
    ("nested", 1, None, ("#{user => #{", "}}")),
    ("lengths", 1, Some(2), ("<<", ":3>>")),
    ("called", 1, None, ("fun(3) -> 42", " end")),
    ("composed", 2, None, ("fun(", " end")),
    ("folded", 1, None, ("fun(1,0) -> ", " end")),
    ("different", 2, None, ("fun(", "")),
    ("chosen", 2, None, ("fun(first) -> fun(", "")),
    ("guarded", 1, None, ("fun(a,b) -> {ok,5}", " end")),
    ("reduced", 1, None, ("", "3")),
];

#[test]
fn all_known_answers_are_found() {
    let modules = load(&[Source::File(subject_file("known.erl"), Vec::new())]);
    let mut wrong = Vec::new();
    for &(function, arity, depth, (begins, ends)) in KNOWN {
        let found = search(&mut subject(&modules, "known", function, arity, depth), 150);
        let failing: Vec<&str> = found.cases.iter().filter(|case| case.1.is_some()).map(|case| case.0.as_str()).collect();
        let confirmed = found.results.confirmed().count();
        if confirmed == 0 || !failing.iter().any(|input| input.starts_with(begins) && input.ends_with(ends)) {
            wrong.push(format!("{function}/{arity}: {failing:?} of {} paths, {:?}", found.cases.len(), found.incomplete()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_cannot_fail_does_not() {
    let modules = load(&[Source::File(subject_file("known.erl"), Vec::new())]);
    let found = search(&mut subject(&modules, "known", "quiet", 2, Some(2)), 150);
    assert!(found.results.complete && found.results.failures.is_empty(), "{:?} {:?}", found.inputs(), found.incomplete());
}
