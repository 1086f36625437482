//! Rules for operators that change the width: concatenation, extraction, extension.
//!
//! Extensions stand outermost, concatenations nest to the right, extractions sit directly on what they cannot see through.
//! So a word that was stored as bytes and loaded again is the same term as before.

use super::{both, is_ones, is_zero, mk, only, zero};
use crate::ids::TermId;
use crate::op::Op;
use crate::terms::Terms;
use crate::value::Value;

/// Rules for `high ++ low`.
pub(super) fn concat(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    let width = terms.width(high) + terms.width(low);
    if is_zero(terms, high) {
        return Some(mk(terms, Op::ZeroExt(width), &[low]));
    }
    if let Some((h, m)) = both(terms, Op::Concat, high) {
        let rest = mk(terms, Op::Concat, &[m, low]);
        return Some(mk(terms, Op::Concat, &[h, rest]));
    }
    if let Some(t) = joined(terms, high, low) {
        return Some(t);
    }
    if let Some((m, l)) = both(terms, Op::Concat, low)
        && let Some(front) = joined(terms, high, m)
    {
        return Some(mk(terms, Op::Concat, &[front, l]));
    }
    // An extension of the high part is an extension of the whole.
    match (terms.op(high), terms.args(high)) {
        (Op::ZeroExt(_), &[x]) => {
            let inner = mk(terms, Op::Concat, &[x, low]);
            Some(mk(terms, Op::ZeroExt(width), &[inner]))
        }
        (Op::SignExt(_), &[x]) => {
            let inner = mk(terms, Op::Concat, &[x, low]);
            Some(mk(terms, Op::SignExt(width), &[inner]))
        }
        _ => None,
    }
}

/// One term for two neighbours: constants, adjacent parts of one term, copies of the sign before what they extend.
fn joined(terms: &mut Terms, high: TermId, low: TermId) -> Option<TermId> {
    let width = terms.width(high) + terms.width(low);
    if terms.is_const(high) && terms.is_const(low) {
        return Some(mk(terms, Op::Concat, &[high, low]));
    }
    let bit = sign_copies(terms, high)?;
    if let (Op::Extract(hi, lo), Op::Extract(next, last)) = (terms.op(high), terms.op(low))
        && lo == next + 1
        && terms.args(high) == terms.args(low)
    {
        let x = terms.args(high)[0];
        return Some(mk(terms, Op::Extract(hi, last), &[x]));
    }
    let (bit, x) = (
        bit?,
        match (terms.op(low), terms.args(low)) {
            (Op::SignExt(_), &[x]) => x,
            _ => low,
        },
    );
    // `bit` is (y, i): high consists of copies of bit i of y. Is that the sign of x?
    let sign = match (terms.op(x), terms.args(x)) {
        (Op::Extract(hi, _), &[y]) => (y, hi),
        _ => (x, terms.width(x) - 1),
    };
    (sign == bit).then(|| mk(terms, Op::SignExt(width), &[x]))
}

/// For a term that may be the upper neighbour of a join: `Some(Some((y, i)))` where it is copies of bit `i` of `y`,
/// `Some(None)` where it is another extraction.
fn sign_copies(terms: &Terms, t: TermId) -> Option<Option<(TermId, u32)>> {
    match (terms.op(t), terms.args(t)) {
        (Op::Extract(hi, lo), &[y]) => Some((hi == lo).then_some((y, hi))),
        (Op::SignExt(_), &[bit]) => match (terms.op(bit), terms.args(bit)) {
            (Op::Extract(hi, lo), &[y]) if hi == lo => Some(Some((y, hi))),
            _ => (terms.width(bit) == 1).then_some(Some((bit, 0))),
        },
        _ => (terms.width(t) == 1).then_some(Some((t, 0))),
    }
}

