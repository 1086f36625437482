//! Printing: for people, and as SMT-LIB.

use crate::{TermId, Terms};

/// The term as a person would write it.
#[must_use]
pub fn human(terms: &Terms, t: TermId) -> String {
    match terms.op(t) {
        crate::Op::Var(v) => terms.info(v).name.clone(),
        crate::Op::Const(_) => format!("{:?}", terms.as_value(t)),
        op => format!("({op:?} {})", terms.args(t).iter().map(|&a| human(terms, a)).collect::<Vec<_>>().join(" ")),
    }
}
