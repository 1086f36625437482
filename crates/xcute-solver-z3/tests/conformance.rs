//! The suite that every solver passes.

use xcute_solver::conformance::Theories;
use xcute_solver_z3::Z3;

xcute_solver::solver_conformance!(Z3::new(), Theories::ALL);

#[test]
fn a_query_ends_when_it_is_interrupted() {
    xcute_solver::conformance::interrupts(&mut xcute_solver_z3::Z3::new());
}
