//! `xcute clp` from the command line: tests that SWI-Prolog passes, replay, resume, and what is said when something is wrong.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

use std::fs;
use std::process::{Command, Output};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;
use xcute_clp::swipl::plunit;

/// A directory with one program, `prog.pl`.
fn place(source: &str) -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("prog.pl"), source).unwrap();
    place
}

fn xcute(place: &TempDir, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_xcute")).current_dir(place.path()).args(arguments).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn summary(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("stdout is not one JSON object ({error}): {}", stderr(output)))
}

/// The emitted tests, which must pass.
fn tests(place: &TempDir, name: &str) -> String {
    let file = place.path().join("xcute-out").join(name);
    let verdict = plunit(&file, None, Duration::from_secs(120)).unwrap();
    let text = fs::read_to_string(&file).unwrap();
    assert!(verdict.passed, "{}\n{text}", verdict.output);
    text
}

const DIVIDE: &str = "divide(X, Y, Z) :- Z is X // Y.\n";

#[test]
fn a_failure_is_reported_replayed_and_a_test() {
    let place = place(DIVIDE);
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "divide", "--ground", "1,2", "--format", "json"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let summary = summary(&output);
    assert_eq!((&summary["language"], &summary["complete"]), (&Value::from("clp"), &Value::from(true)));
    let failures = summary["failures"].as_array().unwrap();
    assert!(!failures.is_empty());
    for failure in failures {
        let id = failure["id"].as_str().unwrap();
        let case = format!("xcute-out/failures/{id}.json");
        let replayed = xcute(&place, &["replay", &case]);
        assert_eq!(replayed.status.code(), Some(1), "{}", stderr(&replayed));
        assert!(stdout(&replayed).contains("throws") && stdout(&replayed).contains("SWI-Prolog"), "{}", stdout(&replayed));
        // Without SWI-Prolog the machine says the same.
        let alone = Command::new(env!("CARGO_BIN_EXE_xcute"))
            .current_dir(place.path())
            .env("XCUTE_SWIPL", "/nowhere/swipl")
            .args(["replay", &case])
            .output()
            .unwrap();
        assert_eq!(alone.status.code(), Some(1), "{}", stderr(&alone));
        assert!(stdout(&alone).contains("xcute's machine"), "{}", stdout(&alone));
        tests(&place, &format!("failures/{id}.plt"));
    }
    assert!(tests(&place, "prog.plt").contains("evaluation_error(zero_divisor)"));
}

#[test]
fn a_campaign_goes_on_where_it_stopped() {
    let place = place("nat(0).\nnat(s(X)) :- nat(X).\n");
    let options = ["clp", "prog.pl", "--goal", "nat/1", "--term-depth", "3", "--format", "json"];
    let first = xcute(&place, &[&options[..], &["--runs", "3"]].concat());
    assert_eq!(summary(&first)["complete"], false);
    let second = xcute(&place, &["resume", "xcute-out", "--runs", "1000", "--format", "json"]);
    assert_eq!((&summary(&second)["complete"], &summary(&second)["paths"]), (&Value::from(true), &Value::from(8)), "{}", stderr(&second));
    assert_eq!(tests(&place, "prog.plt").matches("test(nat_").count(), 8);
    let jobs = xcute(&place, &[&options[..], &["--jobs", "3"]].concat());
    assert_eq!((&summary(&jobs)["complete"], &summary(&jobs)["paths"]), (&Value::from(true), &Value::from(8)));
}

#[test]
fn goals_without_end_and_broken_declarations_are_failures() {
    let program = "loop(a) :- loop(a).\nloop(b).\n%! one(+atom, -atom) is det.\none(a, X) :- two(X).\ntwo(x).\ntwo(y).\n";
    for (goal, kind, test) in [("loop/1", "hang", "inference_limit_exceeded"), ("one/2", "determinism", "one")] {
        let place = place(program);
        let output = xcute(&place, &["clp", "prog.pl", "--goal", goal, "--term-depth", "1", "--steps", "2000", "--format", "json"]);
        let summary = summary(&output);
        let kinds: Vec<&str> = summary["failures"].as_array().unwrap().iter().map(|failure| failure["kind"].as_str().unwrap()).collect();
        assert!(!kinds.is_empty() && kinds.iter().all(|found| *found == kind), "{goal}: {kinds:?} {}", stderr(&output));
        assert!(tests(&place, "failures/f1.plt").contains(test));
        let replayed = xcute(&place, &["replay", "xcute-out/failures/f1.json"]);
        assert_eq!(replayed.status.code(), Some(1), "{}{}", stdout(&replayed), stderr(&replayed));
    }
}

