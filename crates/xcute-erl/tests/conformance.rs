//! Erlang passes the conformance suite for front ends.

use crate::support::{load, modules, solver, subject};
use xcute_erl::program::Source;
use xcute_erl::subject::ErlSubject;
use xcute_solver::conformance::witness;
use xcute_term::{Model, TermId, Terms};

/// Clauses, guards, an error, a division, and the end of the emulator.
const PATHS: &str = "
-spec f(integer()) -> term().
f(1) -> one;
f(2) -> error(two);
f(3) -> halt(0);
f(X) when X > 10 -> 100 div (X - 12);
f(_) -> other.
-spec g(integer()) -> term().
g(X) -> g(X + 1).
";

fn pair() -> (ErlSubject, ErlSubject) {
    let first = subject(&modules(&[("m", PATHS)]), "m", "f", 1, None);
    let second = first.another();
    (first, second)
}

/// The program, the same made ready again, and one in which an integer is another one.
fn changed() -> (ErlSubject, ErlSubject, ErlSubject) {
    // Where a module stands is part of its object code, so all of them stand in the same file.
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("m.erl");
    let of = |text: &str| {
        std::fs::write(&file, format!("-module(m).\n-export([f/1, g/1]).\n{text}")).expect("a file");
        subject(&load(&[Source::File(file.clone(), Vec::new())]), "m", "f", 1, None)
    };
    (of(PATHS), of(PATHS), of(&PATHS.replace("X > 10", "X > 11")))
}

fn endless() -> ErlSubject {
    subject(&modules(&[("m", PATHS)]), "m", "g", 1, None)
}

fn solve(terms: &mut Terms, conditions: &[TermId], input: &Model) -> Option<Model> {
    witness(&mut *solver(), terms, conditions, input)
}

xcute_trace::subject_conformance!(pair(), 6, solve, endless(), changed());
