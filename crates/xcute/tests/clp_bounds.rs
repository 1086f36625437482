//! Bounds hold inside a run: goals that run for ever, or inside of one built-in predicate, end when they are to end.
//!
//! Each goal runs without a bound on steps, so that only the bound in question ends it. What a search takes after its bound is measured. On a machine with nothing else
//! to do that is less than a second; here, where other tests run as well, it may be [`LOAD`] seconds, and as much more as it takes to test a program of one fact.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// How many seconds a second may be.
const LOAD: u32 = 3;

/// No bound on steps.
const ENDLESS: &str = "--steps 18446744073709551615 --format json";

/// Goals without an end, each for one input. The first word says what they are about.
const GOALS: &[(&str, &str)] = &[
    ("recursion", "p(X) :- q(X).\nq(X) :- q(X)."),
    ("deep", "p(X) :- len(X, _).\nlen(X, N) :- len([a|X], M), N is M + 1."),
    ("repeat", "p(X) :- repeat, X == 1, fail."),
    ("between", "p(X) :- between(1, inf, N), N < 0, X = N."),
    ("between-in-a-domain", ":- use_module(library(clpfd)).\np(X) :- Y in 0..3, between(5, inf, Y), X = Y."),
    ("length", "p(X) :- length(L, _), L = [z|_], X = b, fail."),
    ("findall", "p(X) :- findall(a, repeat, X)."),
    ("findall-of-numbers", "p(X) :- findall(Y, between(1, inf, Y), X)."),
    ("setof", "p(X) :- setof(Y, member(Y, _), X)."),
    ("aggregate", "p(X) :- aggregate_all(count, repeat, X)."),
    ("assert", ":- dynamic fact/1.\np(X) :- repeat, assertz(fact(X)), fail."),
    ("squares", "p(X) :- d(X, 3).\nd(X, N) :- M is N * N, d(X, M)."),
    ("strings", "p(X) :- d(X, \"ab\").\nd(X, N) :- string_concat(N, N, M), d(X, M)."),
    ("atoms", "p(X) :- d(X, ab).\nd(X, N) :- atom_concat(N, N, M), d(X, M)."),
    ("lists", "p(X) :- d(X, [a]).\nd(X, N) :- append(N, N, M), d(X, M)."),
    ("output", "p(X) :- with_output_to(string(X), (repeat, write(aaaaaaaaaaaaaaaa), fail))."),
    ("labeling", ":- use_module(library(clpfd)).\np(X) :- [A, B, C] ins 0..1000000, A + B #= C, label([A, B, C]), X = d, fail."),
    ("propagation", ":- use_module(library(clpfd)).\np(X) :- [A, B] ins 0..1000000000000, A #> B, B #> A, X = A."),
    ("table", ":- table q/1.\nq(0).\nq(N) :- q(M), N is M + 1.\np(X) :- q(X), fail."),
    ("expression", "p(X) :- d(60, 1, E), X is E.\nd(0, T, T) :- !.\nd(N, T0, T) :- M is N - 1, d(M, T0 + T0, T)."),
    ("grammar", "p(X) :- phrase(s, X).\ns --> s, [a].\ns --> []."),
    ("shared-answer", "p(X) :- d(60, a, X).\nd(0, T, T) :- !.\nd(N, T0, T) :- M is N - 1, d(M, f(T0, T0), T)."),
    ("exceptions", "p(X) :- catch(q(X), _, p(X)).\nq(_) :- throw(again)."),
];

/// Seconds of the processor that a moment may be: what other tests take does not count, and what is quadratic takes minutes.
const MOMENT: &str = "20";

