//! Intervals of integers of any size.
//!
//! **Invariant.** Ends are included; an end that is missing is not known.

use num_bigint::BigInt;

/// The least and the greatest value of an integer, as far as they are known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Whole {
    lo: Option<BigInt>,
    hi: Option<BigInt>,
}

impl Whole {
    pub(super) fn only(n: BigInt) -> Whole {
        Whole { lo: Some(n.clone()), hi: Some(n) }
    }

    pub(super) fn between(lo: BigInt, hi: BigInt) -> Whole {
        Whole { lo: Some(lo), hi: Some(hi) }
    }

    pub(super) fn from(lo: BigInt) -> Whole {
        Whole { lo: Some(lo), hi: None }
    }

    /// Both ends, where both are known.
    pub(super) fn ends(self) -> Option<(BigInt, BigInt)> {
        Some((self.lo?, self.hi?))
    }

    pub(super) fn is_empty(&self) -> bool {
        matches!((&self.lo, &self.hi), (Some(lo), Some(hi)) if lo > hi)
    }

    pub(super) fn and(self, other: Whole) -> Whole {
        let tighter = |a: Option<BigInt>, b: Option<BigInt>, of: fn(BigInt, BigInt) -> BigInt| match (a, b) {
            (Some(a), Some(b)) => Some(of(a, b)),
            (a, b) => a.or(b),
        };
        Whole { lo: tighter(self.lo, other.lo, Ord::max), hi: tighter(self.hi, other.hi, Ord::min) }
    }

    pub(super) fn plus(self, other: &Whole) -> Whole {
        let sum = |a: Option<BigInt>, b: &Option<BigInt>| Some(a? + b.as_ref()?);
        Whole { lo: sum(self.lo, &other.lo), hi: sum(self.hi, &other.hi) }
    }

    pub(super) fn negated(self) -> Whole {
        Whole { lo: self.hi.map(|n| -n), hi: self.lo.map(|n| -n) }
    }

    /// Everything that is not above the greatest, or is below it.
    pub(super) fn down(self, strictly: bool) -> Whole {
        Whole { lo: None, hi: self.hi.map(|n| n - i32::from(strictly)) }
    }

    /// Everything that is not below the least, or is above it.
    pub(super) fn up(self, strictly: bool) -> Whole {
        Whole { lo: self.lo.map(|n| n + i32::from(strictly)), hi: None }
    }

    /// Whether all values come before those of another, or at the same place; `None` where that is not known.
    pub(super) fn is_below(&self, other: &Whole, strictly: bool) -> Option<bool> {
        let before = |a: &Option<BigInt>, b: &Option<BigInt>, strictly: bool| match (a, b) {
            (Some(a), Some(b)) => a < b || !strictly && a == b,
            _ => false,
        };
        if before(&self.hi, &other.lo, strictly) {
            return Some(true);
        }
        before(&other.hi, &self.lo, !strictly).then_some(false)
    }
}
