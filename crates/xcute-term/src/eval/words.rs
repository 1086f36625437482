//! Operators on machine words: Booleans, bit-vectors and floats of at most 64 bits.
//!
//! **Invariant.** No allocation for bit-vectors and for the host's floats. Words come in and go out with the bits above their width clear.

use super::floats;
use crate::bits::{mask, signed};
use crate::{Op, Sort};

/// Applies `op` to words; `sorts` are those of the first two arguments.
pub(super) fn apply(op: Op, result: Sort, sorts: [Sort; 2], [a, b, c]: [u64; 3]) -> u64 {
    let width = match sorts[0] {
        Sort::BitVec(w) => w,
        Sort::Bool => 1,
        _ => return floats::apply(op, result, sorts, [a, b, c]),
    };
    match op {
        Op::Not => a ^ 1,
        Op::And => a & b,
        Op::Or => a | b,
        Op::Eq => u64::from(a == b),
        Op::Concat => (a << sorts[1].width().expect("Concat takes bit-vectors")) | b,
        Op::Extract(hi, lo) => (a >> lo) & mask(hi - lo + 1),
        Op::ZeroExt(_) => a,
        Op::SignExt(to) => signed(width, a).cast_unsigned() & mask(to),
        Op::BvUlt => u64::from(a < b),
        Op::BvUle => u64::from(a <= b),
        Op::BvSlt => u64::from(signed(width, a) < signed(width, b)),
        Op::BvSle => u64::from(signed(width, a) <= signed(width, b)),
        Op::FpFromBits(..) => a,
        Op::FpFromSbv(..) | Op::FpFromUbv(..) => floats::apply(op, result, sorts, [a, b, c]),
        _ => arithmetic(op, width, a, b) & mask(width),
    }
}

fn arithmetic(op: Op, width: u32, a: u64, b: u64) -> u64 {
    match op {
        Op::BvNot => !a,
        Op::BvNeg => a.wrapping_neg(),
        Op::BvAdd => a.wrapping_add(b),
        Op::BvSub => a.wrapping_sub(b),
        Op::BvMul => a.wrapping_mul(b),
        Op::BvAnd => a & b,
        Op::BvOr => a | b,
        Op::BvXor => a ^ b,
        Op::BvUdiv => a.checked_div(b).unwrap_or(u64::MAX),
        Op::BvUrem => a.checked_rem(b).unwrap_or(a),
        Op::BvSdiv => {
            let (x, y) = (signed(width, a), signed(width, b));
            let by_zero = if x < 0 { 1 } else { -1 };
            (if y == 0 { by_zero } else { x.wrapping_div(y) }).cast_unsigned()
        }
        Op::BvSrem => {
            let (x, y) = (signed(width, a), signed(width, b));
            (if y == 0 { x } else { x.wrapping_rem(y) }).cast_unsigned()
        }
        Op::BvShl => {
            if b < u64::from(width) {
                a << b
            } else {
                0
            }
        }
        Op::BvLshr => {
            if b < u64::from(width) {
                a >> b
            } else {
                0
            }
        }
        Op::BvAshr => (signed(width, a) >> b.min(u64::from(width) - 1)).cast_unsigned(),
        _ => panic!("{op:?} is not an operator on words of {width} bits"),
    }
}
