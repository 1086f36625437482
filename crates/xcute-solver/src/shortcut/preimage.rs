//! Preimages: which arguments of one operator give a result in a set, the other argument being a constant.
//!
//! The one-operator steps of inversion. `None` means that the operator is not inverted. Where the preimage would be too many
//! intervals, a few of them near the old argument are given instead and the set is marked as partial.
//!
//! **Invariant.** Every word of a preimage gives a result in the set; a preimage not marked as partial has all such words.

use xcute_term::Op;

use super::ranges::Ranges;
use crate::bound::{mask, sign_bit};

/// A preimage.
pub(crate) struct Preimage {
    pub(crate) set: Ranges,
    /// Whether words may be missing.
    pub(crate) partial: bool,
}

impl Preimage {
    fn whole(set: Ranges) -> Preimage {
        Preimage { set, partial: false }
    }

    fn part(set: Ranges) -> Preimage {
        Preimage { set, partial: true }
    }
}

/// The argument of a binary operator, the other one being the constant `k`.
pub(crate) struct Open {
    /// Whether the argument is the first.
    pub(crate) left: bool,
    /// The argument's width.
    pub(crate) width: u32,
    /// The argument's word now.
    pub(crate) old: u64,
}

/// Undoes a binary operator.
pub(crate) fn binary(op: Op, open: &Open, k: u64, target: &Ranges) -> Option<Preimage> {
    let whole = |set| Some(Preimage::whole(set));
    match (op, open.left) {
        (Op::BvAdd, _) => whole(target.rotate(k.wrapping_neg())),
        (Op::BvSub, true) => whole(target.rotate(k)),
        (Op::BvSub, false) => whole(target.negate().rotate(k)),
        (Op::Concat, true) => whole(concat_high(target, target.width() - open.width, k)),
        (Op::Concat, false) => whole(concat_low(target, open.width, k)),
        (Op::BvXor, _) => Some(xor(target, k)),
        (Op::BvLshr, true) => whole(lshr(target, k)),
        (Op::BvAshr, true) => whole(ashr(target, k)),
        (Op::BvUdiv, true) => whole(udiv(target, k)),
        (Op::BvSdiv, true) => whole(sdiv(target, k)),
        (Op::BvMul, _) => Some(mul(target, k, open.old)),
        (Op::BvAnd, _) => Some(and(target, k, open.old)),
        (Op::BvOr, _) => Some(or(target, k, open.old)),
        (Op::BvShl, true) => Some(shl(target, k, open.old)),
        (Op::BvUrem, true) => Some(urem(target, k, open.old)),
        (Op::BvSrem, true) => Some(srem(target, k, open.old)),
        _ => None,
    }
}

/// Undoes an operator of one argument, which has the given width and word now.
pub(crate) fn unary(op: Op, width: u32, old: u64, target: &Ranges) -> Option<Preimage> {
    match op {
        Op::BvNot => Some(Preimage::whole(target.complement_words())),
        Op::BvNeg => Some(Preimage::whole(target.negate())),
        Op::ZeroExt(_) => Some(Preimage::whole(zero_ext(target, width))),
        Op::SignExt(_) => Some(Preimage::whole(sign_ext(target, width))),
        Op::Extract(high, low) => Some(extract(target, width, high, low, old)),
        _ => None,
    }
}

/// At most this many intervals of an exact preimage come from one of the target.
const ARCS: u64 = 16;
/// How many intervals an exact preimage may have at most: a chain of products, as in a number of many digits, would multiply them.
const ALL_ARCS: u64 = 32;

/// `x * k`.
fn mul(target: &Ranges, k: u64, old: u64) -> Preimage {
    let (width, m) = (target.width(), mask(target.width()));
    if k == 0 {
        return Preimage::whole(Ranges::all_if(width, target.contains(0)));
    }
    if target.is_points() && target.intervals().len() <= 4 {
        let parts = target.intervals().iter().map(|&(v, _)| factor(width, k, v, old));
        return parts.fold(Preimage::whole(Ranges::empty(width)), |sum, p| Preimage {
            set: sum.set.union(&p.set),
            partial: sum.partial || p.partial,
        });
    }
    let negative = k.wrapping_neg() & m;
    let few = |turns: u64| turns <= ARCS && turns * target.intervals().len() as u64 <= ALL_ARCS;
    if few(k) {
        return Preimage::whole(arcs(target, k, k));
    }
    if few(negative) {
        return Preimage::whole(arcs(&target.negate(), negative, negative));
    }
    // The numbers whose product does not overflow, above and below zero.
    let (k, target) = if negative < k { (negative, target.negate()) } else { (k, target.clone()) };
    Preimage::part(arcs(&target, k, 1).union(&arcs(&target.negate(), k, 1).negate()))
}

