//! Rules for floats.
//!
//! `FpToBits(FpFromBits(b))` is `b`: SMT-LIB does not promise that for NaN, but C's memory does and so does our evaluation.
//! Comparisons of a widened float, or of an integer that the float holds exactly, with a constant are taken to the narrow or
//! integer side, where solvers are at home: `f > 1.5` of a C `float` needs no double arithmetic.

use num_bigint::BigInt;
use num_traits::FromPrimitive;

use super::mk;
use crate::bits::Bits;
use crate::float::FloatFormat;
use crate::ids::TermId;
use crate::op::{Op, Rounding};
use crate::sort::Sort;
use crate::terms::Terms;
use crate::value::Value;

pub(super) fn simplify(terms: &mut Terms, op: Op, args: &[TermId]) -> Option<TermId> {
    match (op, args) {
        (Op::FpFromBits(..) | Op::FpToBits | Op::FpNeg | Op::FpAbs | Op::FpToFp(..), &[a]) => unary(terms, op, a),
        (Op::FpIsNan | Op::FpIsInf | Op::FpIsZero, &[a]) => classify(terms, op, a),
        (Op::FpEq | Op::FpLt | Op::FpLe, &[a, b]) => compare(terms, op, a, b),
        _ => None,
    }
}

fn unary(terms: &mut Terms, op: Op, a: TermId) -> Option<TermId> {
    match (op, terms.op(a), terms.args(a)) {
        (Op::FpFromBits(format), Op::FpToBits, &[x]) if terms.sort(x) == Sort::Float(format) => Some(x),
        (Op::FpToBits, Op::FpFromBits(..), &[x]) => Some(x),
        (Op::FpNeg, Op::FpNeg, &[x]) => Some(x),
        (Op::FpAbs, Op::FpAbs, _) => Some(a),
        (Op::FpAbs, Op::FpNeg, &[x]) => Some(mk(terms, Op::FpAbs, &[x])),
        (Op::FpToFp(_, format), ..) if terms.sort(a) == Sort::Float(format) => Some(a),
        _ => None,
    }
}

fn classify(terms: &mut Terms, op: Op, a: TermId) -> Option<TermId> {
    match (terms.op(a), terms.args(a)) {
        (Op::FpNeg | Op::FpAbs, &[x]) => Some(mk(terms, op, &[x])),
        (Op::FpToFp(..), &[x]) if widens(terms, a, x) => Some(mk(terms, op, &[x])),
        (Op::FpFromSbv(..) | Op::FpFromUbv(..), _) if op == Op::FpIsNan => Some(terms.bool(false)),
        (of, &[x, y]) if op != Op::FpIsZero => {
            let x = unmoved(terms, op, of, (x, y))?;
            Some(mk(terms, op, &[x]))
        }
        _ => None,
    }
}

/// Of an operation with a constant that cannot make a finite number infinite (or anything not a number), the other operand: what is asked for is as true of it. This
/// spares solvers the operation.
fn unmoved(terms: &Terms, asked: Op, of: Op, (x, y): (TermId, TermId)) -> Option<TermId> {
    let finite = |t: TermId| host(terms, t).filter(|c| c.is_finite());
    let (other, c, swapped) = match (finite(x), finite(y)) {
        (None, Some(c)) => (x, c, false),
        (Some(c), None) => (y, c, true),
        _ => return None,
    };
    // Half a unit in the last place of the largest number: less than this is rounded away.
    let Sort::Float(format) = terms.sort(other) else { return None };
    let half = 2_f64.powi(i32::try_from(format.bias()).ok()? - i32::try_from(format.significand()).ok()?);
    let is_nan = asked == Op::FpIsNan;
    let same = match of {
        Op::FpAdd(Rounding::NearestEven) | Op::FpSub(Rounding::NearestEven) => is_nan || c.abs() < half,
        Op::FpMul(Rounding::NearestEven) => c != 0.0 && (is_nan || c.abs() <= 1.0),
        Op::FpDiv(Rounding::NearestEven) if !swapped => c != 0.0 && (is_nan || c.abs() >= 1.0),
        _ => false,
    };
    same.then_some(other)
}

/// Whether the format of `wide` holds every float of the format of `narrow`.
fn widens(terms: &Terms, wide: TermId, narrow: TermId) -> bool {
    match (terms.sort(wide), terms.sort(narrow)) {
        (Sort::Float(wide), Sort::Float(narrow)) => wide.holds(narrow),
        _ => false,
    }
}

fn compare(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        let nan = mk(terms, Op::FpIsNan, &[a]);
        return Some(if op == Op::FpLt { terms.bool(false) } else { terms.not(nan) });
    }
    for t in [a, b] {
        if terms.is_const(t) {
            let nan = mk(terms, Op::FpIsNan, &[t]);
            if nan == terms.bool(true) {
                return Some(terms.bool(false));
            }
        }
    }
    compare_widened(terms, op, a, b).or_else(|| compare_integers(terms, op, a, b))
}

