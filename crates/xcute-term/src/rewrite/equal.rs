//! Rules for equality.
//!
//! An equation with a constant is solved outwards in: what can be inverted on the left moves to the constant, so conditions
//! that different code writes differently meet in one term, and most end as `variable = constant`.

use super::step::Step;
use super::{arith, bools, both, data, is_one, is_zero, mk, only, strings};
use crate::ids::TermId;
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::Terms;

/// Rules for `a = b`; a constant stands right.
pub(super) fn eq(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(terms.bool(true));
    }
    match terms.sort(a) {
        Sort::Bool => eq_bool(terms, a, b),
        Sort::BitVec(_) | Sort::Int | Sort::Real if terms.is_const(b) => eq_constant(terms, a, b),
        Sort::BitVec(_) => eq_bits(terms, a, b),
        Sort::Int | Sort::Real => arith::eq(terms, a, b),
        Sort::Str => strings::eq(terms, a, b),
        Sort::Data(_) => data::eq(terms, a, b),
        Sort::Float(..) => None,
    }
}

fn eq_bool(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(value) = terms.as_u64(b) {
        return Some(if value == 1 { a } else { terms.not(a) });
    }
    let (na, nb) = (bools::is_negative(terms, a), bools::is_negative(terms, b));
    let x = if na { terms.not(a) } else { a };
    let y = if nb { terms.not(b) } else { b };
    if x == y {
        return Some(terms.bool(na == nb));
    }
    if !na && !nb {
        return None;
    }
    let same = mk(terms, Op::Eq, &[x, y]);
    Some(if na == nb { same } else { terms.not(same) })
}

fn eq_constant(terms: &mut Terms, mut x: TermId, mut c: TermId) -> Option<TermId> {
    let start = x;
    loop {
        let step = if matches!(terms.sort(x), Sort::BitVec(_)) { invert(terms, x, c) } else { arith::invert(terms, x, c) };
        match step {
            Step::Next(y, k) => (x, c) = (y, k),
            Step::Done(t) => return Some(t),
            Step::Stuck if x == start => return None,
            Step::Stuck => return Some(mk(terms, Op::Eq, &[x, c])),
        }
    }
}

fn invert(terms: &mut Terms, x: TermId, c: TermId) -> Step {
    let op = terms.op(x);
    match (op, terms.args(x)) {
        (Op::BvNot | Op::BvNeg, &[y]) => Step::Next(y, mk(terms, op, &[c])),
        (Op::BvAdd, &[y, k]) if terms.is_const(k) => Step::Next(y, mk(terms, Op::BvSub, &[c, k])),
        (Op::BvSub, &[k, y]) if terms.is_const(k) => Step::Next(y, mk(terms, Op::BvSub, &[k, c])),
        (Op::BvXor, &[y, k]) if terms.is_const(k) => Step::Next(y, mk(terms, Op::BvXor, &[c, k])),
        (Op::BvMul, &[y, k]) => match terms.as_u64(k) {
            Some(odd) if odd & 1 == 1 => {
                let inverse = terms.bv(terms.width(k), inverse(odd));
                Step::Next(y, mk(terms, Op::BvMul, &[c, inverse]))
            }
            _ => Step::Stuck,
        },
        (Op::BvSub | Op::BvXor, &[y, z]) if is_zero(terms, c) => Step::Done(mk(terms, Op::Eq, &[y, z])),
        (Op::BvOr, &[y, z]) if is_zero(terms, c) => {
            let (p, q) = (mk(terms, Op::Eq, &[y, c]), mk(terms, Op::Eq, &[z, c]));
            Step::Done(mk(terms, Op::And, &[p, q]))
        }
        (Op::BvOr | Op::BvAnd, &[_, k]) if terms.is_const(k) => {
            // Bits that the mask forces must be as forced.
            let forced = mk(terms, op, &[c, k]);
            if forced == c { Step::Stuck } else { Step::Done(terms.bool(false)) }
        }
        (Op::ZeroExt(_) | Op::SignExt(_), &[y]) => {
            let low = mk(terms, Op::Extract(terms.width(y) - 1, 0), &[c]);
            if mk(terms, op, &[low]) == c { Step::Next(y, low) } else { Step::Done(terms.bool(false)) }
        }
        (Op::Concat, &[high, low]) => invert_concat(terms, high, low, c),
        (Op::Extract(hi, lo), &[y]) => invert_extract(terms, hi, lo, y, c),
        _ if terms.sort(x) == Sort::BitVec(1) && is_zero(terms, c) => {
            let one = terms.bv(1, 1);
            let set = mk(terms, Op::Eq, &[x, one]);
            Step::Done(terms.not(set))
        }
        _ => Step::Stuck,
    }
}