/// Rules for bits `hi..=lo` of a term.
pub(super) fn extract(terms: &mut Terms, hi: u32, lo: u32, x: TermId) -> Option<TermId> {
    let width = terms.width(x);
    let count = hi - lo + 1;
    if count == width {
        return Some(x);
    }
    match (terms.op(x), terms.args(x)) {
        (Op::Extract(_, base), &[y]) => Some(mk(terms, Op::Extract(hi + base, lo + base), &[y])),
        (Op::Concat, &[h, l]) => {
            let split = terms.width(l);
            Some(if lo >= split {
                mk(terms, Op::Extract(hi - split, lo - split), &[h])
            } else if hi < split {
                mk(terms, Op::Extract(hi, lo), &[l])
            } else {
                let (h, l) = (mk(terms, Op::Extract(hi - split, 0), &[h]), mk(terms, Op::Extract(split - 1, lo), &[l]));
                mk(terms, Op::Concat, &[h, l])
            })
        }
        (op @ (Op::ZeroExt(_) | Op::SignExt(_)), &[y]) => {
            let inner = terms.width(y);
            let zeros = matches!(op, Op::ZeroExt(_));
            if hi < inner {
                return Some(mk(terms, Op::Extract(hi, lo), &[y]));
            }
            if lo >= inner && zeros {
                return Some(zero(terms, count));
            }
            let part = mk(terms, Op::Extract(inner - 1, lo.min(inner - 1)), &[y]);
            Some(mk(terms, if zeros { Op::ZeroExt(count) } else { Op::SignExt(count) }, &[part]))
        }
        // A mask that is constant over the extracted bits disappears or decides; any other stays whole.
        (op @ (Op::BvAnd | Op::BvOr | Op::BvXor), &[y, k]) if terms.is_const(k) => {
            let part = mk(terms, Op::Extract(hi, lo), &[k]);
            match (op, is_zero(terms, part), is_ones(terms, part)) {
                (Op::BvAnd, true, _) | (Op::BvOr, _, true) => Some(part),
                (Op::BvAnd, _, true) | (Op::BvOr | Op::BvXor, true, _) => Some(mk(terms, Op::Extract(hi, lo), &[y])),
                _ => None,
            }
        }
        _ => None,
    }
}

pub(super) fn zero_extend(terms: &mut Terms, to: u32, x: TermId) -> Option<TermId> {
    if terms.width(x) == to {
        return Some(x);
    }
    match (terms.op(x), terms.args(x)) {
        (Op::ZeroExt(_), &[y]) => Some(mk(terms, Op::ZeroExt(to), &[y])),
        _ => None,
    }
}

pub(super) fn sign_extend(terms: &mut Terms, to: u32, x: TermId) -> Option<TermId> {
    if terms.width(x) == to {
        return Some(x);
    }
    match (terms.op(x), terms.args(x)) {
        (Op::SignExt(_), &[y]) => Some(mk(terms, Op::SignExt(to), &[y])),
        (Op::ZeroExt(_), &[y]) => Some(mk(terms, Op::ZeroExt(to), &[y])),
        _ => None,
    }
}

/// How many low bits of a term are certainly zero, as far as concatenations and extensions show.
pub(super) fn trailing_zeros(terms: &Terms, mut t: TermId) -> u32 {
    loop {
        t = match (terms.op(t), terms.args(t)) {
            (Op::Concat, &[_, low]) => low,
            (Op::ZeroExt(_) | Op::SignExt(_), &[x]) => x,
            _ => break,
        };
    }
    match terms.as_value(t) {
        Some(Value::Bits(bits)) => {
            let zeros = bits.to_big().trailing_zeros().unwrap_or(u64::from(bits.width()));
            u32::try_from(zeros).unwrap_or(u32::MAX)
        }
        _ => 0,
    }
}

/// Above how many low bits a term is certainly zero, as far as its top node shows.
pub(super) fn significant(terms: &Terms, t: TermId) -> u32 {
    match terms.as_value(t) {
        Some(Value::Bits(bits)) => u32::try_from(bits.to_big().bits()).unwrap_or(u32::MAX),
        _ => only(terms, Op::ZeroExt(terms.width(t)), t).map_or(terms.width(t), |x| terms.width(x)),
    }
}
