//! Backward: what a condition that holds says about the terms in it.

use super::Intervals;
use super::bounds::Bounds;
use super::transfer::is_bounded;
use crate::bits::mask;
use crate::{Op, Sort, TermId, Terms};

/// Takes over that the Boolean term `t` has the value `holds`.
pub(super) fn assume(intervals: &mut Intervals, terms: &Terms, t: TermId, holds: bool) {
    // Most conditions are one comparison: the list stays without memory.
    let (mut next, mut open) = (Some((t, holds)), vec![]);
    let mut visits = 0;
    while let Some((t, holds)) = next.take().or_else(|| open.pop()) {
        visits += 1;
        if visits > super::MAX_VISITS {
            return;
        }
        if !intervals.restrict(terms, t, Bounds::boolean(Some(holds))) && intervals.contradiction {
            return;
        }
        // A comparison and its mirror image are each other's negation.
        if let (&[a, b], Some(op)) = (terms.args(t), crate::rewrite::mirrored(terms.op(t)))
            && let Some(mirror) = terms.find(op, &[b, a])
        {
            intervals.restrict(terms, mirror, Bounds::boolean(Some(!holds)));
        }
        match (terms.op(t), terms.args(t), holds) {
            (Op::Not, &[a], _) => open.push((a, !holds)),
            (Op::And, args, true) => open.extend(args.iter().map(|&a| (a, true))),
            (Op::And, args, false) => open.extend(last_open(intervals, terms, args).map(|a| (a, false))),
            (Op::Eq, &[a, b], _) if terms.sort(a) == Sort::Bool => {
                let truths = (intervals.bounds(terms, a).truth(), intervals.bounds(terms, b).truth());
                open.extend(truths.0.map(|value| (b, value == holds)));
                open.extend(truths.1.map(|value| (a, value == holds)));
            }
            (Op::Eq, &[a, b], true) if is_bounded(terms.sort(a)) => {
                let (x, y) = (intervals.bounds(terms, a), intervals.bounds(terms, b));
                restrict(intervals, terms, a, y);
                restrict(intervals, terms, b, x);
            }
            (Op::Eq, &[a, b], false) if is_bounded(terms.sort(a)) => {
                differ(intervals, terms, a, b);
                differ(intervals, terms, b, a);
            }
            (op @ (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle), &[a, b], _) if is_bounded(terms.sort(a)) => {
                let strict = matches!(op, Op::BvUlt | Op::BvSlt);
                let signed = matches!(op, Op::BvSlt | Op::BvSle);
                let (small, large, strict) = if holds { (a, b, strict) } else { (b, a, !strict) };
                order(intervals, terms, small, large, (strict, signed));
            }
            _ => {}
        }
    }
}

/// The only conjunct that is not known to be true, if there is exactly one.
fn last_open(intervals: &mut Intervals, terms: &Terms, args: &[TermId]) -> Option<TermId> {
    let mut last = None;
    for &a in args {
        match (intervals.bounds(terms, a).truth(), last) {
            (Some(true), _) => {}
            (None, None) => last = Some(a),
            _ => return None,
        }
    }
    last
}

/// `small < large` or `small <= large`.
fn order(intervals: &mut Intervals, terms: &Terms, small: TermId, large: TermId, (strict, signed): (bool, bool)) {
    let (x, y) = (intervals.bounds(terms, small), intervals.bounds(terms, large));
    let full = Bounds::full(terms.sort(small));
    let (below, above) = if signed {
        let one = i64::from(strict);
        if strict && (y.signed.hi == full.signed.lo || x.signed.lo == full.signed.hi) {
            intervals.contradiction = true;
            return;
        }
        (full.with_signed(full.signed.lo, y.signed.hi - one), full.with_signed(x.signed.lo + one, full.signed.hi))
    } else {
        let one = u64::from(strict);
        if strict && (y.unsigned.hi == 0 || x.unsigned.lo == full.unsigned.hi) {
            intervals.contradiction = true;
            return;
        }
        (full.with_unsigned(0, y.unsigned.hi - one), full.with_unsigned(x.unsigned.lo + one, full.unsigned.hi))
    };
    restrict(intervals, terms, small, below);
    restrict(intervals, terms, large, above);
}

/// `a` is not `b`: says something where `b` has one value and that is an end of `a`'s interval.
fn differ(intervals: &mut Intervals, terms: &Terms, a: TermId, b: TermId) {
    let (mut x, y) = (intervals.bounds(terms, a), intervals.bounds(terms, b));
    if y.unsigned.lo != y.unsigned.hi {
        return;
    }
    let (word, value) = (y.unsigned.lo, y.to_signed(y.unsigned.lo));
    if x.unsigned.lo == word && x.unsigned.hi == word {
        intervals.contradiction = true;
        return;
    }
    x.unsigned.lo += u64::from(x.unsigned.lo == word);
    x.unsigned.hi -= u64::from(x.unsigned.hi == word);
    if x.signed.lo < x.signed.hi {
        x.signed.lo += i64::from(x.signed.lo == value);
        x.signed.hi -= i64::from(x.signed.hi == value);
    }
    restrict(intervals, terms, a, x);
}

