//! Rules for integers and reals, and for the bridges between integers and bit-vectors.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};

use super::step::Step;
use super::{both, mk, only};
use crate::ids::TermId;
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::Terms;
use crate::value::Value;

pub(super) fn simplify(terms: &mut Terms, op: Op, args: &[TermId]) -> Option<TermId> {
    match (op, args) {
        (Op::Add, &[a, b]) => add(terms, a, b),
        (Op::Sub, &[a, b]) => sub(terms, a, b),
        (Op::Mul, &[_, b]) if is(terms, b, 0) => Some(b),
        (Op::Mul | Op::Div | Op::IntDiv, &[a, b]) if is(terms, b, 1) => Some(a),
        (Op::Mul, &[a, b]) if is(terms, b, -1) => Some(mk(terms, Op::Neg, &[a])),
        (Op::Mul, &[a, b]) => gather(terms, Op::Mul, a, b),
        (Op::IntMod, &[_, b]) if is(terms, b, 1) => Some(terms.value(Value::Int(BigInt::zero()))),
        (Op::Neg, &[a]) => match (terms.op(a), terms.args(a)) {
            (Op::Neg, &[x]) => Some(x),
            (Op::Sub, &[x, y]) => Some(mk(terms, Op::Sub, &[y, x])),
            _ => None,
        },
        (Op::ToInt, &[a]) => only(terms, Op::ToReal, a),
        (Op::IntToBv(w), &[a]) => match (terms.op(a), terms.args(a)) {
            (Op::BvToNat, &[x]) => Some(resized(terms, w, x, Op::ZeroExt(w))),
            (Op::BvToInt, &[x]) => Some(resized(terms, w, x, Op::SignExt(w))),
            _ => None,
        },
        _ => None,
    }
}

fn resized(terms: &mut Terms, width: u32, x: TermId, extension: Op) -> TermId {
    if width <= terms.width(x) { mk(terms, Op::Extract(width - 1, 0), &[x]) } else { mk(terms, extension, &[x]) }
}

/// Whether a term is the constant `n`, as an integer or a real.
fn is(terms: &Terms, t: TermId, n: i32) -> bool {
    match terms.as_value(t) {
        Some(Value::Int(value)) => *value == n.into(),
        Some(Value::Real(value)) => value.is_integer() && *value.numer() == n.into(),
        _ => false,
    }
}

fn add(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if is(terms, b, 0) {
        return Some(a);
    }
    if terms.is_const(b) {
        return gather(terms, Op::Add, a, b);
    }
    for (s, t) in [(a, b), (b, a)] {
        if let Some((x, k)) = both(terms, Op::Add, s)
            && terms.is_const(k)
        {
            let sum = mk(terms, Op::Add, &[x, t]);
            return Some(mk(terms, Op::Add, &[sum, k]));
        }
        if let Some(x) = only(terms, Op::Neg, s) {
            return Some(mk(terms, Op::Sub, &[t, x]));
        }
        if let Some((x, y)) = both(terms, Op::Sub, s)
            && y == t
        {
            return Some(x);
        }
    }
    None
}

fn gather(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let (x, k) = both(terms, op, a)?;
    if !terms.is_const(k) || !terms.is_const(b) {
        return None;
    }
    let k = mk(terms, op, &[k, b]);
    Some(mk(terms, op, &[x, k]))
}

fn sub(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        let zero = if terms.sort(a) == Sort::Int { Value::Int(BigInt::zero()) } else { terms.default_value(Sort::Real) };
        return Some(terms.value(zero));
    }
    if terms.is_const(b) {
        let minus = mk(terms, Op::Neg, &[b]);
        return Some(mk(terms, Op::Add, &[a, minus]));
    }
    if is(terms, a, 0) {
        return Some(mk(terms, Op::Neg, &[b]));
    }
    if let Some((x, y)) = both(terms, Op::Add, a) {
        if x == b || y == b {
            return Some(if x == b { y } else { x });
        }
        if terms.is_const(y) {
            let difference = mk(terms, Op::Sub, &[x, b]);
            return Some(mk(terms, Op::Add, &[difference, y]));
        }
    }
    if let Some((x, y)) = both(terms, Op::Add, b)
        && terms.is_const(y)
    {
        let difference = mk(terms, Op::Sub, &[a, x]);
        return Some(mk(terms, Op::Sub, &[difference, y]));
    }
    None
}

