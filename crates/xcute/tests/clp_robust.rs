//! `xcute clp` on programs that do not end, are huge, or are wrong: a clear message or a counted limit, no hang and no stack overflow.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use serde_json::Value;

/// Runs the binary on a program; its exit code, what it says, and its summary if there is one.
fn run(program: &str, arguments: &str) -> (Option<i32>, String, Value) {
    run_with(program, arguments, None)
}

/// The same with another SWI-Prolog.
fn run_with(program: &str, arguments: &str, swipl: Option<&str>) -> (Option<i32>, String, Value) {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("prog.pl"), program).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(place.path())
        .args(["clp", "prog.pl", "--format", "json"])
        .args(arguments.split_whitespace())
        .envs(swipl.map(|swipl| ("XCUTE_SWIPL", swipl)))
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!told.contains("disagrees") && !told.contains("NOT pass"), "{told}");
    (output.status.code(), told, serde_json::from_slice(&output.stdout).unwrap_or_default())
}

/// The kinds and messages of the failures, which must all be confirmed.
fn failures(program: &str, arguments: &str) -> Vec<String> {
    let (code, told, summary) = run(program, arguments);
    assert_eq!(code, Some(1), "{told}");
    let failures = summary["failures"].as_array().unwrap();
    assert!(failures.iter().all(|failure| failure["replayed"] == true), "{summary}");
    failures.iter().map(|failure| format!("{}: {}", failure["kind"].as_str().unwrap(), failure["message"].as_str().unwrap())).collect()
}

#[test]
fn what_does_not_end_is_a_failure() {
    let hang = "hang: the goal did not end within 3000 steps";
    for (program, arguments) in [
        // Left recursion, as it is and in a grammar.
        ("p(X) :- p(X).\np(a).\n", "--goal p/1"),
        ("e --> e, [+], t.\ne --> t.\nt --> [x].\n", "--goal e/2 --ground 1 --term-depth 3"),
        // Terms without end.
        ("grow(X) :- grow(f(X)).\n", "--goal grow/1"),
        ("zeros([0|T], X) :- zeros(T, X).\n", "--goal zeros/2 --ground 2"),
    ] {
        assert_eq!(failures(program, &format!("{arguments} --steps 3000")), [hang], "{program}");
    }
    // Unification makes no infinite terms, nor does a path that says so of its input.
    for program in ["p(X) :- X = f(X).\n", "p(X) :- X = [a|X].\n", "p(f(X)) :- g(X, Y) = g(h(Y), X).\n"] {
        let (code, told, summary) = run(program, "--goal p/1");
        assert_eq!((code, &summary["complete"]), (Some(0), &Value::from(true)), "{told}");
    }
    // A run that would make one is counted.
    let (code, told, summary) = run("p(X) :- Y = f(Y, X).\np(_).\n", "--goal p/1");
    assert_eq!((code, &summary["complete"]), (Some(0), &Value::from(false)), "{told}");
}

#[test]
fn deep_recursion_needs_no_stack() {
    let program = "count(N, N) :- !.\ncount(I, N) :- J is I + 1, count(J, N), true.\ngo(a) :- count(0, 100000).\ndeep(0, z) :- !.\n\
                   deep(N, s(X)) :- M is N - 1, deep(M, X).\ngo(b) :- deep(100000, X), copy_term(X, Y), X == Y.\n";
    let (code, told, summary) = run(program, "--goal go/1 --steps 2000000");
    assert_eq!((code, &summary["paths"], &summary["complete"]), (Some(0), &Value::from(3), &Value::from(true)), "{told}");
}

#[test]
fn tables_of_ten_thousand_facts() {
    let mut table = String::new();
    for n in 0..10_000 {
        writeln!(table, "t(c{n}, {n}).").unwrap();
    }
    let (code, told, summary) = run(&table, "--goal t/2 --ground 1 --runs 12");
    assert_eq!((code, &summary["paths"], &summary["stop"]), (Some(0), &Value::from(12), &Value::from("runs")), "{told}");
    assert_eq!(summary["clause_choices"]["clauses"]["total"], 10_000);
}

#[test]
fn undefined_predicates_are_failures() {
    let program = "p(X) :- q(X).\nr(X) :- call(s, X).\n";
    assert_eq!(failures(program, "--goal p/1"), ["uncaught-exception: uncaught existence_error(procedure, q/1)"]);
    assert_eq!(failures(program, "--goal r/1"), ["uncaught-exception: uncaught existence_error(procedure, s/1)"]);
}

#[test]
fn operators_and_syntax_errors_are_told_with_their_places() {
    let program = ":- op(700, xfx, ===>).\np(a ===> b ===> c).\nq(a) :- b, :- c.\nr(].\ns('abc\n";
    let (code, told, _) = run(program, "--goal p/1");
    let lines: Vec<&str> = told.lines().filter(|line| line.starts_with("prog.pl:") || line.starts_with("xcute:")).collect();
    let expected = [
        "prog.pl:2:5: operators clash: ===> cannot take this argument without brackets",
        "prog.pl:3:10: operators clash: , cannot take this argument without brackets",
        "prog.pl:4:3: a term is missing before ]",
        "prog.pl:5:3: end of file in quotes that begin here",
        "xcute: cannot test prog.pl: it has 4 errors",
    ];
    assert_eq!((code, &lines[..]), (Some(2), &expected[..]), "{told}");
}

#[test]
fn files_that_include_themselves_are_told() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().file_name().unwrap().to_string_lossy().into_owned();
    // By whatever way a file comes back to itself.
    fs::write(place.path().join("one.pl"), format!(":- include('../{directory}/./two').\np(a).\n")).unwrap();
    fs::write(place.path().join("two.pl"), ":- include(one).\np(b).\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(&place).args(["clp", "one.pl", "--goal", "p/1"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("two: it includes itself\n") && told.ends_with("cannot test one.pl: it has 1 error\n"), "{told}");
}

#[test]
fn huge_things_are_bounded() {
    let list = (0..100_000).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    // A head that nobody asks about, a number that no solver divides, and a state that grows with every step.
    let program = format!(
        "huge([{list}]).\nq(a).\n%! big(+int) is semidet.\nbig(X) :- Y is 10**100000, Y > X.\n:- dynamic fact/1.\n\
         grow(X) :- repeat, assertz(fact(X)), fail.\n"
    );
    // SWI-Prolog itself needs its time for such a program.
    let run = |arguments: &str| run_with(&program, arguments, Some("/nowhere/swipl"));
    let (code, told, summary) = run("--goal q/1");
    assert_eq!((code, &summary["complete"], &summary["paths"]), (Some(0), &Value::from(true), &Value::from(2)), "{told}");
    let (code, told, summary) = run("--goal big/1");
    assert_eq!((code, &summary["complete"], &summary["arms"]["unknown"]), (Some(0), &Value::from(false), &Value::from(1)), "{told}");
    let (code, told, summary) = run("--goal grow/1");
    let message = &summary["failures"][0]["message"];
    assert_eq!((code, message), (Some(1), &Value::from("the goal did not end within 100000 steps")), "{told}");
}
