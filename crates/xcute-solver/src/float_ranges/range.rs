//! Ranges of floats: what is known of an IEEE number of single or double precision.
//!
//! Besides the least and the greatest number, a range knows whether zero is in it, how small the others can be, and of which power of two
//! all are multiples. So `x - 5` for `x > 3` is zero or at least 2^-51, and `1 / (x - 5)` does not overflow. [`Range::sum`] has the
//! reason: the difference of two floats is exact where they are near each other (Sterbenz, "Floating-point computation", 1974), and large
//! where they are not.
//!
//! **Invariant.** A range has every value that is possible. Bounds are computed with the rounding of the operation, which is monotone.

use xcute_term::FloatFormat;

/// What is known of the value of a float. The sign of a zero is not known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    single: bool,
    /// Whether it may be no number.
    pub(super) nan: bool,
    /// The least and the greatest number; none is possible where they are in the wrong order.
    pub(super) lo: f64,
    pub(super) hi: f64,
    /// Whether it may be zero.
    pub(super) zero: bool,
    /// What is not zero is at least so large, whatever its sign.
    least: f64,
    /// What is finite is a multiple of two to this power.
    grain: i32,
}

/// The grain of zero, which is a multiple of everything.
const COARSEST: i32 = 4096;

impl Range {
    /// Everything of a format; `None` for formats that are neither single nor double precision.
    pub(super) fn any(format: FloatFormat) -> Option<Range> {
        let single = format == FloatFormat::SINGLE;
        (single || format == FloatFormat::DOUBLE).then(|| {
            let range = Range { single, nan: true, lo: f64::NEG_INFINITY, hi: f64::INFINITY, zero: true, least: 0.0, grain: 0 };
            Range { least: range.smallest(), grain: range.finest(), ..range }
        })
    }

    /// Any number from `lo` to `hi`.
    pub(super) fn numbers(self, lo: f64, hi: f64) -> Range {
        let least = self.smallest();
        Range { nan: false, lo, hi, zero: lo <= 0.0 && hi >= 0.0, least, grain: self.finest(), ..self }.reduced()
    }

    /// Integers from `lo` to `hi`, rounded to the format.
    pub(super) fn integers(self, lo: f64, hi: f64) -> Range {
        Range { least: 1.0, grain: 0, ..self.numbers(lo, hi) }.reduced()
    }

    /// One number, or no number.
    pub(super) fn of(self, value: f64) -> Range {
        if value.is_nan() {
            return Range { lo: 1.0, hi: -1.0, zero: false, nan: true, ..self };
        }
        let mut range = self.numbers(value, value);
        if value == 0.0 {
            range.grain = COARSEST;
        } else if value.is_finite() {
            // An odd number times two to the power of the grain.
            range.grain = exponent(value) - (52 - significand(value).trailing_zeros().cast_signed());
        }
        range.reduced()
    }

    /// Whether the format is single precision.
    pub(super) fn is_single(self) -> bool {
        self.single
    }

    fn smallest(self) -> f64 {
        if self.single { f32::from_bits(1).into() } else { f64::from_bits(1) }
    }

    fn finest(self) -> i32 {
        if self.single { -149 } else { -1074 }
    }

    fn digits(self) -> i32 {
        if self.single { 23 } else { 52 }
    }

    /// Rounds to the nearest number of the format.
    #[allow(clippy::cast_possible_truncation, reason = "this is the rounding")]
    fn round(self, value: f64) -> f64 {
        if self.single { f64::from(value as f32) } else { value }
    }

    /// The next number below.
    #[allow(clippy::cast_possible_truncation, reason = "a number of single precision")]
    pub(super) fn below(self, value: f64) -> f64 {
        if self.single { f64::from((value as f32).next_down()) } else { value.next_down() }
    }

    /// The next number above.
    pub(super) fn above(self, value: f64) -> f64 {
        -self.below(-value)
    }

    /// Whether a number is possible.
    pub(super) fn has_numbers(self) -> bool {
        self.lo <= self.hi
    }

    /// Whether there is nothing that it can be.
    pub(super) fn is_empty(self) -> bool {
        !self.nan && !self.has_numbers()
    }

    /// Whether it may be plus or minus infinity.
    pub(super) fn infinite(self) -> bool {
        self.has_numbers() && (self.lo == f64::NEG_INFINITY || self.hi == f64::INFINITY)
    }

