//! Floats as words: comparisons of IEEE numbers as sets of bit patterns, and the preimages of float operators.
//!
//! Real solvers need up to seconds for one double; but the patterns that are below a constant are two intervals, and arithmetic
//! with a constant is monotone, so its preimage of an interval is found by bisection. Patterns are ordered by their *key*: the
//! numbers ascending, from the negative NaNs to the positive ones.
//!
//! **Invariant.** Sets of comparisons are exact. Preimages of arithmetic are marked as partial: they leave out NaNs, and nothing
//! is proved with them.

use xcute_term::eval::apply;
use xcute_term::{FloatFormat, Op, Sort, TermId, Terms, Value};

use super::preimage::Preimage;
use super::ranges::Ranges;
use crate::bound::{mask, sign_bit};

/// The patterns of a float format of at most 64 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Patterns(FloatFormat);

impl Patterns {
    /// Those of a sort, if it is a float of at most 64 bits.
    pub(crate) fn of(sort: Sort) -> Option<Patterns> {
        match sort {
            Sort::Float(format) if format.width() <= 64 => Some(Patterns(format)),
            _ => None,
        }
    }

    pub(crate) fn width(self) -> u32 {
        self.0.width()
    }

    /// The pattern of two to the given power, or of infinity.
    fn power(self, n: u32) -> u64 {
        let field = u64::from(n) + self.0.bias().unsigned_abs();
        if field < mask(self.0.exponent()) { field << (self.0.significand() - 1) } else { self.0.infinity() }
    }

    /// The position of a pattern in the ascending order of numbers.
    pub(crate) fn key(self, bits: u64) -> u64 {
        let sign = sign_bit(self.width());
        if bits & sign == 0 { bits | sign } else { !bits & mask(self.width()) }
    }

    /// The pattern at a position.
    pub(crate) fn bits(self, key: u64) -> u64 {
        let sign = sign_bit(self.width());
        if key & sign == 0 { !key & mask(self.width()) } else { key ^ sign }
    }

    /// The positions of minus and plus infinity, between which all numbers are.
    pub(crate) fn numbers(self) -> (u64, u64) {
        (self.key(self.0.infinity() | sign_bit(self.width())), self.key(self.0.infinity()))
    }

    /// The patterns whose keys are from `low` to `high`.
    fn between(self, low: u64, high: u64) -> Ranges {
        let (width, sign) = (self.width(), sign_bit(self.width()));
        let positive = Ranges::interval(width, low.max(sign), high).map(width, |a, b| Some((self.bits(a), self.bits(b))));
        let negative = Ranges::interval(width, low, high.min(sign - 1)).map(width, |a, b| Some((self.bits(b), self.bits(a))));
        positive.union(&negative)
    }

    /// The keys of patterns as sorted intervals, the numbers only.
    fn keys_of(self, patterns: &Ranges) -> Ranges {
        let (width, sign) = (self.width(), sign_bit(self.width()));
        let positive = patterns.intersect(&Ranges::interval(width, 0, sign - 1)).map(width, |a, b| Some((self.key(a), self.key(b))));
        let negative = patterns.intersect(&Ranges::interval(width, sign, mask(width))).map(width, |a, b| Some((self.key(b), self.key(a))));
        let (least, most) = self.numbers();
        positive.union(&negative).intersect(&Ranges::interval(width, least, most))
    }

    /// The roundest pattern of an interval near one of its ends: the one with the most zero bits.
    pub(crate) fn round(self, (low, high): (u64, u64), near: u64) -> u64 {
        let reach = 1 << (self.0.significand() - 3);
        let (low, high) = if near.abs_diff(low) <= near.abs_diff(high) {
            (low, high.min(low.saturating_add(reach)))
        } else {
            (low.max(high.saturating_sub(reach)), high)
        };
        if low == high {
            return low;
        }
        let differing = 63 - (low ^ high).leading_zeros();
        if low & ((1 << differing) - 1) == 0 { low } else { high & !((1 << differing) - 1) }
    }
}

