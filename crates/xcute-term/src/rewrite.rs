//! Rewriting: every term is simplified as it is built.

use crate::op::Op;
use crate::terms::{TermId, Terms};

/// Builds a term in its simplest form.
pub(crate) fn mk(_terms: &mut Terms, _op: Op, _args: &[TermId]) -> TermId {
    unimplemented!()
}
