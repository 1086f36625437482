//! Instrumented programs that misbehave: outcomes and places as a user sees them.

use std::path::Path;
use std::time::Duration;

use xcute_term::{Op, Sort, Terms};
use xcute_trace::{Budget, Failure, FailureKind, Outcome, Subject as _, TestCase, Trace};

use super::{FIXTURES, prepared};
use crate::run::subject::{CSubject, RunOptions};

fn subject(file: &str, entry: &str, dir: &Path) -> CSubject {
    let run = RunOptions { patience: Duration::from_secs(1), fuel: 1_000_000, ..RunOptions::default() };
    prepared(Path::new(FIXTURES).join(file), entry, run, dir)
}

fn run(subject: &mut CSubject, terms: &mut Terms, what: u64) -> Trace {
    let mut case = TestCase::default();
    let var = terms.var("what", Sort::BitVec(32));
    let Op::Var(id) = terms.op(var) else { unreachable!("a variable") };
    case.input.set_word(id, what);
    subject.run(&case, &[], terms).unwrap()
}

/// The line of the fixture that ends with this comment.
fn line(mark: &str) -> u32 {
    let text = std::fs::read_to_string(Path::new(FIXTURES).join("real.c")).unwrap();
    let mark = format!("/* {mark} */");
    let found = text.lines().position(|l| l.ends_with(&mark)).unwrap_or_else(|| panic!("there is {mark}"));
    u32::try_from(found).unwrap() + 1
}

#[test]
fn failures_are_where_the_user_sees_them_and_leave_nothing_behind() {
    use FailureKind::{
        Abort, Assertion, DivisionByZero, DoubleFree, Hang, InvalidFree, NullAccess, OutOfBounds, Signal, StackOverflow, Trap, WildAccess,
    };
    let failing = [
        (1, NullAccess),
        (2, DivisionByZero),
        (4, Abort),
        (6, Hang),
        (8, Signal),
        (9, InvalidFree),
        (10, DoubleFree),
        (11, Trap),
        (12, NullAccess),
        (13, WildAccess),
        (14, OutOfBounds),
        (20, Assertion),
        (21, DivisionByZero),
    ];
    let dir = tempfile::tempdir().unwrap();
    let mut subject = subject("real.c", "go", dir.path());
    let mut terms = Terms::new();
    let first = run(&mut subject, &mut terms, 0);
    assert_eq!(first.outcome, Outcome::Passed);
    for what in 1..22 {
        let trace = run(&mut subject, &mut terms, what);
        let expected = failing.iter().find(|(w, _)| *w == what).map(|(_, kind)| (*kind, line(&what.to_string())));
        match (&trace.outcome, expected, what) {
            (Outcome::Failed(f), Some((kind, line)), _) => {
                let at = f.stack.first().map(|f| (f.function.as_str(), f.line));
                assert_eq!((f.kind, at), (kind, Some(("go", line))), "{what}: {f:?}");
            }
            (Outcome::Failed(f), None, 3) => {
                assert_eq!((f.kind, f.stack[0].function.as_str()), (StackOverflow, "deeper"));
            }
            (Outcome::Failed(f), None, 16) => assert_eq!(f.kind, WildAccess),
            (Outcome::Failed(Failure { kind: Signal, .. }), None, 19) | (Outcome::Passed, None, 5 | 15 | 17 | 18) => {}
            // Waiting is not a hang.
            (Outcome::OutOfBudget(Budget::Time), None, 7) => {}
            other => panic!("{what}: {other:?}"),
        }
        let next = run(&mut subject, &mut terms, 0);
        assert_eq!((&next.outcome, &next.decisions, &next.input), (&first.outcome, &first.decisions, &first.input), "after {what}");
    }
}
