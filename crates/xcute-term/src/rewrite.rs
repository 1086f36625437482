//! Rewriting: every term is simplified as it is built.

use crate::op::Op;
use crate::signature::result_sort;
use crate::terms::{TermId, Terms};

/// Builds a term in its simplest form.
pub(crate) fn mk(terms: &mut Terms, op: Op, args: &[TermId]) -> TermId {
    let sort = result_sort(terms, op, args);
    if let (Op::Not, &[a]) = (op, args) {
        if let Some(value) = terms.as_u64(a) {
            return terms.bool(value == 0);
        }
        if terms.op(a) == Op::Not {
            return terms.args(a)[0];
        }
    }
    terms.intern(op, sort, args)
}
