//! The suite that every solver passes.

use xcute_solver::conformance::Theories;
use xcute_solver_z3::Z3;

xcute_solver::solver_conformance!(Z3::new(), Theories::ALL);
