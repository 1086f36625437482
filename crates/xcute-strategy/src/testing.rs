//! Random testing (RT): no arm is ever chosen; the subject makes up new inputs in each run.
//!
//! The baseline that Ahmadi & Dingel compare concolic testing of models with [ahmadi-dingel-2019 §5], and Sen, Marinov & Agha that of programs. It asks no solver, and
//! never knows that it has seen everything.

use xcute_tree::{ArmId, PathTree};

use crate::strategy::{Seen, Strategy};

/// Random testing.
#[derive(Debug)]
pub struct RandomTesting;

impl Strategy for RandomTesting {
    fn name(&self) -> &'static str {
        "testing"
    }

    fn observe(&mut self, _: &Seen<'_>) {}

    fn restart(&mut self) {}

    fn pick(&mut self, _: &PathTree) -> Option<ArmId> {
        None
    }

    fn samples(&self) -> bool {
        true
    }
}
