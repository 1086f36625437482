//! `xcute clp` as it is used: on programs that have tests already, on machines without SWI-Prolog, and by people who have no time.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// A query that Z3 has not answered after minutes: is there another triangular number?
const TRIANGULAR: &str = ":- use_module(library(clpfd)).\ntri(N, S) :- N #>= 0, S #= N*(N+1)//2.\nother(a).\nother(b).\n";

fn place(source: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("prog.pl"), source).unwrap();
    place
}

fn xcute(place: &TempDir, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xcute"));
    command.current_dir(place.path()).args(arguments.split_whitespace());
    command
}

/// The exit code, and what is said on standard output and standard error.
fn run(command: &mut Command) -> (Option<i32>, String, String) {
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn read(place: &TempDir, name: &str) -> String {
    fs::read_to_string(place.path().join("xcute-out").join(name)).unwrap()
}

#[test]
fn tests_that_a_program_has_already_are_left_alone() {
    let place = place(
        ":- use_module(library(plunit)).\np(a).\np(f(X)) :- X == b.\n:- begin_tests(prog).\ntest(good) :- p(a).\ntest(bad) :- p(z).\n\
         :- end_tests(prog).\n:- begin_tests(prog_xcute, []).\n:- end_tests(prog_xcute).\n",
    );
    let (code, _, told) = run(&mut xcute(&place, "clp prog.pl --goal p/1"));
    // That one of its own tests fails is another matter.
    assert_eq!((code, told.as_str()), (Some(0), "xcute: 4 tests in xcute-out/prog.plt: SWI-Prolog passes them\n"));
    assert!(read(&place, "prog.plt").contains(":- begin_tests(prog_xcute_xcute)"));
}

#[test]
fn programs_with_a_main_of_their_own_are_loaded_without_a_word() {
    let place = place(":- initialization(main).\nmain :- p(a), writeln(hello).\np(a).\n");
    let (code, _, told) = run(&mut xcute(&place, "clp prog.pl --goal p/1"));
    assert_eq!((code, told.as_str()), (Some(0), "xcute: 2 tests in xcute-out/prog.plt: SWI-Prolog passes them\n"));
}

#[test]
fn without_swi_prolog_on_the_path_only_the_tests_are_not_run() {
    let place = place("p(a).\np(f(X)) :- X == b.\np(n(X)) :- Y is X + 1, Y > 3.\n");
    let nowhere = tempfile::tempdir().unwrap();
    let without = |arguments: &str| run(xcute(&place, arguments).env("PATH", nowhere.path()).env_remove("XCUTE_SWIPL"));
    let (code, out, told) = without("clp prog.pl --goal p/1 --goals --strict");
    assert_eq!(code, Some(1), "{told}");
    assert!(out.contains(" uncaught-exception: uncaught type_error(evaluable, ") && out.contains("\ngoals\n"), "{out}");
    assert!(told.ends_with(" tests in xcute-out/prog.plt: SWI-Prolog is not installed and has not run them\n"), "{told}");
    assert!(read(&place, "goals.pl").contains("\ncase(") && read(&place, "choices.json").contains("p/1"));
    let (code, out, told) = without("replay xcute-out/failures/f1.json");
    assert!(code == Some(1) && out.contains("(on xcute's machine)"), "{out}{told}");
    // With it the same paths are found, and the tests pass.
    let (_, _, told) = run(&mut xcute(&place, "clp prog.pl --goal p/1"));
    assert!(told.ends_with(": SWI-Prolog passes them\n"), "{told}");
}

#[test]
fn time_ends_a_query_and_what_was_found_is_told() {
    let place = place(TRIANGULAR);
    let (code, out, told) = run(&mut xcute(&place, "clp prog.pl --goal tri/2 --time 1s --format json"));
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &summary["stop"], &summary["complete"]), (Some(1), &Value::from("time"), &Value::from(false)), "{told}");
    // The arm that was being asked for is open, not undecided.
    assert!(summary["arms"]["open"].as_u64() > Some(0) && summary["arms"]["unknown"] == 0, "{summary}");
}