fn invert_concat(terms: &mut Terms, high: TermId, low: TermId, c: TermId) -> Step {
    let split = terms.width(low);
    let c_high = mk(terms, Op::Extract(terms.width(c) - 1, split), &[c]);
    let c_low = mk(terms, Op::Extract(split - 1, 0), &[c]);
    match (terms.is_const(high), terms.is_const(low)) {
        (true, _) if high == c_high => Step::Next(low, c_low),
        (_, true) if low == c_low => Step::Next(high, c_high),
        (false, false) => {
            let (p, q) = (mk(terms, Op::Eq, &[high, c_high]), mk(terms, Op::Eq, &[low, c_low]));
            Step::Done(mk(terms, Op::And, &[p, q]))
        }
        _ => Step::Done(terms.bool(false)),
    }
}

fn invert_extract(terms: &mut Terms, hi: u32, lo: u32, y: TermId, c: TermId) -> Step {
    let width = terms.width(y);
    if lo == 0
        && let Some((z, k)) = both(terms, Op::BvAdd, y)
        && terms.is_const(k)
    {
        // The low bits of a sum depend on the low bits of its arguments only.
        let (z, k) = (mk(terms, Op::Extract(hi, 0), &[z]), mk(terms, Op::Extract(hi, 0), &[k]));
        return Step::Next(z, mk(terms, Op::BvSub, &[c, k]));
    }
    if hi == lo && is_zero(terms, c) {
        let (bit, one) = (mk(terms, Op::Extract(hi, lo), &[y]), terms.bv(1, 1));
        let set = mk(terms, Op::Eq, &[bit, one]);
        return Step::Done(terms.not(set));
    }
    if lo == width - 1 && is_one(terms, c) {
        let zero = super::zero(terms, width);
        return Step::Done(mk(terms, Op::BvSlt, &[y, zero]));
    }
    Step::Stuck
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each round doubles the correct low bits, from 3.
fn inverse(odd: u64) -> u64 {
    (0..5).fold(odd, |x, _| x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x))))
}

/// Equations between bit-vectors that are not constants.
fn eq_bits(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for op in [Op::BvNot, Op::BvNeg] {
        if let (Some(x), Some(y)) = (only(terms, op, a), only(terms, op, b)) {
            return Some(mk(terms, Op::Eq, &[x, y]));
        }
    }
    cancel(terms, a, b).or_else(|| eq_extended(terms, a, b)).or_else(|| {
        if let (Some((h, l)), Some((i, m))) = (both(terms, Op::Concat, a), both(terms, Op::Concat, b))
            && terms.width(l) == terms.width(m)
        {
            let (p, q) = (mk(terms, Op::Eq, &[h, i]), mk(terms, Op::Eq, &[l, m]));
            return Some(mk(terms, Op::And, &[p, q]));
        }
        match (terms.op(a), terms.args(a), terms.op(b), terms.args(b)) {
            // The two arms of a choice in normal form differ.
            (Op::Ite, &[c, x, y], Op::Ite, &[d, z, w]) if (x, y) == (z, w) && terms.is_const(x) && terms.is_const(y) => {
                Some(mk(terms, Op::Eq, &[c, d]))
            }
            _ => None,
        }
    })
}

/// Removes what both sides add, subtract or xor.
fn cancel(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    for op in [Op::BvAdd, Op::BvXor] {
        for (s, t) in [(a, b), (b, a)] {
            let Some((p, q)) = both(terms, op, s) else { continue };
            if p == t || q == t {
                let zero = super::zero(terms, terms.width(s));
                return Some(mk(terms, Op::Eq, &[if p == t { q } else { p }, zero]));
            }
        }
        let (Some((p, q)), Some((r, s))) = (both(terms, op, a), both(terms, op, b)) else { continue };
        for (x, y, z, w) in [(p, q, r, s), (p, q, s, r), (q, p, r, s), (q, p, s, r)] {
            if x == z {
                return Some(mk(terms, Op::Eq, &[y, w]));
            }
        }
        if terms.is_const(q) && terms.is_const(s) {
            // The constant goes to the younger of the two bases, so that the form does not depend on who asks.
            let (old, young, constants) = if p < r { (p, r, [s, q]) } else { (r, p, [q, s]) };
            let difference = mk(terms, if op == Op::BvAdd { Op::BvSub } else { op }, &constants);
            let young = mk(terms, op, &[young, difference]);
            return Some(mk(terms, Op::Eq, &[old, young]));
        }
    }
    let ((p, q), (r, s)) = (both(terms, Op::BvSub, a)?, both(terms, Op::BvSub, b)?);
    if p == r {
        Some(mk(terms, Op::Eq, &[q, s]))
    } else if q == s {
        Some(mk(terms, Op::Eq, &[p, r]))
    } else {
        None
    }
}

/// Equations between two extensions of one kind, at the larger of the two inner widths.
fn eq_extended(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let (&[x], &[y]) = (terms.args(a), terms.args(b)) else { return None };
    let extended: fn(u32) -> Op = match (terms.op(a), terms.op(b)) {
        (Op::ZeroExt(_), Op::ZeroExt(_)) => Op::ZeroExt,
        (Op::SignExt(_), Op::SignExt(_)) => Op::SignExt,
        _ => return None,
    };
    let op = extended(terms.width(x).max(terms.width(y)));
    let (x, y) = (mk(terms, op, &[x]), mk(terms, op, &[y]));
    Some(mk(terms, Op::Eq, &[x, y]))
}