/// The words whose product with `k` is in the target after at most `turns - 1` overflows.
fn arcs(target: &Ranges, k: u64, turns: u64) -> Ranges {
    let (width, k) = (target.width(), u128::from(k));
    let mut out = Ranges::empty(width);
    for turn in 0..u128::from(turns) {
        let base = turn << width;
        out = out.union(&target.map(width, |a, b| {
            let low = (base + u128::from(a)).div_ceil(k);
            let high = (base + u128::from(b)) / k;
            Some((u64::try_from(low).ok()?, u64::try_from(high).ok()?)).filter(|&(_, h)| h <= mask(width))
        }));
    }
    out
}

/// The solutions of `x * k = v`.
fn factor(width: u32, k: u64, v: u64, old: u64) -> Preimage {
    let twos = k.trailing_zeros();
    if v.trailing_zeros() < twos {
        return Preimage::whole(Ranges::empty(width));
    }
    let odd = k >> twos;
    // Newton's iteration doubles the number of correct low bits of the inverse; an odd number is its own inverse modulo 8.
    let mut inverse = odd;
    for _ in 0..5 {
        inverse = inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)));
    }
    let low = mask(width - twos);
    let base = (v >> twos).wrapping_mul(inverse) & low;
    if twos <= 4 {
        return Preimage::whole(Ranges::points(width, (0..1u64 << twos).map(|j| base | j.checked_shl(width - twos).unwrap_or(0))));
    }
    Preimage::part(Ranges::points(width, [base, base | (old & mask(width) & !low)]))
}

/// `x >> by`, filling with zeros.
fn lshr(target: &Ranges, by: u64) -> Ranges {
    let width = target.width();
    if by >= u64::from(width) {
        return Ranges::all_if(width, target.contains(0));
    }
    let top = mask(width) >> by;
    target.map(width, |a, b| (a <= top).then(|| (a << by, (b.min(top) << by) | ((1 << by) - 1))))
}

/// `x >> by`, filling with the sign: that of `x - min` without a sign, moved back.
fn ashr(target: &Ranges, by: u64) -> Ranges {
    let width = target.width();
    let by = by.min(u64::from(width) - 1);
    let sign = sign_bit(width);
    lshr(&target.rotate(sign >> by), by).rotate(sign)
}

/// `x << by`.
fn shl(target: &Ranges, by: u64, old: u64) -> Preimage {
    let width = target.width();
    if by >= u64::from(width) {
        return Preimage::whole(Ranges::all_if(width, target.contains(0)));
    }
    mul(target, 1 << by, old)
}

/// `x / k`, unsigned.
fn udiv(target: &Ranges, k: u64) -> Ranges {
    let (width, m) = (target.width(), mask(target.width()));
    if k == 0 {
        return Ranges::all_if(width, target.contains(m));
    }
    target.map(width, |a, b| {
        let low = a.checked_mul(k).filter(|&low| low <= m)?;
        Some((low, b.checked_mul(k).and_then(|h| h.checked_add(k - 1)).map_or(m, |h| h.min(m))))
    })
}

/// `x / k`, signed and rounded to zero.
fn sdiv(target: &Ranges, k: u64) -> Ranges {
    let (width, sign) = (target.width(), sign_bit(target.width()));
    if k == 0 {
        // -1 for numbers from zero up, 1 for those below.
        let up = Ranges::all_if(width, target.contains(mask(width))).intersect(&Ranges::interval(width, 0, sign - 1));
        let down = Ranges::all_if(width, target.contains(1)).intersect(&Ranges::interval(width, sign, mask(width)));
        return up.union(&down);
    }
    let negative = k & sign != 0;
    let divisor = if negative { k.wrapping_neg() & mask(width) } else { k };
    let target = if negative { target.negate() } else { target.clone() };
    let half = |t: &Ranges, top: u64| {
        let results = t.intersect(&Ranges::interval(width, 0, top));
        udiv(&results, divisor).intersect(&Ranges::interval(width, 0, top))
    };
    half(&target, sign - 1).union(&half(&target.negate(), sign).negate())
}

/// `x % k`, unsigned: the same quotient as now, none, or one more.
fn urem(target: &Ranges, k: u64, old: u64) -> Preimage {
    let (width, m) = (target.width(), mask(target.width()));
    if k == 0 {
        return Preimage::whole(target.clone());
    }
    let target = target.intersect(&Ranges::interval(width, 0, k - 1));
    if target.is_empty() || target.intervals() == [(0, k - 1)] {
        return Preimage::whole(Ranges::all_if(width, !target.is_empty()));
    }
    let mut set = Ranges::empty(width);
    for quotient in [0, old / k, (old / k).wrapping_add(1)] {
        set = set.union(&target.map(width, |a, b| {
            let base = quotient.checked_mul(k)?;
            let low = base.checked_add(a).filter(|&low| low <= m)?;
            Some((low, base.checked_add(b).map_or(m, |h| h.min(m))))
        }));
    }
    Preimage::part(set)
}

