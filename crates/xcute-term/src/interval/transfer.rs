//! Forward: the bounds of a term from those of its arguments.

use super::bounds::Bounds;
use crate::bits::mask;
use crate::{Op, Sort, TermId, Terms};

/// Whether bounds are kept for terms of a sort.
pub(super) fn is_bounded(sort: Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::BitVec(1..=64))
}

/// Whether the bounds of a term depend on those of its arguments.
pub(super) fn looks_inside(terms: &Terms, t: TermId) -> bool {
    is_bounded(terms.sort(t)) && terms.args(t).iter().all(|&a| is_bounded(terms.sort(a)))
}

/// The bounds of `t`, `known` giving those of its arguments.
pub(super) fn forward(terms: &Terms, t: TermId, known: impl Fn(TermId) -> Bounds) -> Bounds {
    let full = Bounds::full(terms.sort(t));
    if let Some(word) = terms.as_u64(t) {
        return if is_bounded(terms.sort(t)) { full.with_unsigned(word, word) } else { full };
    }
    if !looks_inside(terms, t) {
        return full;
    }
    let args = terms.args(t);
    match (terms.op(t), args) {
        (Op::And, _) => Bounds::boolean(conjunction(args.iter().map(|&a| known(a).truth()))),
        (Op::Or, _) => Bounds::boolean(conjunction(args.iter().map(|&a| known(a).truth().map(|b| !b))).map(|b| !b)),
        (Op::Not, &[a]) => Bounds::boolean(known(a).truth().map(|b| !b)),
        (Op::Ite, &[c, a, b]) => match known(c).truth() {
            Some(true) => known(a),
            Some(false) => known(b),
            None => known(a).join(known(b)),
        },
        (Op::Eq | Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, &[a, b]) => {
            let outside = terms.op(t) == Op::Eq && outside_domain(terms, a, b);
            Bounds::boolean(if outside { Some(false) } else { compare(terms.op(t), known(a), known(b)) })
        }
        (op, &[a]) => unary(op, full, known(a)),
        (op, &[a, b]) => binary(op, full, known(a), known(b)),
        _ => full,
    }
}

/// Whether `a` is a variable with a domain that does not hold the constant `b`.
fn outside_domain(terms: &Terms, a: TermId, b: TermId) -> bool {
    match (terms.op(a), terms.as_u64(b)) {
        (Op::Var(var), Some(word)) => terms.domain(var).is_some_and(|domain| domain.binary_search(&word).is_err()),
        _ => false,
    }
}

fn conjunction(truths: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut all = Some(true);
    for truth in truths {
        match truth {
            Some(false) => return Some(false),
            None => all = None,
            Some(true) => {}
        }
    }
    all
}

/// Whether a comparison is decided by the bounds of its sides.
fn compare(op: Op, a: Bounds, b: Bounds) -> Option<bool> {
    let (u, v, s, t) = (a.unsigned, b.unsigned, a.signed, b.signed);
    let decided = |yes: bool, no: bool| {
        if yes {
            Some(true)
        } else if no {
            Some(false)
        } else {
            None
        }
    };
    match op {
        Op::Eq => decided(u.lo == u.hi && u == v, u.hi < v.lo || v.hi < u.lo || s.hi < t.lo || t.hi < s.lo),
        Op::BvUlt => decided(u.hi < v.lo, u.lo >= v.hi),
        Op::BvUle => decided(u.hi <= v.lo, u.lo > v.hi),
        Op::BvSlt => decided(s.hi < t.lo, s.lo >= t.hi),
        _ => decided(s.hi <= t.lo, s.lo > t.hi),
    }
}

fn unary(op: Op, full: Bounds, a: Bounds) -> Bounds {
    let (u, s) = (a.unsigned, a.signed);
    match op {
        Op::BvNot => Bounds::wrapped(full.width, !u.hi, !u.lo).meet(full.with_signed(!s.hi, !s.lo)).unwrap_or(full),
        Op::BvNeg => negated(full, a),
        Op::ZeroExt(_) => full.with_unsigned(u.lo, u.hi),
        Op::SignExt(_) => full.with_signed(s.lo, s.hi),
        Op::Extract(_, lo) => {
            let (low, high) = (u.lo >> lo, u.hi >> lo);
            let same_above = full.width >= 64 || low >> full.width == high >> full.width;
            let by_unsigned = if same_above { full.with_unsigned(low & mask(full.width), high & mask(full.width)) } else { full };
            let fits = lo == 0 && s.lo >= full.signed.lo && s.hi <= full.signed.hi;
            if fits { by_unsigned.meet(full.with_signed(s.lo, s.hi)).unwrap_or(full) } else { by_unsigned }
        }
        _ => full,
    }
}

fn negated(full: Bounds, a: Bounds) -> Bounds {
    let (u, s) = (a.unsigned, a.signed);
    let by_unsigned = Bounds::wrapped(full.width, u.hi.wrapping_neg(), u.lo.wrapping_neg());
    if s.lo > full.signed.lo { by_unsigned.meet(full.with_signed(-s.hi, -s.lo)).unwrap_or(full) } else { by_unsigned }
}

