//! Rules for arithmetic, bitwise operators and shifts of bit-vectors.
//!
//! Constants are gathered at the right end of a chain. Shifts by constants and masks that are one run of ones become
//! extractions, extensions and concatenations, so that bytes taken out of a word and put together again give the word.

use super::{both, is_one, is_ones, is_zero, mk, only, width, zero};
use crate::ids::TermId;
use crate::op::Op;
use crate::terms::Terms;

/// Rules for `BvNot` and `BvNeg`.
pub(super) fn unary(terms: &mut Terms, op: Op, a: TermId) -> Option<TermId> {
    match (op, terms.op(a), terms.args(a)) {
        (Op::BvNot, Op::BvNot, &[x]) | (Op::BvNeg, Op::BvNeg, &[x]) => Some(x),
        (Op::BvNeg, Op::BvSub, &[x, y]) => Some(mk(terms, Op::BvSub, &[y, x])),
        (Op::BvNeg, Op::BvAdd, &[x, k]) if terms.is_const(k) => {
            let k = mk(terms, Op::BvNeg, &[k]);
            Some(mk(terms, Op::BvSub, &[k, x]))
        }
        (Op::BvNot, Op::BvXor, &[x, k]) if terms.is_const(k) => {
            let k = mk(terms, Op::BvNot, &[k]);
            Some(mk(terms, Op::BvXor, &[x, k]))
        }
        _ => None,
    }
}

/// Rules for the binary operators; of commutative ones, a constant stands right.
pub(super) fn binary(terms: &mut Terms, op: Op, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    match op {
        Op::BvAdd => add(terms, a, b).or_else(|| disjoint(terms, a, b)),
        Op::BvSub => sub(terms, width, a, b),
        Op::BvMul => mul(terms, width, a, b),
        Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => divide(terms, op, width, a, b),
        Op::BvShl | Op::BvLshr | Op::BvAshr => shift(terms, op, width, a, b),
        Op::BvAnd => and(terms, width, a, b).or_else(|| flags(terms, op, a, b)),
        Op::BvOr => or(terms, width, a, b).or_else(|| flags(terms, op, a, b)).or_else(|| disjoint(terms, a, b)),
        Op::BvXor => xor(terms, width, a, b).or_else(|| flags(terms, op, a, b)).or_else(|| disjoint(terms, a, b)),
        _ => None,
    }
}

fn add(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if is_zero(terms, b) {
        return Some(a);
    }
    if terms.is_const(b) {
        // (k - x) + b is (k + b) - x.
        if let Some((k, x)) = both(terms, Op::BvSub, a)
            && terms.is_const(k)
        {
            let k = mk(terms, Op::BvAdd, &[k, b]);
            return Some(mk(terms, Op::BvSub, &[k, x]));
        }
        return gather(terms, Op::BvAdd, a, b);
    }
    for (s, t) in [(a, b), (b, a)] {
        // (x + k) + t is (x + t) + k.
        if let Some((x, k)) = both(terms, Op::BvAdd, s)
            && terms.is_const(k)
        {
            let sum = mk(terms, Op::BvAdd, &[x, t]);
            return Some(mk(terms, Op::BvAdd, &[sum, k]));
        }
        if let Some(x) = only(terms, Op::BvNeg, s) {
            return Some(mk(terms, Op::BvSub, &[t, x]));
        }
        if let Some((x, y)) = both(terms, Op::BvSub, s) {
            if y == t {
                return Some(x);
            }
            // (k - y) + t is (t - y) + k.
            if terms.is_const(x) {
                let difference = mk(terms, Op::BvSub, &[t, y]);
                return Some(mk(terms, Op::BvAdd, &[difference, x]));
            }
        }
    }
    None
}

/// `(x op k) op b` is `x op (k op b)`.
fn gather(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let (x, k) = both(terms, op, a)?;
    if !terms.is_const(k) || !terms.is_const(b) {
        return None;
    }
    let k = mk(terms, op, &[k, b]);
    Some(mk(terms, op, &[x, k]))
}