#[test]
fn ctrl_c_ends_a_query_and_what_was_found_is_told() {
    let (place, code, summary) = std::iter::repeat_with(|| {
        let place = place(TRIANGULAR);
        let mut command = xcute(&place, "clp prog.pl --goal tri/2 --stop-at complete --format json");
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        while !place.path().join("xcute-out/failures/f1.json").exists() {
            sleep(Duration::from_millis(20));
        }
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let output = child.wait_with_output().unwrap();
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        (place, output.status.code(), summary)
    })
    // Z3 may give up by itself before the signal is there.
    .find(|(_, _, summary)| summary["stop"] != "exhausted")
    .unwrap();
    assert_eq!((code, &summary["stop"], &summary["complete"]), (Some(1), &Value::from("interrupted"), &Value::from(false)));
    // There was no time left to ask what other choices are feasible: they are unknown, not infeasible.
    assert_eq!(
        (&summary["clause_choices"]["seen"], &summary["clause_choices"]["undecided"]),
        (&Value::from(1), &Value::from(1)),
        "{summary}"
    );
    assert!(read(&place, "prog.plt").contains("test(tri_1, "));
}

#[test]
fn paths_that_are_no_goals_are_counted() {
    let place = place("%! many(+int) is semidet.\nmany(N) :- forall(between(1, 600, I), N =\\= I).\n");
    let (_, _, told) = run(&mut xcute(&place, "clp prog.pl --goal many/1 --runs 3"));
    let said = "paths are not written as goals with constraints: there are more than 500 of them, or they cannot be expressed";
    assert!(told.contains(said), "{told}");
}

#[test]
fn bounds_at_their_ends() {
    let place = place(":- module(m, [p/1]).\np(a).\np(f(X)) :- p(X).\nz.\n");
    let complete = "every feasible path was run";
    for (arguments, code, said) in [
        ("p/1 --term-depth 0", 0, complete),
        ("p/1 --depth 0", 0, "depth: decisions beyond 0 were not explored (once)"),
        ("p/1 --runs 0", 0, "it stopped after 0 runs"),
        ("p/1 --time 0", 0, "time is up"),
        // A run that was ended may have gone anywhere; that it does not end at all, SWI-Prolog does not confirm.
        ("p/1 --term-depth 2 --steps 0", 0, "the search is not complete: what was cut is listed below"),
        ("p/1 --term-depth 2 --steps 1", 0, "steps: runs were ended after 1 steps"),
        ("p/1 --term-depth 2 --steps 18446744073709551615 --solutions 18446744073709551615", 0, complete),
        ("p/1 --term-depth 2 --ground 1,1 --solutions all", 0, complete),
        ("m:p/1 --term-depth 1", 0, complete),
        ("z/0", 0, "nothing is an input: the goal has no arguments"),
        (
            "p/1 --term-depth 4294967295",
            2,
            "cannot bound terms to depth 4294967295: with the functors of this program that is too large a condition",
        ),
        ("p/1 --term-depth 10001", 2, "cannot bound terms to depth 10001"),
        ("z/0 --ground 1", 2, "cannot make argument 1 of z/0 ground: it has none"),
        ("p/1 --ground 0", 2, "0 is not in 1..=4294967295"),
        ("p/1 --solutions 0", 2, "say first, all, or a number from 1 on"),
        ("p/1 --depth=-1", 2, "invalid value '-1' for '--depth <N>'"),
        ("p/1 --steps 18446744073709551616", 2, "number too large to fit in target type"),
        ("p(X)", 2, "cannot understand --goal p(X) (write it as in --goal append/3)"),
        ("m:", 2, "cannot understand --goal m: (write it as in --goal append/3)"),
        ("n:p/1", 2, "the program does not define n:p/1"),
    ] {
        let (exit, out, told) = run(&mut xcute(&place, &format!("clp prog.pl --goal {arguments}")));
        assert_eq!(exit, Some(code), "{arguments}: {out}{told}");
        assert!(format!("{out}{told}").contains(said), "{arguments}: {out}{told}");
        assert!(!told.contains("disagrees") && !told.contains("NOT pass"), "{arguments}: {told}");
    }
}