    /// The largest it can be, whatever its sign.
    fn most(self) -> f64 {
        if self.has_numbers() { self.lo.abs().max(self.hi.abs()) } else { 0.0 }
    }

    /// What each part says of the others.
    fn reduced(mut self) -> Range {
        if self.has_numbers() {
            self.zero &= self.lo <= 0.0 && self.hi >= 0.0;
            if self.lo > 0.0 {
                self.least = self.least.max(self.lo);
            }
            if self.hi < 0.0 {
                self.least = self.least.max(-self.hi);
            }
            if self.least.is_finite() {
                self.grain = self.grain.max(exponent(self.least) - self.digits());
            }
            self.grain = self.grain.max(self.finest());
            self.least = self.least.max(power(self.grain));
            // No other number is between zero and the least.
            if !self.zero && self.lo > -self.least && self.lo < self.least {
                self.lo = self.least;
            }
            if !self.zero && self.hi < self.least && self.hi > -self.least {
                self.hi = -self.least;
            }
        }
        self.zero &= self.has_numbers();
        self
    }

    /// What both say.
    pub(super) fn and(self, other: Range) -> Range {
        let (lo, hi) = (self.lo.max(other.lo), self.hi.min(other.hi));
        let (least, grain) = (self.least.max(other.least), self.grain.max(other.grain));
        Range { nan: self.nan && other.nan, lo, hi, zero: self.zero && other.zero, least, grain, ..self }.reduced()
    }

    /// One of the two.
    pub(super) fn or(self, other: Range) -> Range {
        let nan = self.nan || other.nan;
        match (self.has_numbers(), other.has_numbers()) {
            (false, _) => Range { nan, ..other },
            (_, false) => Range { nan, ..self },
            _ => {
                let (lo, hi) = (self.lo.min(other.lo), self.hi.max(other.hi));
                let (least, grain) = (self.least.min(other.least), self.grain.min(other.grain));
                Range { nan, lo, hi, zero: self.zero || other.zero, least, grain, ..self }.reduced()
            }
        }
    }

    /// The same numbers, and perhaps none.
    pub(super) fn or_nan(self, nan: bool) -> Range {
        Range { nan, ..self }
    }

    /// The same without zero.
    pub(super) fn without_zero(self) -> Range {
        Range { zero: false, ..self }.reduced()
    }

    /// A result that is a number only where its arguments are.
    fn result(self, others: &[Range], nan: bool, lo: f64, hi: f64) -> Range {
        let nan = nan || others.iter().any(|range| range.nan);
        if others.iter().any(|range| !range.has_numbers()) {
            return Range { nan, lo: 1.0, hi: -1.0, zero: false, ..self };
        }
        Range { nan, ..self.numbers(lo, hi) }
    }

    /// A sum. Where both are within a factor of two it is exact, and a multiple of what both are multiples of; elsewhere it is at least
    /// half of the larger one.
    pub(super) fn sum(self, other: Range) -> Range {
        let opposite = self.infinite() && other.infinite();
        let bound = |a: f64, b: f64, none: f64| if (a + b).is_nan() { none } else { self.round(a + b) };
        let (lo, hi) = (bound(self.lo, other.lo, f64::NEG_INFINITY), bound(self.hi, other.hi, f64::INFINITY));
        let larger = [self, other].into_iter().filter(|range| !range.zero).map(|range| range.least).fold(0.0, f64::max);
        let half = self.round(larger / 2.0);
        let near = if half > 0.0 && half.is_finite() { power((exponent(half) - self.digits()).max(self.finest())) } else { 0.0 };
        let sum = self.result(&[self, other], opposite, lo, hi);
        let grain = self.grain.min(other.grain);
        Range { least: sum.least.max(near.min(half)), grain: sum.grain.max(grain), ..sum }.reduced()
    }

    /// The same with the other sign.
    pub(super) fn negated(self) -> Range {
        Range { lo: -self.hi, hi: -self.lo, ..self }
    }

    /// The same without a sign.
    pub(super) fn magnitude(self) -> Range {
        match self.lo >= 0.0 {
            true => self,
            false if self.hi <= 0.0 => self.negated(),
            false => Range { lo: 0.0, hi: self.most(), ..self }.reduced(),
        }
    }