#[test]
fn outputs_of_a_declaration_are_variables() {
    let place = place("%! len(+list, -int) is det.\nlen([], 0).\nlen([_|T], N) :- len(T, M), N is M + 1.\n");
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "len/2", "--term-depth", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(tests(&place, "prog.plt").contains("true(A == 2)"));
}

#[test]
fn declarations_are_for_xcute_and_swi_prolog_passes_them_over() {
    let place = place(
        ":- pred len(+list(int), -int) is det.\n:- mode other(++).\nlen([], 0).\nlen([_|T], N) :- len(T, M), N is M + 1.\nother(_).\n",
    );
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "len/2", "--term-depth", "2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).lines().count() == 1 && stderr(&output).contains("3 tests"), "{}", stderr(&output));
    assert!(tests(&place, "prog.plt").contains("user:term_expansion((:- pred(_)), [])."));
    // What is wrong with one is said with its line, all at once.
    let wrong =
        ":- pred p(+list(itn), -int) is det.\n:- pred p(+int) is dett.\n:- mode r(+lis).\n:- pred s(+zzzzzz).\np(_, _).\nr(_).\ns(_).\n";
    fs::write(place.path().join("prog.pl"), wrong).unwrap();
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "p/2"]);
    let told: Vec<String> = stderr(&output).lines().filter(|line| line.starts_with("prog.pl:")).map(str::to_owned).collect();
    let expected = [
        "prog.pl:1:17: no type is called itn (did you mean int?)",
        "prog.pl:2:1: the declaration must look like p(+list(int), -int) is det",
        "prog.pl:3:12: no type is called lis (did you mean list?)",
        "prog.pl:4:12: no type is called zzzzzz (there are int, nat, pos, code, codes, atom, bool, list, list(T), any, the types of must_be/2, and predicates with one argument)",
    ];
    assert_eq!((output.status.code(), &told[..]), (Some(2), &expected.map(str::to_owned)[..]), "{}", stderr(&output));
    // Comments are for people first.
    fs::write(place.path().join("prog.pl"), "%! p(+lst, -int) is det.\np(_, 1).\n").unwrap();
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "p/2"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("prog.pl:1: no type is called lst (did you mean list?); any term is taken"), "{}", stderr(&output));
}

#[test]
fn failed_assertions_are_tests_that_pass() {
    for (module, name) in [("", "user"), (":- module(bank, [take/2]).\n", "bank")] {
        let place = place(&format!(
            "{module}%! take(+int, +int) is semidet.\ntake(Balance, Amount) :- Amount > 0, Rest is Balance - Amount, assertion(Rest >= 0).\n"
        ));
        let output = xcute(&place, &["clp", "prog.pl", "--goal", "take/2"]);
        assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
        assert!(stdout(&output).contains(&format!("f1 assertion: uncaught assertion_error(fail, {name}:")), "{}", stdout(&output));
        assert!(stderr(&output).contains("SWI-Prolog passes them") && !stderr(&output).contains("disagrees"), "{}", stderr(&output));
        assert!(tests(&place, "failures/f1.plt").contains("[error(assertion_error(fail, "));
    }
}

#[test]
fn tests_are_as_many_as_are_asked_for() {
    let table: String = (0..1_050).map(|n| format!("t(c{n}).\n")).collect();
    let place = place(&table);
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "t/1"]);
    assert!(stderr(&output).contains("1051 tests in xcute-out/prog.plt: SWI-Prolog passes them"), "{}", stderr(&output));
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "t/1", "--tests", "7", "--runs", "50"]);
    assert!(stderr(&output).contains("7 tests in xcute-out/prog.plt, for 50 paths: SWI-Prolog passes them"), "{}", stderr(&output));
}