/// Rules for `a < b`.
pub(super) fn less(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(terms.bool(false));
    }
    if let (Some((x, k)), true) = (both(terms, Op::Add, a), terms.is_const(b))
        && terms.is_const(k)
    {
        let rest = mk(terms, Op::Sub, &[b, k]);
        return Some(mk(terms, Op::Lt, &[x, rest]));
    }
    if let (true, Some((x, k))) = (terms.is_const(a), both(terms, Op::Add, b))
        && terms.is_const(k)
    {
        let rest = mk(terms, Op::Sub, &[a, k]);
        return Some(mk(terms, Op::Lt, &[rest, x]));
    }
    if terms.sort(a) == Sort::Int && terms.is_const(a) {
        let one = terms.value(Value::Int(BigInt::one()));
        let next = mk(terms, Op::Add, &[a, one]);
        let below = mk(terms, Op::Lt, &[b, next]);
        return Some(terms.not(below));
    }
    let Some(Value::Int(bound)) = terms.as_value(b) else { return None };
    let (low, high) = bounds(terms, a)?;
    if high.as_ref().is_some_and(|high| high < bound) {
        return Some(terms.bool(true));
    }
    if low >= *bound {
        return Some(terms.bool(false));
    }
    let (order, x) = match (terms.op(a), terms.args(a)) {
        (Op::BvToNat, &[x]) => (Op::BvUlt, x),
        (Op::BvToInt, &[x]) => (Op::BvSlt, x),
        _ => return None,
    };
    let bound = mk(terms, Op::IntToBv(terms.width(x)), &[b]);
    Some(mk(terms, order, &[x, bound]))
}

/// The least and (if there is one) the greatest value of an integer term whose operator tells.
fn bounds(terms: &Terms, t: TermId) -> Option<(BigInt, Option<BigInt>)> {
    match (terms.op(t), terms.args(t)) {
        (Op::StrLen, _) => Some((BigInt::zero(), None)),
        (Op::BvToNat, &[x]) => Some((BigInt::zero(), Some((BigInt::one() << terms.width(x)) - 1))),
        (Op::BvToInt, &[x]) => {
            let half = BigInt::one() << (terms.width(x) - 1);
            Some((-&half, Some(half - 1)))
        }
        _ => None,
    }
}

/// One step of solving `x = c` for integers and reals.
pub(super) fn invert(terms: &mut Terms, x: TermId, c: TermId) -> Step {
    match (terms.op(x), terms.args(x)) {
        (Op::Add, &[y, k]) if terms.is_const(k) => Step::Next(y, mk(terms, Op::Sub, &[c, k])),
        (Op::Sub, &[k, y]) if terms.is_const(k) => Step::Next(y, mk(terms, Op::Sub, &[k, c])),
        (Op::Sub, &[y, z]) if is(terms, c, 0) => Step::Done(mk(terms, Op::Eq, &[y, z])),
        (Op::Neg, &[y]) => Step::Next(y, mk(terms, Op::Neg, &[c])),
        (Op::Mul, &[y, k]) => match (terms.as_value(k), terms.as_value(c)) {
            (Some(Value::Real(_)), _) => Step::Next(y, mk(terms, Op::Div, &[c, k])),
            (Some(Value::Int(k)), Some(Value::Int(c))) if c.is_multiple_of(k) => {
                let quotient = Value::Int(c / k);
                Step::Next(y, terms.value(quotient))
            }
            (Some(Value::Int(_)), _) => Step::Done(terms.bool(false)),
            _ => Step::Stuck,
        },
        (Op::ToReal, &[y]) => match terms.as_value(c) {
            Some(Value::Real(value)) if value.is_integer() => {
                let integer = Value::Int(value.to_integer());
                Step::Next(y, terms.value(integer))
            }
            _ => Step::Done(terms.bool(false)),
        },
        (Op::StrLen | Op::BvToNat | Op::BvToInt, &[y]) => {
            let (Some(Value::Int(value)), Some((low, high))) = (terms.as_value(c), bounds(terms, x)) else { return Step::Stuck };
            if *value < low || high.is_some_and(|high| *value > high) {
                return Step::Done(terms.bool(false));
            }
            match terms.sort(y) {
                Sort::BitVec(w) => {
                    let bits = mk(terms, Op::IntToBv(w), &[c]);
                    Step::Done(mk(terms, Op::Eq, &[y, bits]))
                }
                _ if value.is_positive() => Step::Stuck,
                _ => {
                    let empty = terms.value(Value::Str("".into()));
                    Step::Done(mk(terms, Op::Eq, &[y, empty]))
                }
            }
        }
        _ => Step::Stuck,
    }
}

/// Equations between terms that are not constants.
pub(super) fn eq(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let ((p, q), (r, s)) = (both(terms, Op::Add, a)?, both(terms, Op::Add, b)?);
    [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)]
        .into_iter()
        .find(|(x, _, z, _)| x == z)
        .map(|(_, y, _, w)| mk(terms, Op::Eq, &[y, w]))
}
