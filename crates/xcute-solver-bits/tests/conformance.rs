//! The suite that every solver passes.

use xcute_solver::conformance::Theories;
use xcute_solver_bits::BitBlaster;

xcute_solver::solver_conformance!(BitBlaster::new(), Theories { wide: true, floats: true, ..Theories::BITS });

#[test]
fn a_query_ends_when_it_is_interrupted() {
    xcute_solver::conformance::interrupts(&mut xcute_solver_bits::BitBlaster::new());
}
