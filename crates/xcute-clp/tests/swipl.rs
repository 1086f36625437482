//! Goals on the real SWI-Prolog: every way a goal can end.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use xcute_clp::swipl::{Answer, Ending, Limits, Session, plunit};
use xcute_clp::syntax::Atoms;

const PROGRAM: &str = "\
:- set_prolog_flag(occurs_check, true).
:- use_module(library(clpfd)).
:- dynamic seen/1.
p(X, Y) :- X = f(Z), Y = g(Z, W, W).
loop :- loop.
note(X) :- assertz(seen(X)), write(hello), nl(user_output), read(user_input, _).
";

fn session(text: &str) -> (tempfile::TempDir, Session) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("it's a program.pl");
    std::fs::write(&file, text).unwrap();
    let session = Session::start(&file).expect("the tests need SWI-Prolog (run \"./x setup\")");
    (directory, session)
}

fn limits(solutions: u64) -> Limits {
    Limits { solutions, inferences: 1_000_000, time: Duration::from_secs(60) }
}

fn shown(answer: &Answer, atoms: &Atoms) -> Vec<String> {
    let row = |solution: &xcute_clp::swipl::Solution| {
        let values: Vec<String> = solution.values.iter().map(|&value| answer.show(atoms, value)).collect();
        let residual: Vec<String> = solution.residual.iter().map(|&goal| answer.show(atoms, goal)).collect();
        if residual.is_empty() { values.join(" ") } else { format!("{} with {}", values.join(" "), residual.join(" ")) }
    };
    answer.solutions.iter().map(row).collect()
}

#[test]
fn goals_end_in_all_ways() {
    let (_directory, mut session) = session(PROGRAM);
    assert_eq!(session.messages(), [] as [&str; 0]);
    let mut atoms = Atoms::default();
    let mut ask = |goal: &str, solutions| {
        let answer = session.solve(goal, limits(solutions), &mut atoms).unwrap();
        let ending = match &answer.ending {
            Ending::Error(term) | Ending::Thrown(term) | Ending::Refused(term) => answer.show(&atoms, *term),
            other => format!("{other:?}"),
        };
        (shown(&answer, &atoms).join("; "), ending)
    };
    for (goal, solutions, found, ending) in [
        ("member(X, [a, b])", 9, "a; b", "Complete"),
        ("member(X, [a, b])", 1, "a", "More"),
        ("member(X, [a])", 1, "a", "Complete"),
        ("fail", 1, "", "Complete"),
        ("p(X, Y)", 9, "f(_) g(_,A,A)", "Complete"),
        ("loop", 1, "", "Inferences"),
        ("X #> 3, X #< 6", 1, "_ with :(clpfd,in(_,..(4,5)))", "Complete"),
        ("dif(X, a)", 1, "_ with dif(_,a)", "Complete"),
        ("X is foo + 1", 1, "", "type_error(evaluable,/(foo,0))"),
        ("nothing(1)", 1, "", "existence_error(procedure,/(nothing,1))"),
        ("throw(my(X))", 1, "", "my(_)"),
        ("( X = 1 ; X = 2 ; throw(late) )", 9, "1; 2", "late"),
        ("X = f(X)", 1, "", "Complete"),
        ("X = ", 1, "", "syntax_error(operator_balance)"),
        ("X = 'it''s\\n\"', Y = \"s\\t\", Z = 1.5e300", 1, "'it\\'s\\n\"' \"s\\t\" 1.5e+300", "Complete"),
        ("note(1), seen(X)", 9, "1", "Complete"),
        // What a goal asserts is gone with it.
        ("seen(X)", 9, "", "Complete"),
        ("halt", 1, "", "Died"),
        ("member(X, [again])", 1, "again", "Complete"),
    ] {
        assert_eq!(ask(goal, solutions), (found.to_owned(), ending.to_owned()), "{goal}");
    }
}

#[test]
fn a_goal_that_hangs_is_ended() {
    let (_directory, mut session) = session("hang :- catch(( repeat, fail ), _, true), hang.");
    let mut atoms = Atoms::default();
    let short = Limits { solutions: 1, inferences: 1_000_000_000_000, time: Duration::from_millis(200) };
    // It catches what should end it.
    let answer = session.solve("hang", short, &mut atoms).unwrap();
    assert_eq!(answer.ending, Ending::Hung);
    assert_eq!(session.solve("true", limits(1), &mut atoms).unwrap().solutions.len(), 1);
}

#[test]
fn what_is_said_while_loading_is_told() {
    let (_directory, session) = session("p(X) :- .\nq(a).\n");
    assert_eq!(session.messages().len(), 1, "{:?}", session.messages());
    assert!(session.messages()[0].contains("Syntax error"), "{:?}", session.messages());
}

#[test]
fn unification_is_that_of_the_program() {
    let (_directory, mut session) = session("");
    let mut atoms = Atoms::default();
    // A cyclic term is unified, and cannot be shown.
    let answer = session.solve("X = f(X), Y = 1", limits(1), &mut atoms).unwrap();
    assert!(matches!(answer.ending, Ending::Refused(why) if answer.show(&atoms, why) == "cyclic_term"), "{answer:?}");
    assert_eq!(session.solve("X = f(X), Y = 1, X = Z, fail ; Z = 2", limits(1), &mut atoms).unwrap().solutions.len(), 1);
}

#[test]
fn test_files_pass_or_fail() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("p.plt");
    let run = |body: &str| {
        std::fs::write(&file, format!(":- use_module(library(plunit)).\n:- begin_tests(p).\n{body}\n:- end_tests(p).\n")).unwrap();
        plunit(&file, None, Duration::from_secs(60)).unwrap()
    };
    let good = run("test(one, [true(X == 1)]) :- X = 1.");
    assert!(good.passed, "{}", good.output);
    let bad = run("test(one, [true(X == 2)]) :- X = 1.");
    assert!(!bad.passed && bad.output.contains("one"), "{}", bad.output);
    std::fs::write(directory.path().join("program.pl"), "p(X) :- .\n").unwrap();
    let despite = run(":- ensure_loaded(program).\ntest(one) :- true.");
    assert!(despite.passed && despite.output.contains("ERROR"), "{}", despite.output);
    let broken = run("test(one :- X = 1.");
    assert!(!broken.passed, "{}", broken.output);
}
