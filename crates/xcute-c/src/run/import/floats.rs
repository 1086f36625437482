//! Float nodes: operands and results are bit patterns, the operations are IEEE's.
//!
//! Conversions to integers follow the processor: out of range, a conversion through 32 or 64 signed bits gives the pattern 1000…0, and
//! narrower types are cut from it.

use xcute_term::{FloatFormat, Op, Rounding, Sort, TermId, Terms};

use crate::wire::{XcNode, op};

const EVEN: Rounding = Rounding::NearestEven;

fn from_bits(terms: &mut Terms, bits: TermId) -> Option<TermId> {
    let format = FloatFormat::of_width(terms.width(bits))?;
    Some(terms.mk(Op::FpFromBits(format), &[bits]))
}

/// The term of a float node; operands as bit-vectors.
pub(super) fn make(terms: &mut Terms, node: &XcNode, operands: [Option<TermId>; 3]) -> Option<TermId> {
    let width = u32::from(node.width);
    let a = operands[0]?;
    match node.op {
        op::SITOFP | op::UITOFP => {
            let to = FloatFormat::of_width(width)?;
            let convert = if node.op == op::SITOFP { Op::FpFromSbv(EVEN, to) } else { Op::FpFromUbv(EVEN, to) };
            let float = terms.mk(convert, &[a]);
            return Some(terms.mk(Op::FpToBits, &[float]));
        }
        op::FPTOSI | op::FPTOUI => {
            let float = from_bits(terms, a)?;
            return to_integer(terms, node.op, width, float);
        }
        op::FCOPYSIGN => return copysign(terms, a, operands[1]?),
        _ => {}
    }
    let fa = from_bits(terms, a)?;
    if let Some(unary) = unary(node.op, width) {
        let float = terms.mk(unary?, &[fa]);
        return Some(terms.mk(Op::FpToBits, &[float]));
    }
    let b = operands[1].filter(|&b| terms.sort(b) == terms.sort(a))?;
    let fb = from_bits(terms, b)?;
    if (op::FOEQ..=op::FUNE).contains(&node.op) {
        return compare(terms, node.op, fa, fb);
    }
    let float = match node.op {
        op::FMA => {
            let c = operands[2].filter(|&c| terms.sort(c) == terms.sort(a))?;
            let fc = from_bits(terms, c)?;
            terms.mk(Op::FpFma(EVEN), &[fa, fb, fc])
        }
        op::FADD => terms.mk(Op::FpAdd(EVEN), &[fa, fb]),
        op::FSUB => terms.mk(Op::FpSub(EVEN), &[fa, fb]),
        op::FMUL => terms.mk(Op::FpMul(EVEN), &[fa, fb]),
        op::FDIV => terms.mk(Op::FpDiv(EVEN), &[fa, fb]),
        op::FREM => terms.mk(Op::FpFmod, &[fa, fb]),
        op::FMIN => terms.mk(Op::FpMin, &[fa, fb]),
        op::FMAX => terms.mk(Op::FpMax, &[fa, fb]),
        _ => return None,
    };
    Some(terms.mk(Op::FpToBits, &[float]))
}

/// The operator of a node with one float operand; the inner `None` is a conversion to a format that does not exist.
fn unary(code: u8, width: u32) -> Option<Option<Op>> {
    Some(Some(match code {
        op::FNEG => Op::FpNeg,
        op::FABS => Op::FpAbs,
        op::FSQRT => Op::FpSqrt(EVEN),
        op::FFLOOR => Op::FpRound(Rounding::Down),
        op::FCEIL => Op::FpRound(Rounding::Up),
        op::FTRUNC => Op::FpRound(Rounding::Zero),
        op::FRINT => Op::FpRound(EVEN),
        op::FROUND => Op::FpRound(Rounding::NearestAway),
        op::FPCAST => return Some(FloatFormat::of_width(width).map(|to| Op::FpToFp(EVEN, to))),
        _ => return None,
    }))
}

fn to_integer(terms: &mut Terms, code: u8, width: u32, float: TermId) -> Option<TermId> {
    let (convert, through) = match (code, width) {
        (op::FPTOSI, 1..=32) => (Op::FpToSbv(Rounding::Zero, 32), 32),
        (op::FPTOSI, 33..=64) | (op::FPTOUI, 1..=32) => (Op::FpToSbv(Rounding::Zero, 64), 64),
        (op::FPTOUI, 33..=64) => (Op::FpToUbv(Rounding::Zero, 64), 64),
        _ => return None,
    };
    let whole = terms.mk(convert, &[float]);
    Some(if width == through { whole } else { terms.mk(Op::Extract(width - 1, 0), &[whole]) })
}

fn copysign(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let width = terms.width(a);
    if terms.sort(b) != Sort::BitVec(width) || width < 2 {
        return None;
    }
    let sign = terms.mk(Op::Extract(width - 1, width - 1), &[b]);
    let rest = terms.mk(Op::Extract(width - 2, 0), &[a]);
    Some(terms.mk(Op::Concat, &[sign, rest]))
}

fn compare(terms: &mut Terms, code: u8, a: TermId, b: TermId) -> Option<TermId> {
    let negated = |terms: &mut Terms, t: TermId| Some(terms.not(t));
    match code {
        op::FOEQ => Some(terms.mk(Op::FpEq, &[a, b])),
        op::FOGT => Some(terms.mk(Op::FpLt, &[b, a])),
        op::FOGE => Some(terms.mk(Op::FpLe, &[b, a])),
        op::FOLT => Some(terms.mk(Op::FpLt, &[a, b])),
        op::FOLE => Some(terms.mk(Op::FpLe, &[a, b])),
        op::FONE => {
            let (less, more) = (terms.mk(Op::FpLt, &[a, b]), terms.mk(Op::FpLt, &[b, a]));
            Some(terms.mk(Op::Or, &[less, more]))
        }
        op::FUNO => {
            let (na, nb) = (terms.mk(Op::FpIsNan, &[a]), terms.mk(Op::FpIsNan, &[b]));
            Some(terms.mk(Op::Or, &[na, nb]))
        }
        // The unordered comparisons are the negations of the opposite ordered ones.
        op::FORD | op::FUEQ | op::FUGT | op::FUGE | op::FULT | op::FULE | op::FUNE => {
            let opposite = match code {
                op::FORD => op::FUNO,
                op::FUEQ => op::FONE,
                op::FUGT => op::FOLE,
                op::FUGE => op::FOLT,
                op::FULT => op::FOGE,
                op::FULE => op::FOGT,
                _ => op::FOEQ,
            };
            let t = compare(terms, opposite, a, b)?;
            negated(terms, t)
        }
        _ => None,
    }
}