fn sub(terms: &mut Terms, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(zero(terms, width));
    }
    if terms.is_const(b) {
        let minus = mk(terms, Op::BvNeg, &[b]);
        return Some(mk(terms, Op::BvAdd, &[a, minus]));
    }
    if is_zero(terms, a) {
        return Some(mk(terms, Op::BvNeg, &[b]));
    }
    if let Some(y) = only(terms, Op::BvNeg, b) {
        return Some(mk(terms, Op::BvAdd, &[a, y]));
    }
    if let Some((x, y)) = both(terms, Op::BvAdd, b) {
        if x == a || y == a {
            return Some(mk(terms, Op::BvNeg, &[if x == a { y } else { x }]));
        }
        if terms.is_const(y) {
            let difference = mk(terms, Op::BvSub, &[a, x]);
            return Some(mk(terms, Op::BvSub, &[difference, y]));
        }
    }
    if let Some((x, y)) = both(terms, Op::BvAdd, a) {
        if x == b || y == b {
            return Some(if x == b { y } else { x });
        }
        if terms.is_const(y) {
            let difference = mk(terms, Op::BvSub, &[x, b]);
            return Some(mk(terms, Op::BvAdd, &[difference, y]));
        }
    }
    match (both(terms, Op::BvSub, a), both(terms, Op::BvSub, b)) {
        // (x - y) - x is -y; a - (a - y) is y.
        (Some((x, y)), _) if x == b => Some(mk(terms, Op::BvNeg, &[y])),
        (_, Some((x, y))) if x == a => Some(y),
        // a - (k - y) is (a + y) - k.
        (_, Some((k, y))) if terms.is_const(k) => {
            let sum = mk(terms, Op::BvAdd, &[a, y]);
            Some(mk(terms, Op::BvSub, &[sum, k]))
        }
        // (k - y) - b is k - (y + b).
        (Some((k, y)), _) if terms.is_const(k) => {
            let sum = mk(terms, Op::BvAdd, &[y, b]);
            Some(mk(terms, Op::BvSub, &[k, sum]))
        }
        _ => None,
    }
}

fn mul(terms: &mut Terms, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if is_zero(terms, b) {
        return Some(zero(terms, width));
    }
    if is_one(terms, b) {
        return Some(a);
    }
    if is_ones(terms, b) {
        return Some(mk(terms, Op::BvNeg, &[a]));
    }
    gather(terms, Op::BvMul, a, b)
}

fn divide(terms: &mut Terms, op: Op, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    let unsigned = matches!(op, Op::BvUdiv | Op::BvUrem);
    let quotient = matches!(op, Op::BvUdiv | Op::BvSdiv);
    // Of one bit, the signed 1 is -1.
    if is_one(terms, b) && (unsigned || width > 1) {
        return Some(if quotient { a } else { zero(terms, width) });
    }
    if is_zero(terms, b) && !quotient {
        return Some(a);
    }
    if is_zero(terms, b) && op == Op::BvUdiv {
        return Some(super::ones(terms, width));
    }
    if is_ones(terms, b) && !unsigned {
        return Some(if quotient { mk(terms, Op::BvNeg, &[a]) } else { zero(terms, width) });
    }
    let power = terms.as_u64(b).filter(|k| unsigned && k.is_power_of_two())?;
    if quotient {
        let by = terms.bv(width, power.trailing_zeros().into());
        Some(mk(terms, Op::BvLshr, &[a, by]))
    } else {
        let mask = terms.bv(width, power - 1);
        Some(mk(terms, Op::BvAnd, &[a, mask]))
    }
}

fn shift(terms: &mut Terms, op: Op, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if is_zero(terms, b) || is_zero(terms, a) || (op == Op::BvAshr && is_ones(terms, a)) {
        return Some(a);
    }
    let by = match terms.as_value(b)? {
        crate::Value::Bits(bits) => u32::try_from(bits.to_big()).unwrap_or(u32::MAX).min(width),
        _ => return None,
    };
    Some(match op {
        Op::BvAshr => {
            let top = mk(terms, Op::Extract(width - 1, by.min(width - 1)), &[a]);
            mk(terms, Op::SignExt(width), &[top])
        }
        _ if by == width => zero(terms, width),
        Op::BvLshr => {
            let high = mk(terms, Op::Extract(width - 1, by), &[a]);
            mk(terms, Op::ZeroExt(width), &[high])
        }
        _ => {
            let (low, zeros) = (mk(terms, Op::Extract(width - 1 - by, 0), &[a]), zero(terms, by));
            mk(terms, Op::Concat, &[low, zeros])
        }
    })
}

fn and(terms: &mut Terms, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if a == b || is_ones(terms, b) {
        return Some(a);
    }
    if is_zero(terms, b) || opposite(terms, a, b) {
        return Some(zero(terms, width));
    }
    if let Some((lo, hi)) = terms.as_u64(b).and_then(|k| run_of_ones(k, width)) {
        let field = mk(terms, Op::Extract(hi, lo), &[a]);
        let extended = mk(terms, Op::ZeroExt(width - lo), &[field]);
        if lo == 0 {
            return Some(extended);
        }
        let zeros = zero(terms, lo);
        return Some(mk(terms, Op::Concat, &[extended, zeros]));
    }
    absorbed(terms, Op::BvAnd, a, b).or_else(|| gather(terms, Op::BvAnd, a, b))
}

