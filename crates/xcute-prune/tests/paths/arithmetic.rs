//! Operations on ints, as values and as terms.

use xcute_term::{Op, TermId, Terms};

/// The value of an operation: ints wrap around.
pub fn apply(operator: &str, a: i32, b: i32) -> i32 {
    match operator {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "==" => i32::from(a == b),
        "!=" => i32::from(a != b),
        "<" => i32::from(a < b),
        "<=" => i32::from(a <= b),
        ">" => i32::from(a > b),
        ">=" => i32::from(a >= b),
        other => panic!("no operator {other}"),
    }
}

/// The same as a term.
pub fn symbolic(terms: &mut Terms, operator: &str, a: TermId, b: TermId) -> TermId {
    let condition = match operator {
        "+" => return terms.mk(Op::BvAdd, &[a, b]),
        "-" => return terms.mk(Op::BvSub, &[a, b]),
        "*" => return terms.mk(Op::BvMul, &[a, b]),
        "==" => terms.mk(Op::Eq, &[a, b]),
        "!=" => {
            let same = terms.mk(Op::Eq, &[a, b]);
            terms.not(same)
        }
        "<" => terms.mk(Op::BvSlt, &[a, b]),
        "<=" => terms.mk(Op::BvSle, &[a, b]),
        ">" => terms.mk(Op::BvSlt, &[b, a]),
        ">=" => terms.mk(Op::BvSle, &[b, a]),
        other => panic!("no operator {other}"),
    };
    let (one, zero) = (terms.bv(32, 1), terms.bv(32, 0));
    terms.mk(Op::Ite, &[condition, one, zero])
}