/// The patterns of the floats that a condition compares; `None` where it compares none, or does more than that.
pub(crate) fn compared(terms: &Terms, condition: TermId) -> Option<Patterns> {
    let mut t = condition;
    while matches!(terms.op(t), Op::Not | Op::And) {
        t = terms.args(t)[0];
    }
    matches!(terms.op(t), Op::FpEq | Op::FpLt | Op::FpLe).then(|| Patterns::of(terms.sort(terms.args(t)[0])))?
}

/// The patterns `w` for which the comparison `w op k` (or `k op w` where `left` is false) is `want`.
pub(crate) fn wanted(op: Op, patterns: Patterns, k: u64, left: bool, want: bool) -> Ranges {
    let width = patterns.width();
    let (least, most) = patterns.numbers();
    let (minus_zero, plus_zero) = (patterns.key(sign_bit(width)), patterns.key(0));
    let key = patterns.key(k);
    // Both zeros are one number.
    let (from, to) = if key == minus_zero || key == plus_zero { (minus_zero, plus_zero) } else { (key, key) };
    let holds = if patterns.0.is_nan(k) {
        Ranges::empty(width)
    } else {
        match (op, left) {
            (Op::FpEq, _) => patterns.between(from, to),
            (Op::FpLt, true) => patterns.between(least, from - 1),
            (Op::FpLe, true) => patterns.between(least, to),
            (Op::FpLt, false) => patterns.between(to + 1, most),
            _ => patterns.between(from, most),
        }
    };
    if want { holds } else { without(&holds) }
}

/// All patterns that are not in a set.
fn without(set: &Ranges) -> Ranges {
    let (mut out, mut next) = (Ranges::empty(set.width()), Some(0u64));
    for &(a, b) in set.intervals() {
        if let Some(start) = next
            && start < a
        {
            out = out.union(&Ranges::interval(set.width(), start, a - 1));
        }
        next = b.checked_add(1).filter(|&n| n <= mask(set.width()));
    }
    match next {
        Some(start) => out.union(&Ranges::interval(set.width(), start, mask(set.width()))),
        None => out,
    }
}

/// The patterns for which a test (`FpIsNan`, `FpIsInf`, `FpIsZero`) is `want`.
pub(crate) fn tested(op: Op, patterns: Patterns, want: bool) -> Option<Ranges> {
    let (width, sign, infinity) = (patterns.width(), sign_bit(patterns.width()), patterns.0.infinity());
    let holds = match op {
        Op::FpIsZero => Ranges::points(width, [0, sign]),
        Op::FpIsInf => Ranges::points(width, [infinity, infinity | sign]),
        Op::FpIsNan => Ranges::interval(width, infinity + 1, sign - 1).union(&Ranges::interval(width, (infinity | sign) + 1, mask(width))),
        _ => return None,
    };
    Some(if want { holds } else { without(&holds) })
}

/// Undoes an operator that only moves bits.
pub(crate) fn moved(op: Op, target: &Ranges) -> Option<Ranges> {
    let sign = sign_bit(target.width());
    match op {
        Op::FpFromBits(..) | Op::FpToBits => Some(target.clone()),
        Op::FpNeg => Some(target.rotate(sign)),
        Op::FpAbs => {
            let positive = target.intersect(&Ranges::interval(target.width(), 0, sign - 1));
            Some(positive.rotate(sign).union(&positive))
        }
        _ => None,
    }
}

/// An operator with all arguments but one fixed.
pub(crate) struct Step<'a> {
    pub(crate) terms: &'a Terms,
    pub(crate) op: Op,
    pub(crate) result: Sort,
    /// The sort of the open argument.
    pub(crate) open: Sort,
    /// Whether the open argument is the first.
    pub(crate) left: bool,
    /// The other argument, where the operator has two.
    pub(crate) fixed: Option<Value>,
}