/// The positions of the lowest and the highest one, where the ones are one run.
fn run_of_ones(word: u64, width: u32) -> Option<(u32, u32)> {
    let lo = word.trailing_zeros();
    let run = (word >> lo.min(63)).trailing_ones();
    let one_run = word != 0 && lo + run + word.leading_zeros() == 64 && lo + run <= width;
    one_run.then(|| (lo, lo + run - 1))
}

fn or(terms: &mut Terms, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if a == b || is_zero(terms, b) {
        return Some(a);
    }
    if is_ones(terms, b) || opposite(terms, a, b) {
        return Some(super::ones(terms, width));
    }
    absorbed(terms, Op::BvOr, a, b).or_else(|| gather(terms, Op::BvOr, a, b))
}

fn xor(terms: &mut Terms, width: u32, a: TermId, b: TermId) -> Option<TermId> {
    if a == b {
        return Some(zero(terms, width));
    }
    if is_zero(terms, b) {
        return Some(a);
    }
    if is_ones(terms, b) {
        return Some(mk(terms, Op::BvNot, &[a]));
    }
    for (s, t) in [(a, b), (b, a)] {
        if let Some(x) = only(terms, Op::BvNot, s) {
            let inner = mk(terms, Op::BvXor, &[x, t]);
            return Some(mk(terms, Op::BvNot, &[inner]));
        }
        if let Some((x, y)) = both(terms, Op::BvXor, s) {
            if x == t || y == t {
                return Some(if x == t { y } else { x });
            }
            if terms.is_const(y) && !terms.is_const(t) {
                let inner = mk(terms, Op::BvXor, &[x, t]);
                return Some(mk(terms, Op::BvXor, &[inner, y]));
            }
        }
    }
    gather(terms, Op::BvXor, a, b)
}

/// `(x op y) op x` is `x op y`, for and, or.
fn absorbed(terms: &Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    [(a, b), (b, a)].into_iter().find_map(|(s, t)| both(terms, op, s).filter(|&(x, y)| x == t || y == t).map(|_| s))
}

fn opposite(terms: &Terms, a: TermId, b: TermId) -> bool {
    only(terms, Op::BvNot, a) == Some(b) || only(terms, Op::BvNot, b) == Some(a)
}

/// And, or, exclusive or of truth values that C holds in integers: the same of the conditions.
fn flags(terms: &mut Terms, op: Op, a: TermId, b: TermId) -> Option<TermId> {
    let (c, d) = (flag(terms, a)?, flag(terms, b)?);
    let (yes, no) = if c.1 { (1, 2) } else { (2, 1) };
    let (one, zero) = (terms.args(a)[yes], terms.args(a)[no]);
    let p = if c.1 { c.0 } else { terms.not(c.0) };
    let q = if d.1 { d.0 } else { terms.not(d.0) };
    let condition = match op {
        Op::BvAnd => mk(terms, Op::And, &[p, q]),
        Op::BvOr => mk(terms, Op::Or, &[p, q]),
        _ => {
            let same = mk(terms, Op::Eq, &[p, q]);
            terms.not(same)
        }
    };
    Some(mk(terms, Op::Ite, &[condition, one, zero]))
}

/// For `c ? 1 : 0` the condition and true, for `c ? 0 : 1` the condition and false.
fn flag(terms: &Terms, t: TermId) -> Option<(TermId, bool)> {
    match (terms.op(t), terms.args(t)) {
        (Op::Ite, &[c, x, y]) if is_one(terms, x) && is_zero(terms, y) => Some((c, true)),
        (Op::Ite, &[c, x, y]) if is_zero(terms, x) && is_one(terms, y) => Some((c, false)),
        _ => None,
    }
}

/// A sum, or, or exclusive or of terms that share no bit (`high` ends in zeros, `low` starts with them) is a concatenation.
fn disjoint(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    if terms.is_const(b) {
        return None;
    }
    for (high, low) in [(a, b), (b, a)] {
        let room = width::trailing_zeros(terms, high);
        if room > 0 && width::significant(terms, low) <= room {
            let high = mk(terms, Op::Extract(terms.width(a) - 1, room), &[high]);
            let low = mk(terms, Op::Extract(room - 1, 0), &[low]);
            return Some(mk(terms, Op::Concat, &[high, low]));
        }
    }
    None
}
