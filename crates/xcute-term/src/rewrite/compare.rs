//! Rules for the order of bit-vectors.
//!
//! Written for `<` only; `a <= b` is the negation of `b < a`. Against a constant there are two forms left: `x < k` and
//! `k <= x`, so `x > 5` and `x >= 6` are one term.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::{bools, is_ones, is_zero, mk};
use crate::bits::mask;
use crate::ids::TermId;
use crate::op::Op;
use crate::terms::Terms;
use crate::value::Value;

/// Rules for `a <= b` of any sort: those for `b < a`, negated.
pub(super) fn less_or_equal(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let strict = bools::mirrored(op).expect("`<=` has a mirror");
    let less = match strict {
        Op::BvUlt | Op::BvSlt => match place(terms, strict, b) {
            Some(Place::Last) => return Some(terms.bool(true)),
            // The shorter way to what `less` would give: a <= b is a < b + 1.
            Some(_) => {
                let next = neighbour(terms, b, Op::BvAdd);
                return Some(mk(terms, strict, &[a, next]));
            }
            None => less(terms, strict, b, a),
        },
        Op::Lt => super::arith::less(terms, b, a),
        _ => super::strings::less(terms, b, a),
    }?;
    Some(terms.not(less))
}

/// Rules for `a < b` (`op` is `BvUlt` or `BvSlt`).
pub(super) fn less(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(terms.bool(false));
    }
    match place(terms, op, a) {
        Some(Place::Last) => return Some(terms.bool(false)),
        Some(_) => {
            let next = neighbour(terms, a, Op::BvAdd);
            let below = mk(terms, op, &[b, next]);
            return Some(terms.not(below));
        }
        None => {}
    }
    match place(terms, op, b) {
        Some(Place::First) => Some(terms.bool(false)),
        Some(Place::Second) => {
            let first = neighbour(terms, b, Op::BvSub);
            Some(mk(terms, Op::Eq, &[a, first]))
        }
        Some(Place::Last) => {
            let same = mk(terms, Op::Eq, &[a, b]);
            Some(terms.not(same))
        }
        Some(Place::Between) => extended(terms, a).map(|(kind, x)| below_constant(terms, op, kind, x, b)),
        None => less_extended(terms, op, a, b),
    }
}

/// Where a constant stands in its order.
#[derive(Clone, Copy)]
enum Place {
    First,
    Second,
    Between,
    Last,
}

/// The place of a constant in the order of `op`; `None` for other terms.
fn place(terms: &Terms, op: Op, t: TermId) -> Option<Place> {
    let Some(Value::Bits(bits)) = terms.as_value(t) else { return None };
    let width = bits.width();
    let (rank, last) = if let Some(word) = bits.as_u64() {
        // The signed order is the unsigned one with the sign bit flipped.
        (word ^ if op == Op::BvSlt { 1 << (width - 1) } else { 0 }, mask(width))
    } else {
        let flip = if op == Op::BvSlt { BigUint::one() << (width - 1) } else { BigUint::zero() };
        let rank = bits.to_big() ^ flip;
        let from_end = (BigUint::one() << width) - 1u8 - &rank;
        match (u64::try_from(&rank), u64::try_from(&from_end)) {
            (Ok(rank @ 0..=1), _) => (rank, u64::MAX),
            (_, Ok(0)) => (u64::MAX, u64::MAX),
            _ => (2, u64::MAX),
        }
    };
    Some(match rank {
        0 => Place::First,
        _ if rank == last => Place::Last,
        1 => Place::Second,
        _ => Place::Between,
    })
}

/// A constant plus one (`BvAdd`) or minus one (`BvSub`).
fn neighbour(terms: &mut Terms, t: TermId, op: Op) -> TermId {
    let width = terms.width(t);
    if let Some(word) = terms.as_u64(t) {
        return terms.bv(width, if op == Op::BvAdd { word.wrapping_add(1) } else { word.wrapping_sub(1) });
    }
    let one = terms.bv(width, 1);
    mk(terms, op, &[t, one])
}

/// The least and the greatest bit-vector in the order of `op`.
fn extremes(terms: &mut Terms, op: Op, width: u32) -> (TermId, TermId) {
    let zero = super::zero(terms, width);
    if op == Op::BvUlt {
        return (zero, super::ones(terms, width));
    }
    let one = terms.bv(1, 1);
    let least = if width == 1 {
        one
    } else {
        let rest = super::zero(terms, width - 1);
        mk(terms, Op::Concat, &[one, rest])
    };
    (least, mk(terms, Op::BvNot, &[least]))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Zero,
    Sign,
}

/// The argument of an extension.
fn extended(terms: &Terms, t: TermId) -> Option<(Kind, TermId)> {
    match (terms.op(t), terms.args(t)) {
        (Op::ZeroExt(_), &[x]) => Some((Kind::Zero, x)),
        (Op::SignExt(_), &[x]) => Some((Kind::Sign, x)),
        _ => None,
    }
}

/// Compares the arguments of two extensions of one kind instead of the extensions.
fn less_extended(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let ((kind, x), (other, y)) = (extended(terms, a)?, extended(terms, b)?);
    if kind != other {
        return None;
    }
    let width = terms.width(x).max(terms.width(y));
    let extension = if kind == Kind::Zero { Op::ZeroExt(width) } else { Op::SignExt(width) };
    let (x, y) = (mk(terms, extension, &[x]), mk(terms, extension, &[y]));
    Some(mk(terms, inner_order(op, kind), &[x, y]))
}

/// Both orders agree on zero extensions; a sign extension keeps the order it is compared in.
fn inner_order(op: Op, kind: Kind) -> Op {
    if kind == Kind::Zero { Op::BvUlt } else { op }
}

/// `ext(x) < c`, by asking where `c` lies: below, among or above the values that `ext(x)` takes.
fn below_constant(terms: &mut Terms, op: Op, kind: Kind, x: TermId, c: TermId) -> TermId {
    let inner = terms.width(x);
    let outer = terms.width(c);
    let order = inner_order(op, kind);
    let extension = if kind == Kind::Zero { Op::ZeroExt(outer) } else { Op::SignExt(outer) };
    let low = mk(terms, Op::Extract(inner - 1, 0), &[c]);
    if mk(terms, extension, &[low]) == c {
        return mk(terms, order, &[x, low]);
    }
    // Here c is not a value of ext(x): what matters is how many values lie below it.
    let (least, greatest) = extremes(terms, order, inner);
    let (least, greatest) = (mk(terms, extension, &[least]), mk(terms, extension, &[greatest]));
    if mk(terms, op, &[greatest, c]) == terms.bool(true) {
        return terms.bool(true);
    }
    if mk(terms, op, &[c, least]) == terms.bool(true) {
        return terms.bool(false);
    }
    // Only the unsigned order of a sign extension has a gap in the middle: below it are the non-negative x.
    debug_assert!(kind == Kind::Sign && op == Op::BvUlt && !is_zero(terms, c) && !is_ones(terms, c));
    let (negative, _) = extremes(terms, Op::BvSlt, inner);
    mk(terms, Op::BvUlt, &[x, negative])
}