/// What takes a moment, however large what it is asked for is: one built-in predicate, and an end.
const GIANTS: &[(&str, &str)] = &[
    ("length", "p(X) :- length(L, 1000000000000), X = L."),
    ("power", "p(X) :- Y is 7 ** 100000000, Y > 1, X = b."),
    ("shift", "p(X) :- Y is 7 << 100000000000, Y > 1, X = b."),
    ("modular", "p(X) :- A is 3 ** 400000, Y is powm(A, A, A + 2), Y > 1, X = b."),
    ("divisor", "p(X) :- A is 3 ** 600000, B is 5 ** 400000, Y is gcd(A, B), Y > 1, X = b."),
    ("digits", "p(X) :- A is 3 ** 600000, atom_length(A, N), N > 1, X = b."),
    ("functor", "p(X) :- functor(T, f, 100000000000), X = T."),
    ("text", "p(X) :- numlist(1, 90000, L), atomic_list_concat(L, A), atom_length(A, N), N > 1, X = b."),
    ("part", "p(X) :- numlist(1, 90000, L), atomic_list_concat(L, A), sub_atom(A, 3, 1, _, S), S \\== z, X = b."),
    ("parts", "p(X) :- numlist(1, 90000, L), atomic_list_concat(L, A), sub_atom(A, _, _, _, zz), X = b."),
    ("splits", "p(X) :- numlist(1, 90000, L), atomic_list_concat(L, A), atom_concat(_, z, A), X = b."),
    ("codes", "p(X) :- numlist(1, 90000, L), atomic_list_concat(L, A), atom_codes(A, Cs), sum_list(Cs, N), N > 1, X = b."),
    ("sort", "p(X) :- numlist(1, 90000, L), reverse(L, R), msort(R, S), sort(0, @>=, S, T), T = [_|_], X = b."),
    ("shared-ground", "p(X) :- d(60, a, T), ground(T), X = b.\nd(0, T, T) :- !.\nd(N, T0, T) :- M is N - 1, d(M, f(T0, T0), T)."),
    (
        "shared-variables",
        "p(X) :- d(60, _, T), term_variables(T, [_]), X = b.\nd(0, T, T) :- !.\nd(N, T0, T) :- M is N - 1, d(M, f(T0, T0), T).",
    ),
    (
        "shared-order",
        "p(X) :- d(60, a, T), d(60, a, U), \\+ T @< U, X = b.\nd(0, T, T) :- !.\nd(N, T0, T) :- M is N - 1, d(M, f(T0, T0), T).",
    ),
    (
        "shared-variant",
        "p(X) :- d(60, _, T), d(60, _, U), T =@= U, X = b.\nd(0, T, T) :- !.\nd(N, T0, T) :- M is N - 1, d(M, f(T0, T0), T).",
    ),
    (
        "shared-copy",
        "p(X) :- d(60, a, T), copy_term(T, U), U = f(_, _), X = b.\nd(0, T, T) :- !.\nd(N, T0, T) :- M is N - 1, d(M, f(T0, T0), T).",
    ),
    ("shared-text", "p(X) :- d(60, a, T), term_to_atom(T, X).\nd(0, T, T) :- !.\nd(N, T0, T) :- M is N - 1, d(M, f(T0, T0), T)."),
    ("shared-error", "p(X) :- d(60, a, T), throw(T), X = b.\nd(0, T, T) :- !.\nd(N, T0, T) :- M is N - 1, d(M, f(T0, T0), T)."),
];

fn place(source: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("prog.pl"), format!("{source}\n")).unwrap();
    place
}

/// A search for outputs: the goal has no input, and one run.
fn xcute(place: &TempDir, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place.path()).args(["clp", "prog.pl", "--goal", "p/1"]).args(arguments.split_whitespace());
    command
}

/// Runs to the end; the exit code, the summary, what was said, and how long it took.
fn run(source: &str, arguments: &str) -> (Option<i32>, Value, String, Duration) {
    let (place, begin) = (place(source), Instant::now());
    let output = xcute(&place, arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or_default(), said, begin.elapsed())
}

/// How long a program of one fact takes now: all but the search itself.
fn fact() -> Duration {
    run("p(a).", "--format json").3
}

fn within(what: &str, took: Duration, bound: Duration) {
    let most = bound + Duration::from_secs(1) * LOAD;
    if took < most {
        return;
    }
    let most = most + fact() * 10;
    assert!(took < most, "{what} took {took:?}, and may take {most:?}");
}

/// Some of the goals, so that tests run side by side.
fn some(goals: &'static [(&'static str, &'static str)], part: usize) -> impl Iterator<Item = (&'static str, &'static str)> {
    goals.iter().copied().skip(part).step_by(3)
}

fn time(part: usize) {
    for (name, source) in some(GOALS, part) {
        let (code, summary, said, took) = run(source, &format!("{ENDLESS} --time 1s --ground 1"));
        within(name, took, Duration::from_secs(1));
        assert!(code == Some(0) || code == Some(1), "{name}: {code:?} {said}");
        assert_eq!(summary["complete"], false, "{name}: {summary}");
        assert!(!said.contains("NOT pass") && !said.contains("abandoned"), "{name}: {said}");
    }
}