fn binary(op: Op, full: Bounds, a: Bounds, b: Bounds) -> Bounds {
    let (u, v) = (a.unsigned, b.unsigned);
    let top = mask(full.width);
    match op {
        Op::BvAdd => sum(full, (u.lo.into(), v.lo.into()), (u.hi.into(), v.hi.into()), a, b, false),
        Op::BvSub => sum(full, (u.lo.into(), -i128::from(v.hi)), (u.hi.into(), -i128::from(v.lo)), a, b, true),
        Op::BvMul => product(full, a, b),
        Op::BvUdiv => match (v.lo, v.hi) {
            (_, 0) => full.with_unsigned(top, top),
            (0, _) => full.with_unsigned(u.lo / v.hi, top),
            _ => full.with_unsigned(u.lo / v.hi, u.hi / v.lo),
        },
        // A remainder is at most the dividend, also by zero.
        Op::BvUrem if u.hi < v.lo => full.with_unsigned(u.lo, u.hi),
        Op::BvUrem if v.lo > 0 => full.with_unsigned(0, u.hi.min(v.hi - 1)),
        Op::BvUrem => full.with_unsigned(0, u.hi),
        Op::BvSdiv => signed_quotient(full, a, b),
        Op::BvSrem => signed_remainder(full, a, b),
        Op::BvShl => {
            let shifted = |word: u64, by: u64| u128::from(word) << by.min(64);
            let fits = v.hi < u64::from(full.width) && shifted(u.hi, v.hi) <= u128::from(top);
            if fits { full.with_unsigned(u.lo << v.lo, u.hi << v.hi) } else { full }
        }
        Op::BvLshr => {
            let shifted = |word: u64, by: u64| if by >= u64::from(full.width) { 0 } else { word >> by };
            full.with_unsigned(shifted(u.lo, v.hi), shifted(u.hi, v.lo))
        }
        Op::BvAshr => {
            let shifted = |value: i64, by: u64| value >> by.min(63);
            let (lo, hi) = (a.signed.lo, a.signed.hi);
            let least = shifted(lo, if lo < 0 { v.lo } else { v.hi });
            let greatest = shifted(hi, if hi < 0 { v.hi } else { v.lo });
            full.with_signed(least, greatest)
        }
        Op::BvAnd => full.with_unsigned(0, u.hi.min(v.hi)),
        Op::BvOr => full.with_unsigned(u.lo.max(v.lo), filled(u.hi | v.hi)),
        Op::BvXor => full.with_unsigned(0, filled(u.hi | v.hi)),
        Op::Concat => full.with_unsigned((u.lo << b.width) | v.lo, (u.hi << b.width) | v.hi),
        _ => full,
    }
}

/// The least number of the form 2^k - 1 that is not below `word`.
fn filled(word: u64) -> u64 {
    u64::MAX.checked_shr(word.leading_zeros()).unwrap_or(0)
}

/// `a + b` or `a - b`; `low` and `high` are the unsigned parts to add for the two ends.
fn sum(full: Bounds, low: (i128, i128), high: (i128, i128), a: Bounds, b: Bounds, minus: bool) -> Bounds {
    let size = i128::from(mask(full.width)) + 1;
    let (lo, hi) = (low.0 + low.1, high.0 + high.1);
    let by_unsigned = within(lo, hi, 0, size).map_or(full, |(lo, hi)| full.with_unsigned(lo as u64, hi as u64));
    let (s, t) = (a.signed, b.signed);
    let (lo, hi) = if minus {
        (i128::from(s.lo) - i128::from(t.hi), i128::from(s.hi) - i128::from(t.lo))
    } else {
        (i128::from(s.lo) + i128::from(t.lo), i128::from(s.hi) + i128::from(t.hi))
    };
    match within(lo, hi, -size / 2, size) {
        Some((lo, hi)) => by_unsigned.meet(full.with_signed(lo as i64, hi as i64)).unwrap_or(full),
        None => by_unsigned,
    }
}

/// Moves `lo..=hi` by a multiple of `size` into `from..from + size`, if both ends move by the same.
fn within(lo: i128, hi: i128, from: i128, size: i128) -> Option<(i128, i128)> {
    let turns = (lo - from).div_euclid(size);
    ((hi - from).div_euclid(size) == turns).then(|| (lo - turns * size, hi - turns * size))
}

fn product(full: Bounds, a: Bounds, b: Bounds) -> Bounds {
    let (u, v, s, t) = (a.unsigned, b.unsigned, a.signed, b.signed);
    let high = u128::from(u.hi) * u128::from(v.hi);
    let by_unsigned = if high <= u128::from(mask(full.width)) { full.with_unsigned(u.lo * v.lo, high as u64) } else { full };
    let corners = [(s.lo, t.lo), (s.lo, t.hi), (s.hi, t.lo), (s.hi, t.hi)].map(|(x, y)| i128::from(x) * i128::from(y));
    let (lo, hi) = (corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0));
    if lo >= full.signed.lo.into() && hi <= full.signed.hi.into() {
        by_unsigned.meet(full.with_signed(lo as i64, hi as i64)).unwrap_or(full)
    } else {
        by_unsigned
    }
}

fn signed_quotient(full: Bounds, a: Bounds, b: Bounds) -> Bounds {
    let (s, t) = (a.signed, b.signed);
    // By zero, and the one quotient that does not fit, are left to others.
    let overflows = s.lo == full.signed.lo && t.lo <= -1 && t.hi >= -1;
    if (t.lo <= 0 && t.hi >= 0) || overflows {
        return full;
    }
    let corners = [s.lo / t.lo, s.lo / t.hi, s.hi / t.lo, s.hi / t.hi];
    full.with_signed(corners.into_iter().min().unwrap_or(0), corners.into_iter().max().unwrap_or(0))
}

fn signed_remainder(full: Bounds, a: Bounds, b: Bounds) -> Bounds {
    let (s, t) = (a.signed, b.signed);
    // The sign is the dividend's and the magnitude at most the dividend's, also by zero.
    let (lo, hi) = (s.lo.min(0), s.hi.max(0));
    if t.lo <= 0 && t.hi >= 0 {
        return full.with_signed(lo, hi);
    }
    let largest = (t.lo.unsigned_abs().max(t.hi.unsigned_abs()) - 1).min(i64::MAX as u64).cast_signed();
    full.with_signed(lo.max(-largest), hi.min(largest))
}