#[test]
fn modules_and_all_solutions() {
    let place = place(":- module(prog, [other/0]).\nother.\np(a, 1).\np(a, 2).\np(b, 3).\n");
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "p/2", "--ground", "1", "--solutions", "all", "--format", "json"]);
    assert_eq!(summary(&output)["paths"], 3, "{}", stderr(&output));
    let text = tests(&place, "prog.plt");
    assert!(text.contains("findall(B, prog:p(a, B), A)") && text.contains("[true(A == [1,2])]"), "{text}");
}

#[test]
fn without_swi_prolog_tests_are_written_and_not_run() {
    let place = place("p(a).\np(f(X)) :- X == b.\n");
    let output = Command::new(env!("CARGO_BIN_EXE_xcute"))
        .current_dir(place.path())
        .env("XCUTE_SWIPL", "/nowhere/swipl")
        .args(["clp", "prog.pl", "--goal", "p/1"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("SWI-Prolog is not installed and has not run them"), "{}", stderr(&output));
    // They pass all the same.
    tests(&place, "prog.plt");
}

#[test]
fn paths_are_goals_with_constraints() {
    let place =
        place(":- use_module(library(clpfd)).\np(X, _) :- X #> 3.\np(_, f(a)).\n%! q(+int, +term) is nondet.\nq(X, Y) :- p(X, Y).\n");
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "q/2", "--goals"]);
    let text = stdout(&output);
    for goal in ["A #> 3, dif(B, f(a)), q(A, B)", "A #=< 3, q(A, f(a))", "A #> 3, q(A, f(a))", "A #=< 3, dif(B, f(a)), q(A, B)"] {
        assert!(text.contains(&format!("  {goal}\n")), "{goal} is not in {text}");
    }
    assert!(!stderr(&output).contains("disagrees"), "{}", stderr(&output));
    let read = |name: &str| fs::read_to_string(place.path().join("xcute-out").join(name)).unwrap();
    let goals = read("goals.pl");
    assert!(goals.contains(":- use_module(library(clpfd)).") && goals.matches("\ncase(").count() == 4, "{goals}");
    assert!(tests(&place, "prog.plt").contains("% A #> 3, q(A, f(a))\ntest("));
    let cases: Vec<Value> = fs::read_dir(place.path().join("xcute-out/cases"))
        .unwrap()
        .map(|entry| serde_json::from_str(&fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap())
        .collect();
    assert!(!cases.is_empty() && cases.iter().all(|case| goals.contains(case["constrained"].as_str().unwrap())), "{cases:?}");
    // A case says it when it is replayed.
    let replayed = xcute(&place, &["replay", "xcute-out/cases/000001.json"]);
    assert!(stdout(&replayed).contains("\n  for all of "), "{}", stdout(&replayed));
}

#[test]
fn choices_are_told_in_every_form() {
    let place = place("p(f(X)) :- q(X).\nq(a).\nq(b).\nq(_) :- r(c).\nr(c).\nr(d).\n");
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "p/1", "--format", "json"]);
    let summary = summary(&output);
    // p: {1} {}; q: {1,3} {2,3} {3}; r: {1}, and {2} and {} which nobody calls.
    assert_eq!(summary["clause_choices"].to_string(), r#"{"clauses":{"covered":5,"total":6},"feasible":2,"seen":6,"undecided":0}"#);
    let read = |name: &str| fs::read_to_string(place.path().join("xcute-out").join(name)).unwrap();
    let choices: Value = serde_json::from_str(&read("choices.json")).unwrap();
    let q = &choices.as_array().unwrap()[1];
    let subsets: Vec<String> = q["seen"].as_array().unwrap().iter().map(|seen| seen["clauses"].to_string()).collect();
    assert_eq!((q["predicate"].as_str(), &subsets[..]), (Some("q/1"), &["[1,3]", "[2,3]", "[3]"].map(str::to_owned)[..]));
    assert_eq!((q["feasible"].to_string(), q["infeasible"].to_string()), ("[]".to_owned(), "[[],[1],[1,2],[1,2,3],[2]]".to_owned()));
    assert_eq!(choices[2]["feasible"].to_string(), "[[],[2]]");
    assert!(read("index.html").contains("<td>{1,3} {2,3} {3}</td>"));
    let shown = xcute(&place, &["report", "xcute-out", "-v"]);
    let text = stdout(&shown);
    assert!(text.contains("choices   6 subsets of clauses seen, 2 feasible but not from this goal, all others infeasible\n"), "{text}");
    assert!(text.contains("  r/1  seen {1}; not seen {} {2}; infeasible {1,2}\n"), "{text}");
    // What is not searched to its end is not called infeasible.
    let table: String = (0..200).map(|n| format!("t(c{n}).\n")).collect();
    fs::write(place.path().join("prog.pl"), table).unwrap();
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "t/1"]);
    assert!(stdout(&output).contains("choices   201 subsets of clauses seen, others unknown of 1 predicate\n"), "{}", stdout(&output));
}