#[test]
fn time_reaches_a_running_goal_0() {
    time(0);
}

#[test]
fn time_reaches_a_running_goal_1() {
    time(1);
}

#[test]
fn time_reaches_a_running_goal_2() {
    time(2);
}

/// Sends a signal to a search that is running its goal.
fn signal(name: &str, source: &str, signal: &str) {
    let place = place(source);
    let mut child = xcute(&place, &format!("{ENDLESS} --ground 1")).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The goal is running as soon as the campaign has begun.
    let begun = Instant::now();
    while !place.path().join("xcute-out/journal").exists() && begun.elapsed() < Duration::from_secs(60) {
        sleep(Duration::from_millis(20));
    }
    sleep(Duration::from_millis(300));
    if child.try_wait().unwrap().is_some() {
        // It came to the end of its memory before.
        return;
    }
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    let begin = Instant::now();
    let output = child.wait_with_output().unwrap();
    within(&format!("{name} after {signal}"), begin.elapsed(), Duration::ZERO);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    assert!(output.status.code().is_some(), "{name} after {signal}: {output:?}");
    assert_eq!(summary["complete"], false, "{name} after {signal}: {output:?}");
}

#[test]
fn ctrl_c_reaches_a_running_goal() {
    for (name, source) in
        GOALS.iter().copied().filter(|(name, _)| ["recursion", "between-in-a-domain", "labeling", "expression"].contains(name))
    {
        signal(name, source, "-INT");
    }
}

#[test]
fn term_reaches_a_running_goal() {
    for (name, source) in GOALS.iter().copied().filter(|(name, _)| ["repeat", "length", "table", "exceptions"].contains(name)) {
        signal(name, source, "-TERM");
    }
}

#[test]
fn the_memory_limit_reaches_a_running_goal() {
    for (name, source) in
        GOALS.iter().copied().filter(|(name, _)| ["deep", "findall", "lists", "strings", "squares", "assert"].contains(name))
    {
        let (code, summary, said, took) = run(source, &format!("{ENDLESS} --memory 1M --ground 1"));
        within(name, took, Duration::ZERO);
        // A run has a bound of its own, which is reached first where it is small.
        let cut = summary["limits"].to_string().contains("budget of memory");
        assert!(summary["stop"] == "memory" || cut, "{name}: {said}{summary}");
        assert!(matches!(code, Some(0 | 1)) && summary["complete"] == false, "{name}: {said}{summary}");
    }
}

fn giants(part: usize) {
    for (name, source) in some(GIANTS, part) {
        let place = place(source);
        let search = xcute(&place, "--format json --steps 2000000 --ground 1");
        let mut limited = Command::new("sh");
        limited.current_dir(place.path()).args(["-c", "ulimit -t \"$0\" && exec \"$@\"", MOMENT]);
        limited.arg(search.get_program()).args(search.get_args());
        // SWI-Prolog itself may take its time for such a goal, and is not asked.
        let output = limited.env("XCUTE_SWIPL", "/nowhere/swipl").output().unwrap();
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
        assert!(matches!(output.status.code(), Some(0 | 1)) && summary["runs"].as_u64() > Some(0), "{name}: {output:?}");
    }
}

#[test]
fn one_predicate_takes_no_longer_0() {
    giants(0);
}

#[test]
fn one_predicate_takes_no_longer_1() {
    giants(1);
}

#[test]
fn one_predicate_takes_no_longer_2() {
    giants(2);
}

/// What SWI-Prolog has no room for is what it says: a resource error, and a failure.
#[test]
fn what_has_no_room_is_a_resource_error() {
    for source in [
        "p(X) :- length(L, 1000000000000), X = L.",
        "p(X) :- functor(T, f, 100000000000), X = T.",
        "p(X) :- Y is 7 << 100000000000, Y > 1, X = b.",
    ] {
        let (code, summary, said, _) = run(source, "--format json --steps 18446744073709551615 --ground 1");
        let failures: Vec<String> = summary["failures"].as_array().unwrap().iter().map(|failure| failure["message"].to_string()).collect();
        assert_eq!(code, Some(1), "{source}: {said} {summary}");
        assert!(failures.len() == 1 && failures[0].contains("resource_error("), "{source}: {failures:?}");
        assert!(!said.contains("NOT pass"), "{said}");
    }
}