/// `x % k`, signed: the remainder has the sign of `x`.
fn srem(target: &Ranges, k: u64, old: u64) -> Preimage {
    let (width, m, sign) = (target.width(), mask(target.width()), sign_bit(target.width()));
    if k == 0 {
        return Preimage::whole(target.clone());
    }
    let divisor = if k & sign != 0 { k.wrapping_neg() & m } else { k };
    let size = if old & sign != 0 { old.wrapping_neg() & m } else { old };
    let half = |t: &Ranges, top: u64| {
        let p = urem(&t.intersect(&Ranges::interval(width, 0, sign - 1)), divisor, size);
        (p.set.intersect(&Ranges::interval(width, 0, top)), p.partial)
    };
    let ((up, a), (down, b)) = (half(target, sign - 1), half(&target.negate(), sign));
    Preimage { set: up.union(&down.negate()), partial: a || b }
}

/// `x & k`, keeping the bits of the old argument that `k` hides.
fn and(target: &Ranges, k: u64, old: u64) -> Preimage {
    let (width, m) = (target.width(), mask(target.width()));
    let hidden = m & !k;
    if k == 0 {
        return Preimage::whole(Ranges::all_if(width, target.contains(0)));
    }
    if hidden & hidden.wrapping_add(1) == 0 {
        // The hidden bits are the low ones: every result stands for a block of arguments.
        return Preimage::whole(target.map(width, |a, b| {
            let low = a.checked_add(hidden)? & k;
            (low >= a && low <= m && low <= b).then_some((low, (b & k) | hidden))
        }));
    }
    let kept = old & hidden;
    if k & k.wrapping_add(1) == 0 {
        // The hidden bits are the high ones.
        let inside = target.intersect(&Ranges::interval(width, 0, k));
        let partial = !inside.is_empty();
        return Preimage { set: inside.map(width, |a, b| Some((kept | a, kept | b))), partial };
    }
    let words = target.intervals().iter().filter_map(|&(a, b)| least_within(k, a).filter(|&v| v <= b));
    let set = Ranges::points(width, words.map(|v| kept | v));
    let partial = !set.is_empty();
    Preimage { set, partial }
}

/// The least word from `low` up that has only bits of `bits`.
fn least_within(bits: u64, low: u64) -> Option<u64> {
    let extra = low & !bits;
    if extra == 0 {
        return Some(low);
    }
    // Above the highest bit that is not allowed, the next allowed zero bit must become one; all below may be zero.
    let above = 63 - extra.leading_zeros();
    let free = bits & !low & !(u64::MAX >> (63 - above));
    if free == 0 {
        return None;
    }
    let bit = 1u64 << free.trailing_zeros();
    Some((low & bits & !(bit - 1)) | bit)
}

/// `x | k`: the complement of `!x & !k`.
fn or(target: &Ranges, k: u64, old: u64) -> Preimage {
    let m = mask(target.width());
    let p = and(&target.complement_words(), m & !k, m & !old);
    Preimage { set: p.set.complement_words(), partial: p.partial }
}

/// `x ^ k`.
fn xor(target: &Ranges, k: u64) -> Preimage {
    let (width, m) = (target.width(), mask(target.width()));
    if k == sign_bit(width) {
        return Preimage::whole(target.rotate(k));
    }
    if k == m {
        return Preimage::whole(target.complement_words());
    }
    if k == 0 || target.intervals() == [(0, m)] {
        return Preimage::whole(target.clone());
    }
    let ends = target.intervals().iter().flat_map(|&(a, b)| [a ^ k, b ^ k]);
    Preimage { set: Ranges::points(width, ends), partial: !target.is_points() }
}

/// Bits `low..=high` of a wider `x`, whose other bits above stay those of the old argument.
fn extract(target: &Ranges, from: u32, high: u32, low: u32, old: u64) -> Preimage {
    if target.intervals() == [(0, mask(target.width()))] {
        return Preimage::whole(Ranges::full(from));
    }
    let above = if high + 1 >= from { 0 } else { old & mask(from) & !mask(high + 1) };
    let below = (1u64 << low) - 1;
    let set = target.map(from, |a, b| Some((above | a << low, above | b << low | below)));
    let partial = high + 1 < from && !target.is_empty();
    Preimage { set, partial }
}

/// `x` extended with zeros from the given width.
fn zero_ext(target: &Ranges, from: u32) -> Ranges {
    target.map(from, |a, b| Some((a, b.min(mask(from)))))
}

/// `x` extended with its sign from the given width: the extension with zeros of `x - min`, moved back.
fn sign_ext(target: &Ranges, from: u32) -> Ranges {
    zero_ext(&target.rotate(sign_bit(from)), from).rotate(sign_bit(from))
}

/// The high part `x` of a concatenation whose low part, of the given width, is `k`.
fn concat_high(target: &Ranges, below: u32, k: u64) -> Ranges {
    target.map(target.width() - below, |a, b| {
        let high = b.checked_sub(k)? >> below;
        let low = a.saturating_sub(k);
        Some(((low >> below) + u64::from(low & mask(below) != 0), high))
    })
}

/// The low part `x` of a concatenation whose high part is `k`, `x` having the given width.
fn concat_low(target: &Ranges, width: u32, k: u64) -> Ranges {
    let base = k << width;
    let inside = target.intersect(&Ranges::interval(target.width(), base, base | mask(width)));
    inside.map(width, |a, b| Some((a - base, b - base)))
}

#[cfg(test)]
mod tests;
