//! Erlang passes the conformance suite for front ends.

mod support;

use support::{modules, solver, subject};
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

fn endless() -> ErlSubject {
    subject(&modules(&[("m", PATHS)]), "m", "g", 1, None)
}

fn solve(terms: &mut Terms, conditions: &[TermId], input: &Model) -> Option<Model> {
    witness(&mut *solver(), terms, conditions, input)
}

xcute_trace::subject_conformance!(pair(), 6, solve, endless());