#[test]
fn goals_that_read_find_nothing_to_read() {
    let place = place("p(X) :- read(Y), X = Y.\n");
    let (code, out, told) = run(&mut xcute(&place, "clp prog.pl --goal p/1"));
    assert_eq!((code, told.as_str()), (Some(0), "xcute: 2 tests in xcute-out/prog.plt: SWI-Prolog passes them\n"), "{out}");
}

#[test]
fn bounds_hold_inside_a_run() {
    let place = place("p(X) :- setof(Y, member(Y, _), _), X = 1.\nq(X) :- length(L, _), L = [z|_], X = b, fail.\n");
    for goal in ["p/1", "q/1"] {
        let begin = std::time::Instant::now();
        let (code, out, told) = run(&mut xcute(&place, &format!("clp prog.pl --goal {goal} --time 1s --out {}", &goal[..1])));
        // Both go round for ever, which a machine may be fast enough to see.
        assert!(code == Some(0) || out.contains("1 hang") || out.contains("resource_error("), "{out}{told}");
        assert!(out.contains("the search is not complete"), "{out}{told}");
        assert!(begin.elapsed() < std::time::Duration::from_secs(20), "{goal} took {:?}", begin.elapsed());
    }
}

#[test]
fn a_directory_of_modules_is_tested_in_one_command() {
    let place = place("p(a).\n");
    let src = place.path().join("src/inner");
    std::fs::create_dir_all(&src).unwrap();
    std::fs::write(src.join("a.pl"), ":- module(a, [one/1]).\none(X) :- two(X).\ntwo(1).\n").unwrap();
    std::fs::write(src.join("../b.pl"), ":- module(b, [three/1]).\n%! three(+X:int) is semidet.\nthree(X) :- X > 3, throw(oops).\n")
        .unwrap();
    let (code, out, told) = run(&mut xcute(&place, "clp src"));
    assert!(code == Some(1) && out.ends_with("1 of 2 predicates of src can fail: b:three/1\n"), "{out}{told}");
    assert!(place.path().join("xcute-out/a-one-1/a.plt").is_file());
    let (code, out, told) = run(&mut xcute(&place, "resume xcute-out/b-three-1 -q"));
    assert!(code == Some(1) && out.contains("1 failure in three/1"), "{out}{told}");
}

#[test]
fn what_swi_prolog_does_differently_is_shown() {
    // A SWI-Prolog in which the empty list is an atom.
    let place = place("p(X) :- X == [], atom(X).\nq(X) :- X == [], atom(X), throw(oops).\n");
    let traditional = place.path().join("traditional");
    fs::write(&traditional, "#!/bin/sh\nexec swipl --traditional \"$@\"\n").unwrap();
    fs::set_permissions(&traditional, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    for (goal, said) in [
        ("p/1", "s1 disagreement: the goal succeeds outside of the search"),
        ("q/1", "s1 uncaught-exception: the goal throws oops outside of the search"),
    ] {
        let (code, out, told) = run(xcute(&place, &format!("clp prog.pl --goal {goal}")).env("XCUTE_SWIPL", &traditional));
        assert!(code == Some(1) && out.contains(said) && out.contains("the search is not complete"), "{out}{told}");
    }
    let (code, out, told) = run(xcute(&place, "replay xcute-out/failures/s1.json").env("XCUTE_SWIPL", &traditional));
    assert!(code == Some(1) && out.contains("throws oops (on SWI-Prolog)"), "{out}{told}");
}
