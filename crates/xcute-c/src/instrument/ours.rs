//! Functions that are ours though they stand in the program: models, forwarders, and what was generated.

use crate::names::{AFTER, HARNESS, WRAPPER};
use crate::tools::demangle::demangled;

/// What the names of models and of their own functions begin with.
const PREFIX: &str = "xcm_";

/// What the names of forwarders begin with, after the prefix of models.
pub(super) const CALL: &str = "call_";

/// Whether a function is a model, or a part of one.
pub(crate) fn is_model(name: &str) -> bool {
    name.starts_with(PREFIX)
}

/// The name of a function of ours that stands for something of the library.
pub(super) fn own_name(name: &str) -> String {
    format!("{PREFIX}{name}")
}

/// Whether a function is a forwarder.
pub(super) fn is_forwarder(name: &str) -> bool {
    name.starts_with(&own_name(CALL))
}

/// Whether a function knows the files in memory: a model, but not a forwarder, which is the program's own call.
pub(super) fn knows_files(name: &str) -> bool {
    is_model(name) && !is_forwarder(name)
}

/// Whether a function is the harness or one of its own: no part of the program under test.
pub(super) fn is_generated(name: &str) -> bool {
    name == HARNESS || name.starts_with(AFTER) || demangled(name) == WRAPPER
}
