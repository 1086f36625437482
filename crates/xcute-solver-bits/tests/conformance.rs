//! The suite that every solver passes.

use xcute_solver::conformance::Theories;
use xcute_solver_bits::BitBlaster;

xcute_solver::solver_conformance!(BitBlaster::new(), Theories { wide: true, floats: true, ..Theories::BITS });