    pub(super) fn product(self, other: Range) -> Range {
        let nan = self.zero && other.infinite() || self.infinite() && other.zero;
        let (lo, hi) = self.corners(other, |a, b| if a == 0.0 || b == 0.0 { 0.0 } else { self.round(a * b) });
        let least = self.round(self.least * other.least);
        let product = self.result(&[self, other], nan, lo, hi);
        let zero = product.zero && (self.zero || other.zero || least == 0.0);
        Range { zero, least: product.least.max(least), grain: product.grain.max(self.grain.saturating_add(other.grain)), ..product }
            .reduced()
    }

    pub(super) fn quotient(self, other: Range) -> Range {
        let nan = self.zero && other.zero || self.infinite() && other.infinite();
        let (lo, hi) = if other.zero {
            (f64::NEG_INFINITY, f64::INFINITY)
        } else if other.lo > 0.0 || other.hi < 0.0 {
            self.corners(other, |a, b| if a.is_infinite() && b.is_infinite() { a * b } else { self.round(a / b) })
        } else {
            // Infinity by infinity is not a number, and by what is smaller, infinity.
            let most = if self.infinite() { f64::INFINITY } else { self.round(self.most() / other.least) };
            (-most, most)
        };
        let least = if other.infinite() { 0.0 } else { self.round(self.least / other.most()) };
        let quotient = self.result(&[self, other], nan, lo, hi);
        Range { zero: quotient.zero && (self.zero || least == 0.0), least: quotient.least.max(least), ..quotient }.reduced()
    }

    /// The least and the greatest result at the ends.
    fn corners(self, other: Range, of: impl Fn(f64, f64) -> f64) -> (f64, f64) {
        let ends = [of(self.lo, other.lo), of(self.lo, other.hi), of(self.hi, other.lo), of(self.hi, other.hi)];
        (ends.into_iter().fold(f64::INFINITY, f64::min), ends.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }

    /// A remainder with the sign of either: no larger than the dividend or the divisor.
    pub(super) fn remainder(self, other: Range) -> Range {
        let most = self.most().min(other.most());
        let rest = self.result(&[self, other], self.infinite() || other.zero, -most, most);
        Range { grain: rest.grain.max(self.grain.min(other.grain)), ..rest }.reduced()
    }

    pub(super) fn root(self) -> Range {
        let (lo, hi) = (self.round(self.lo.max(0.0).sqrt()), self.round(self.hi.max(0.0).sqrt()));
        let root = self.result(&[self], self.lo < 0.0, lo, hi);
        Range { zero: self.zero, ..root }.reduced()
    }

    /// Rounded to an integer, in any direction.
    pub(super) fn whole(self) -> Range {
        let whole = self.result(&[self], false, self.lo.floor(), self.hi.ceil());
        Range { least: 1.0, grain: self.grain.max(0), ..whole }.reduced()
    }

    /// In another format.
    pub(super) fn rounded(self, format: FloatFormat) -> Option<Range> {
        let other = Range::any(format)?;
        if other.single == self.single || self.single {
            return Some(Range { single: other.single, ..self });
        }
        let rounded = other.result(&[self], false, other.round(self.lo), other.round(self.hi));
        let least = other.round(self.least);
        let zero = rounded.zero && (self.zero || least == 0.0);
        Some(Range { zero, least: rounded.least.max(least), grain: rounded.grain.max(self.grain), ..rounded }.reduced())
    }
}

/// The power of two that a positive number is at least.
fn exponent(value: f64) -> i32 {
    let bits = value.abs().to_bits();
    let field = i32::try_from(bits >> 52).expect("eleven bits");
    if field == 0 { i32::try_from(bits.checked_ilog2().unwrap_or(0)).expect("few bits") - 1074 } else { field - 1023 }
}

/// The digits of a number, the hidden one included where it has one; where it has none, they are moved to the left.
fn significand(value: f64) -> u64 {
    let bits = value.abs().to_bits();
    let low = bits & ((1 << 52) - 1);
    if bits >> 52 == 0 { low << (52 - low.checked_ilog2().unwrap_or(52)) } else { low | 1 << 52 }
}

/// Two to a power; infinity beyond the largest number.
fn power(exponent: i32) -> f64 {
    match exponent {
        ..-1074 => 0.0,
        -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        -1022..1024 => f64::from_bits(u64::from((exponent + 1023).unsigned_abs()) << 52),
        _ => f64::INFINITY,
    }
}
