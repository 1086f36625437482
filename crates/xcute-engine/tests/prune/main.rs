//! Campaigns that prune, over the model language of the pruner's own tests.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on panics")]

#[macro_use]
#[path = "../support/believing.rs"]
mod believing;

#[allow(dead_code, reason = "the pruner's tests use more of it")]
#[path = "../../../xcute-prune/tests/paths/arithmetic.rs"]
mod arithmetic;
#[allow(dead_code, reason = "the pruner's tests use more of it")]
#[path = "../../../xcute-prune/tests/paths/code.rs"]
mod code;
#[path = "../../../xcute-prune/tests/paths/decisions.rs"]
mod decisions;
#[allow(dead_code, reason = "the pruner's tests use more of it")]
#[path = "../../../xcute-prune/tests/paths/generate.rs"]
mod generate;
#[allow(dead_code, reason = "the pruner's tests use more of it")]
#[path = "../../../xcute-prune/tests/paths/machine.rs"]
mod machine;
#[path = "../../../xcute-prune/tests/paths/syntax.rs"]
mod syntax;

mod answers;
mod bounds;
mod going_on;
mod model;
mod oracle;