impl Step<'_> {
    /// The arguments whose results are in the target, where the operator is monotone.
    pub(crate) fn undo(&self, target: &Ranges) -> Option<Preimage> {
        let rising = self.rising()?;
        let (low, high) = self.domain()?;
        let (width, flip) = self.order(self.open)?;
        let mut set = Ranges::empty(width);
        let keys = match Patterns::of(self.result) {
            Some(patterns) => patterns.keys_of(target),
            None => target.rotate(self.order(self.result)?.1),
        };
        for &(a, b) in keys.intervals() {
            let (first, beyond) = if rising {
                (first(low, high, |x| self.at(x).map(|y| y >= a))?, first(low, high, |x| self.at(x).map(|y| y > b))?)
            } else {
                (first(low, high, |x| self.at(x).map(|y| y <= b))?, first(low, high, |x| self.at(x).map(|y| y < a))?)
            };
            let last = beyond.map_or(Some(high), |x| x.checked_sub(1));
            if let (Some(first), Some(last)) = (first, last)
                && first <= last
            {
                set = set.union(&match Patterns::of(self.open) {
                    Some(patterns) => patterns.between(first, last),
                    None => Ranges::interval(width, first, last).rotate(flip),
                });
            }
        }
        Some(Preimage { set, partial: true })
    }

    /// The width of a sort of words, and what to flip in a word to get its place in the order of numbers.
    fn order(&self, sort: Sort) -> Option<(u32, u64)> {
        let width = sort.width().filter(|&w| w <= 64)?;
        let unsigned = matches!(self.op, Op::FpFromUbv(..) | Op::FpToUbv(..));
        Some((width, if unsigned { 0 } else { sign_bit(width) }))
    }

    /// Whether results rise with the argument; `None` where they do neither.
    fn rising(&self) -> Option<bool> {
        let constant = || {
            let (patterns, bits) = (Patterns::of(self.result)?, self.fixed.as_ref()?.as_u64()?);
            let size = bits & (sign_bit(patterns.width()) - 1);
            (size != 0 && size < patterns.0.infinity()).then_some(bits == size)
        };
        match (self.op, self.left) {
            (Op::FpAdd(_), _) | (Op::FpSub(_), true) => constant().map(|_| true),
            (Op::FpSub(_), false) => constant().map(|_| false),
            (Op::FpMul(_), _) | (Op::FpDiv(_), true) => constant(),
            (Op::FpToFp(..) | Op::FpRound(_) | Op::FpSqrt(_) | Op::FpFromSbv(..) | Op::FpFromUbv(..), _) => Some(true),
            (Op::FpToSbv(..) | Op::FpToUbv(..), _) => Some(true),
            _ => None,
        }
    }

    /// The keys of the arguments for which the operator is monotone.
    fn domain(&self) -> Option<(u64, u64)> {
        let Some(patterns) = Patterns::of(self.open) else { return Some((0, mask(self.order(self.open)?.0))) };
        let (least, most) = patterns.numbers();
        Some(match self.op {
            Op::FpSqrt(_) => (patterns.key(0), most),
            Op::FpToSbv(_, w) => {
                let limit = patterns.power(w - 1);
                (patterns.key(limit | sign_bit(patterns.width())), patterns.key(limit) - 1)
            }
            Op::FpToUbv(_, w) => (patterns.key(0), patterns.key(patterns.power(w)) - 1),
            _ => (least, most),
        })
    }

    /// The key of the result for the argument with the given key; `None` for a NaN.
    fn at(&self, key: u64) -> Option<u64> {
        let word = match Patterns::of(self.open) {
            Some(patterns) => patterns.bits(key),
            None => key ^ self.order(self.open)?.1,
        };
        let open = Value::from_word(self.open, word);
        let args = match (&self.fixed, self.left) {
            (None, _) => vec![open],
            (Some(fixed), true) => vec![open, fixed.clone()],
            (Some(fixed), false) => vec![fixed.clone(), open],
        };
        let word = apply(self.terms, self.op, self.result, &args).as_u64()?;
        match Patterns::of(self.result) {
            Some(patterns) => (!patterns.0.is_nan(word)).then(|| patterns.key(word)),
            None => Some(word ^ self.order(self.result)?.1),
        }
    }
}

/// The first key from `low` to `high` for which a rising predicate holds (`Some(None)`: none does); `None` where it is undefined.
#[allow(clippy::option_option, reason = "no such key and no answer are different")]
fn first(low: u64, high: u64, holds: impl Fn(u64) -> Option<bool>) -> Option<Option<u64>> {
    if !holds(high)? {
        return Some(None);
    }
    let (mut low, mut high) = (low, high);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle)? { high = middle } else { low = middle + 1 }
    }
    Some(Some(low))
}
