//! Emitted test files pass on the real SWI-Prolog, and fail when the program is changed.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::time::Duration;

use xcute_clp::plunit::{Expected, Suite, Test};
use xcute_clp::swipl::{Limits, Session, goal_text, plunit};
use xcute_clp::syntax::{Arena, Flags, Program, Reader, SourceId, TermRef};

const PROGRAM: &str = "\
:- use_module(library(clpfd)).
:- op(700, xfx, ===>).
:- dynamic seen/1.
p(a, b).
p(a, c).
p(f(X), X).
q(X, Y) :- Y = g(X, Z, Z).
loop :- loop.
endless(1).
endless(X) :- loop, endless(X).
bad(X, Y) :- Y is X + 1.
late(1).
late(_) :- throw(my(ball)).
small(X) :- X #> 3, X #< 6.
several(X) :- X in 1..2.
several(X) :- dif(X, a).
note(X) :- \\+ seen(X), assertz(seen(X)).
rule(a ===> 'it''s', \"text\\n\", -1, [1, 2|_]).
yes.
missing :- nothing(1).
";

const GOALS: &[(&str, u64)] = &[
    ("p(a, _)", 1),
    ("p(a, _)", 9),
    ("p(X, Y)", 2),
    ("p(X, Y)", 9),
    ("p(b, _)", 1),
    ("p(f(1), Y)", 1),
    ("p(f(a), a)", 1),
    ("q(X, Y)", 1),
    ("q(1, Y)", 9),
    ("loop", 1),
    ("endless(X)", 9),
    ("bad(a, _)", 1),
    ("bad(_, _)", 1),
    ("bad(1, Y)", 1),
    ("late(X)", 1),
    ("late(X)", 9),
    ("late(2)", 9),
    ("small(X)", 1),
    ("several(X)", 9),
    ("note(1)", 1),
    ("note(X)", 9),
    ("rule(A, B, C, D)", 1),
    ("yes", 1),
    ("missing", 1),
];

fn goal(program: &mut Program, text: &str) -> (Arena, TermRef) {
    let text = format!("{text} .");
    let sentence = Reader::new(SourceId(0), &text).next(&mut program.atoms, &program.operators, Flags::default()).unwrap().unwrap();
    (sentence.terms, sentence.root)
}

/// Writes a file of tests for a program as SWI-Prolog runs it now.
fn emit(directory: &Path, text: &str) -> std::path::PathBuf {
    let file = directory.join("it's program.pl");
    std::fs::write(&file, text).unwrap();
    let (mut program, errors) = Program::consult(&file).unwrap();
    assert_eq!(errors, []);
    let mut session = Session::start(&file).expect("the tests need SWI-Prolog (run \"./x setup\")");
    let mut tests = Vec::new();
    for (number, (text, solutions)) in GOALS.iter().enumerate() {
        let (terms, goal) = goal(&mut program, text);
        let limits = Limits { solutions: *solutions, inferences: 100_000, time: Duration::from_secs(60) };
        let answer = session.solve(&goal_text(&terms, goal, &program.atoms), limits, &mut program.atoms).unwrap();
        let expected = Expected::of(&answer, limits.inferences).unwrap();
        tests.push(Test { name: format!("case_{}", number + 1), terms, goal, expected, comment: None });
    }
    let out = directory.join("out");
    std::fs::create_dir(&out).unwrap();
    let suite = Suite::of(&program, &file, "Tests of everything");
    let tests_file = out.join("tests.plt");
    std::fs::write(&tests_file, suite.text(&tests, &out, &program.atoms, &program.operators)).unwrap();
    tests_file
}

#[test]
fn files_pass_and_notice_changes() {
    let directory = tempfile::tempdir().unwrap();
    let file = emit(directory.path(), PROGRAM);
    let text = std::fs::read_to_string(&file).unwrap();
    let run = || plunit(&file, None, Duration::from_secs(120)).unwrap();
    let verdict = run();
    assert!(verdict.passed && !verdict.output.contains("Warning"), "{}\n{text}", verdict.output);
    for (old, new) in [
        ("p(a, b).", "p(a, x)."),
        ("p(a, c).\n", ""),
        ("p(f(X), X).", "p(f(X), _)."),
        ("g(X, Z, Z)", "g(X, Z, _)"),
        ("loop :- loop.", "loop."),
        ("X + 1", "X"),
        ("my(ball)", "your(ball)"),
        ("X #< 6", "X #< 7"),
        ("dif(X, a)", "dif(X, b)"),
        ("\\+ seen(X), ", ""),
        ("yes.", "yes :- fail."),
    ] {
        // Without its check, note/1 still does the same to a program that has seen nothing.
        let expected_to_pass = old.starts_with("\\+");
        let program = directory.path().join("it's program.pl");
        std::fs::write(&program, PROGRAM.replace(old, new)).unwrap();
        let verdict = run();
        assert_eq!(verdict.passed, expected_to_pass, "{old} -> {new}\n{}", verdict.output);
    }
}

#[test]
fn the_file_is_for_people() {
    let directory = tempfile::tempdir().unwrap();
    // Where nothing changes the program, nothing has to be undone.
    let file = emit(directory.path(), &PROGRAM.replace(", assertz(seen(X))", ""));
    let text = std::fs::read_to_string(file).unwrap();
    for part in [
        "test(case_1, [nondet,true(A == b)]) :-\n    p(a, A).\n",
        "test(case_2, [true(A == [b,c])]) :-\n    findall(B, p(a, B), A).\n",
        "test(case_5, [fail]) :-\n    p(b, _).\n",
        "test(case_10, [true(A == inference_limit_exceeded)]) :-\n    call_with_inference_limit(loop, 100000, A).\n",
        "test(case_12, [error(type_error(evaluable, a/0))]) :-\n    bad(a, _).\n",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
}