/// Bounds a term, and what stands inside it as far as it can be inverted.
fn restrict(intervals: &mut Intervals, terms: &Terms, mut t: TermId, mut bounds: Bounds) {
    while intervals.restrict(terms, t, bounds) {
        let known = intervals.bounds(terms, t);
        let u = known.unsigned;
        let Some((inner, next)) = inverted(intervals, terms, t, known) else { return };
        if let (Op::Concat, &[_, low]) = (terms.op(t), terms.args(t)) {
            // One high part only: then the low part is bounded too.
            let below = mask(terms.width(low));
            if u.lo & !below == u.hi & !below && terms.width(low) < 64 {
                intervals.restrict(terms, low, Bounds::unsigned(terms.sort(low), u.lo & below, u.hi & below));
            }
        }
        (t, bounds) = (inner, next);
    }
}

/// For a term with one argument that matters: that argument and its bounds.
fn inverted(intervals: &mut Intervals, terms: &Terms, t: TermId, known: Bounds) -> Option<(TermId, Bounds)> {
    let (u, s) = (known.unsigned, known.signed);
    let width = known.width;
    let word = |k: TermId| terms.as_u64(k);
    // The unsigned and the signed interval, each moved as a wrapped one.
    let moved = |f: &dyn Fn(u64) -> u64, falling: bool| {
        let turn = |lo: u64, hi: u64| if falling { Bounds::wrapped(width, f(hi), f(lo)) } else { Bounds::wrapped(width, f(lo), f(hi)) };
        turn(u.lo, u.hi).meet(turn(s.lo.cast_unsigned(), s.hi.cast_unsigned()))
    };
    match (terms.op(t), terms.args(t)) {
        (Op::BvAdd, &[x, k]) => {
            let k = word(k)?;
            Some((x, moved(&|w| w.wrapping_sub(k), false)?))
        }
        (Op::BvSub, &[k, x]) if terms.is_const(k) => {
            let k = word(k)?;
            Some((x, moved(&|w| k.wrapping_sub(w), true)?))
        }
        (Op::BvNeg, &[x]) => Some((x, moved(&u64::wrapping_neg, true)?)),
        (Op::BvNot, &[x]) => Some((x, moved(&|w| !w, true)?)),
        (Op::ZeroExt(_), &[x]) => {
            let hi = u.hi.min(mask(terms.width(x)));
            (u.lo <= hi).then(|| (x, Bounds::unsigned(terms.sort(x), u.lo, hi)))
        }
        (Op::SignExt(_), &[x]) => {
            let full = Bounds::full(terms.sort(x));
            let (lo, hi) = (s.lo.max(full.signed.lo), s.hi.min(full.signed.hi));
            (lo <= hi).then(|| (x, full.with_signed(lo, hi)))
        }
        (Op::Concat, &[high, low]) if terms.width(low) < 64 => {
            Some((high, Bounds::unsigned(terms.sort(high), u.lo >> terms.width(low), u.hi >> terms.width(low))))
        }
        (Op::Extract(hi, lo), &[x]) if is_bounded(terms.sort(x)) => {
            if hi + 1 == terms.width(x) {
                return Some((x, Bounds::unsigned(terms.sort(x), u.lo << lo, (u.hi << lo) | mask(lo))));
            }
            // The low bits of a term that has no others are the term.
            let whole = intervals.bounds(terms, x);
            if lo == 0 && whole.unsigned.hi <= mask(width) {
                return Some((x, Bounds::unsigned(terms.sort(x), u.lo, u.hi)));
            }
            let full = Bounds::of_width(width);
            let same = lo == 0 && whole.signed.lo >= full.signed.lo && whole.signed.hi <= full.signed.hi;
            same.then(|| (x, Bounds::full(terms.sort(x)).with_signed(s.lo, s.hi)))
        }
        (Op::BvUdiv, &[x, k]) => {
            let k = word(k).filter(|&k| k > 0)?;
            let top = mask(width);
            let high = u128::from(u.hi) * u128::from(k) + u128::from(k - 1);
            let low = u128::from(u.lo) * u128::from(k);
            (low <= u128::from(top)).then(|| (x, Bounds::unsigned(terms.sort(x), low as u64, high.min(top.into()) as u64)))
        }
        _ => None,
    }
}
