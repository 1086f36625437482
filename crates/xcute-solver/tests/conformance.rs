//! The chain passes the conformance suite of real solvers where it can answer without one.

use crate::common::Brute;
use xcute_solver::conformance::Theories;
use xcute_solver::{Answer, Chain, ChainOptions, Count, Query, Solver};
use xcute_term::Terms;

xcute_solver::solver_conformance!(Chain::build(ChainOptions::default(), vec![Box::new(Brute)]), Theories::BITS);

/// A solver that always answers the same.
struct Liar(fn() -> Answer);

impl Solver for Liar {
    fn solve(&mut self, _: &mut Terms, _: &Query<'_>) -> Answer {
        (self.0)()
    }

    fn count(&self, _: &mut dyn FnMut(&Count)) {}
}

#[test]
#[should_panic(expected = "a model of contradicting constraints")]
fn the_suite_finds_wrong_models() {
    xcute_solver::conformance::booleans(&mut Liar(|| Answer::Sat(xcute_term::Model::new())));
}

#[test]
#[should_panic(expected = "no model, but there is one")]
fn the_suite_finds_wrong_contradictions() {
    xcute_solver::conformance::booleans(&mut Liar(|| Answer::Unsat(vec![])));
}

#[test]
#[should_panic(expected = "for a claimed theory")]
fn the_suite_finds_claims_that_are_not_kept() {
    xcute_solver::conformance::floats(&mut Liar(|| Answer::Unknown(xcute_solver::Why::Unsupported)), Theories::ALL.floats);
}

#[test]
fn what_is_not_claimed_may_be_unknown() {
    let mut liar = Liar(|| Answer::Unknown(xcute_solver::Why::Unsupported));
    xcute_solver::conformance::floats(&mut liar, Theories::BITS.floats);
    xcute_solver::conformance::strings(&mut liar, Theories::BITS.strings);
}