#[test]
fn mistakes_get_one_clear_line() {
    let place = place("append([], Ys, Ys).\np(1).\np(1, 2).\n");
    for (arguments, said) in [
        (&["nothing.pl", "--goal", "p/1"][..], "cannot read nothing.pl: no such file"),
        (&["prog.pl", "--goal", "apend/3"], "the program does not define apend/3 (did you mean append/3?)"),
        (&["prog.pl", "--goal", "append/2"], "the program does not define append/2 (did you mean append/3?)"),
        (&["prog.pl", "--goal", "unheard_of/9"], "the program does not define unheard_of/9"),
        (&["prog.pl", "--goal", "p"], "which p is meant? The program has p/1, p/2"),
        (&["prog.pl", "--goal", "p/x"], "cannot understand --goal p/x (write it as in --goal append/3)"),
        (&["prog.pl", "--goal", "p/1", "--ground", "2"], "cannot make argument 2 of p/1 ground: it has one argument only"),
        (&["prog.pl", "--goal", "p/1", "--solutions", "some"], "say first, all, or a number from 1 on"),
    ] {
        let output = xcute(&place, &[&["clp"], arguments].concat());
        let told = stderr(&output);
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{told}");
        assert!(told.lines().count() == 1 && told.contains(said), "{told}");
    }
}

#[test]
fn syntax_errors_are_shown_with_their_lines() {
    let place = place("p(a b).\nq :- (r.\nok.\n");
    let output = xcute(&place, &["clp", "prog.pl", "--goal", "ok/0"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "prog.pl:1:5: an operator is missing before b\n 1 | p(a b).\n   |     ^\nprog.pl:2:6: ( is never closed\n 2 | q :- (r.\n   |      ^\n\
         xcute: cannot test prog.pl: it has 2 errors\n"
    );
}

#[test]
fn a_case_of_an_earlier_campaign_is_a_seed() {
    let place = place("big([X, Y|_]) :- X > 100000000000000000000, Y =:= X + 1, throw(found).\nbig(_).\nother(_).\n");
    let first = xcute(&place, &["clp", "prog.pl", "--goal", "big/1", "--runs", "200", "--stop-at", "first-failure", "-q"]);
    assert_eq!(first.status.code(), Some(1), "{}", stderr(&first));
    let case: Value = serde_json::from_str(&fs::read_to_string(place.path().join("xcute-out/failures/f1.json")).unwrap()).unwrap();
    let seeded = ["clp", "prog.pl", "--goal", "big/1", "--out", "seeded", "--runs", "2", "--format", "json", "--seed-case"];
    let second = xcute(&place, &[&seeded[..], &["xcute-out/failures/f1.json"]].concat());
    let found = summary(&second);
    assert_eq!((&found["runs"], found["failures"].as_array().unwrap().len()), (&2.into(), 1), "{}", stderr(&second));
    let again: Value = serde_json::from_str(&fs::read_to_string(place.path().join("seeded/cases/000002.json")).unwrap()).unwrap();
    assert_eq!(again["goal"], case["goal"], "the seed is the second run");
    // The seed is in the journal, as a term with a number of any size.
    let resumed = xcute(&place, &["resume", "seeded", "--runs", "3", "-q"]);
    assert_eq!((resumed.status.code(), stdout(&resumed).contains("1 failure in big/1")), (Some(1), true), "{}", stderr(&resumed));
    let other = xcute(&place, &["clp", "prog.pl", "--goal", "other/1", "--out", "other", "--seed-case", "xcute-out/failures/f1.json"]);
    assert!(stderr(&other).contains("is not a call of other/1"), "{}", stderr(&other));
    assert_eq!(other.status.code(), Some(2));
}