/// The float that a widening conversion widens.
fn widened(terms: &Terms, t: TermId) -> Option<TermId> {
    match (terms.op(t), terms.args(t)) {
        (Op::FpToFp(..), &[x]) if widens(terms, t, x) => Some(x),
        _ => None,
    }
}

fn compare_widened(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    match (widened(terms, a), widened(terms, b)) {
        (Some(x), Some(y)) if terms.sort(x) == terms.sort(y) => Some(mk(terms, op, &[x, y])),
        (Some(x), None) if terms.is_const(b) => {
            // x < c is x < (c rounded up), x <= c is x <= (c rounded down).
            let c = narrowed(terms, op, x, b, op == Op::FpLt)?;
            Some(mk(terms, op, &[x, c]))
        }
        (None, Some(y)) if terms.is_const(a) => {
            let c = narrowed(terms, op, y, a, op == Op::FpLe)?;
            Some(mk(terms, op, &[c, y]))
        }
        _ => None,
    }
}

/// The constant in the format of `like`, rounded; an equation with one that is not exact is left alone.
fn narrowed(terms: &mut Terms, op: Op, like: TermId, constant: TermId, up: bool) -> Option<TermId> {
    let (Sort::Float(to), Sort::Float(from)) = (terms.sort(like), terms.sort(constant)) else { return None };
    let rounding = if up { Rounding::Up } else { Rounding::Down };
    let narrow = mk(terms, Op::FpToFp(rounding, to), &[constant]);
    let back = mk(terms, Op::FpToFp(rounding, from), &[narrow]);
    (op != Op::FpEq || back == constant).then_some(narrow)
}

/// The bit-vector that a float holds exactly, and whether it is signed.
fn held(terms: &Terms, t: TermId) -> Option<(TermId, bool)> {
    let digits = match terms.sort(t) {
        Sort::Float(format @ (FloatFormat::SINGLE | FloatFormat::DOUBLE)) => format.significand(),
        _ => return None,
    };
    match (terms.op(t), terms.args(t)) {
        (Op::FpFromSbv(..), &[x]) if terms.width(x) <= digits => Some((x, true)),
        (Op::FpFromUbv(..), &[x]) if terms.width(x) <= digits => Some((x, false)),
        _ => None,
    }
}

fn compare_integers(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let order = |signed: bool| match (op, signed) {
        (Op::FpEq, _) => Op::Eq,
        (Op::FpLt, true) => Op::BvSlt,
        (Op::FpLt, false) => Op::BvUlt,
        (_, true) => Op::BvSle,
        (_, false) => Op::BvUle,
    };
    match (held(terms, a), held(terms, b)) {
        (Some((x, signed)), Some((y, other))) if signed == other && terms.sort(x) == terms.sort(y) => {
            Some(mk(terms, order(signed), &[x, y]))
        }
        (Some((x, signed)), None) => {
            let c = host(terms, b)?;
            let c = match op {
                Op::FpEq if c.fract() != 0.0 => return Some(terms.bool(false)),
                Op::FpLt => c.ceil(),
                _ => c.floor(),
            };
            Some(against(terms, order(signed), x, signed, c, false))
        }
        (None, Some((y, signed))) => {
            let c = host(terms, a)?;
            let c = if op == Op::FpLt { c.floor() } else { c.ceil() };
            Some(against(terms, order(signed), y, signed, c, true))
        }
        _ => None,
    }
}

/// A constant of a host format, as a double. Not NaN.
fn host(terms: &Terms, t: TermId) -> Option<f64> {
    match (terms.sort(t), u32::try_from(terms.as_u64(t)?)) {
        (Sort::F32, Ok(word)) => Some(f32::from_bits(word).into()),
        (Sort::F64, _) => Some(f64::from_bits(terms.as_u64(t)?)),
        _ => None,
    }
}

/// Compares the bit-vector `x` with the whole number `c` (or an infinity); `flipped` puts `c` first.
fn against(terms: &mut Terms, order: Op, x: TermId, signed: bool, c: f64, flipped: bool) -> TermId {
    let width = terms.width(x);
    let (least, greatest) = if signed {
        let half = BigInt::from(1) << (width - 1);
        (-&half, half - 1)
    } else {
        (BigInt::from(0), (BigInt::from(1) << width) - 1)
    };
    match BigInt::from_f64(c).filter(|c| (&least..=&greatest).contains(&c)) {
        Some(c) => {
            let low = if c < BigInt::from(0) { (BigInt::from(1) << width) + c } else { c };
            let k = terms.value(Value::Bits(Bits::from_big(width, low.magnitude())));
            mk(terms, order, &if flipped { [k, x] } else { [x, k] })
        }
        // Out of range, every x is on one side of c.
        None => {
            let x_below = c > 0.0;
            terms.bool(order != Op::Eq && x_below != flipped)
        }
    }
}
