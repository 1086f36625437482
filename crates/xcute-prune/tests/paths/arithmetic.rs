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
        "byte0" => a & 0xff,
        "byte1" => (a >> 8) & 0xff,
        "poke0" => (a & !0xff) | (b & 0xff),
        "poke1" => (a & !0xff00) | ((b & 0xff) << 8),
        other => panic!("no operator {other}"),
    }
}

/// The same as a term.
pub fn symbolic(terms: &mut Terms, operator: &str, a: TermId, b: TermId) -> TermId {
    let condition = match operator {
        "+" => return terms.mk(Op::BvAdd, &[a, b]),
        "-" => return terms.mk(Op::BvSub, &[a, b]),
        "*" => return terms.mk(Op::BvMul, &[a, b]),
        "byte0" | "byte1" => {
            let low = if operator == "byte0" { 0 } else { 8 };
            let byte = terms.mk(Op::Extract(low + 7, low), &[a]);
            return terms.mk(Op::ZeroExt(32), &[byte]);
        }
        "poke0" | "poke1" => {
            let byte = terms.mk(Op::Extract(7, 0), &[b]);
            let mut low = byte;
            if operator == "poke1" {
                let lowest = terms.mk(Op::Extract(7, 0), &[a]);
                low = terms.mk(Op::Concat, &[byte, lowest]);
            }
            let high = terms.mk(Op::Extract(31, terms.width(low)), &[a]);
            return terms.mk(Op::Concat, &[high, low]);
        }
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
