//! Formats of IEEE 754 binary floats, and the patterns of special values: the one place that knows them.
//!
//! **Invariant.** The significand counts the hidden bit, so the two widths add up to that of the float.

use num_bigint::BigUint;

use crate::bits::{Bits, mask};

/// A format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FloatFormat {
    exponent: u8,
    significand: u8,
}

impl FloatFormat {
    /// Single precision: `float` of C and Java.
    pub const SINGLE: FloatFormat = FloatFormat::new(8, 24);
    /// Double precision: `double` of C and Java, `float` of Erlang.
    pub const DOUBLE: FloatFormat = FloatFormat::new(11, 53);

    /// The format with this many bits of exponent and significand.
    #[must_use]
    pub const fn new(exponent: u8, significand: u8) -> FloatFormat {
        FloatFormat { exponent, significand }
    }

    /// The format of machines that has this many bits; `None` where there is none.
    #[must_use]
    pub fn of_width(width: u32) -> Option<FloatFormat> {
        [FloatFormat::SINGLE, FloatFormat::DOUBLE].into_iter().find(|format| format.width() == width)
    }

    /// The same with this many bits of exponent.
    ///
    /// # Panics
    /// Where these are more than 255.
    #[must_use]
    pub fn with_exponent(self, bits: u32) -> FloatFormat {
        FloatFormat { exponent: u8::try_from(bits).expect("few bits"), ..self }
    }

    /// The bits of the exponent.
    #[must_use]
    pub fn exponent(self) -> u32 {
        self.exponent.into()
    }

    /// The bits of the significand, the hidden one included.
    #[must_use]
    pub fn significand(self) -> u32 {
        self.significand.into()
    }

    /// The bits of a float.
    #[must_use]
    pub fn width(self) -> u32 {
        self.exponent() + self.significand()
    }

    /// What is added to an exponent before it is stored: the largest exponent of a number, too.
    #[must_use]
    pub fn bias(self) -> i64 {
        (1 << (self.exponent() - 1)) - 1
    }

    /// Whether every float of another format is one of this.
    #[must_use]
    pub fn holds(self, other: FloatFormat) -> bool {
        self.exponent >= other.exponent && self.significand >= other.significand
    }

    /// The pattern of the positive quiet NaN, which arithmetic gives.
    #[must_use]
    pub fn nan_bits(self) -> Bits {
        let ones = (BigUint::from(1u8) << (self.exponent() + 1)) - 1u8;
        Bits::from_big(self.width(), &(ones << (self.significand() - 2)))
    }

    /// The pattern of the sign alone.
    #[must_use]
    pub fn sign_bits(self) -> Bits {
        Bits::from_big(self.width(), &(BigUint::from(1u8) << (self.width() - 1)))
    }

    /// The pattern of the sign alone, in a format of at most 64 bits.
    #[must_use]
    pub fn sign(self) -> u64 {
        1 << (self.width() - 1)
    }

    /// The pattern of plus infinity, in a format of at most 64 bits.
    #[must_use]
    pub fn infinity(self) -> u64 {
        mask(self.exponent()) << (self.significand() - 1)
    }

    /// The pattern of the positive quiet NaN, in a format of at most 64 bits.
    #[must_use]
    pub fn nan(self) -> u64 {
        self.infinity() | (1 << (self.significand() - 2))
    }

    /// Whether a pattern is a NaN, in a format of at most 64 bits.
    #[must_use]
    pub fn is_nan(self, pattern: u64) -> bool {
        pattern & !self.sign() > self.infinity()
    }

    /// The place of a number in the order of all, 0 for both zeros; `None` for a NaN. In a format of at most 64 bits.
    #[must_use]
    pub fn place(self, pattern: u64) -> Option<i64> {
        let magnitude = (pattern & !self.sign()).cast_signed();
        (!self.is_nan(pattern)).then_some(if pattern & self.sign() == 0 { magnitude } else { -magnitude })
    }

    /// The number at a place; `None` beyond the infinities. In a format of at most 64 bits.
    #[must_use]
    pub fn at_place(self, place: i64) -> Option<u64> {
        let magnitude = place.unsigned_abs();
        (magnitude <= self.infinity()).then_some(if place < 0 { magnitude | self.sign() } else { magnitude })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_those_of_the_host() {
        let (single, double) = (FloatFormat::SINGLE, FloatFormat::DOUBLE);
        assert_eq!((single.infinity(), double.infinity()), (f32::INFINITY.to_bits().into(), f64::INFINITY.to_bits()));
        assert_eq!((single.nan(), double.nan()), (0x7FC0_0000, 0x7FF8_0000_0000_0000));
        assert_eq!((single.sign(), double.sign()), ((-0.0f32).to_bits().into(), (-0.0f64).to_bits()));
        assert_eq!((single.bias(), double.bias()), (127, 1023));
        for format in [single, double, FloatFormat::new(3, 5)] {
            assert_eq!((format.nan_bits().as_u64(), format.sign_bits().as_u64()), (Some(format.nan()), Some(format.sign())));
            assert!(format.is_nan(format.nan()) && !format.is_nan(format.infinity()) && !format.is_nan(format.sign()));
        }
        assert_eq!(FloatFormat::of_width(32), Some(single));
        assert_eq!(FloatFormat::of_width(80), None);
        assert!(double.holds(single) && !single.holds(double));
    }

    #[test]
    fn places_are_in_order() {
        let format = FloatFormat::SINGLE;
        let mut last = None;
        for x in [f32::NEG_INFINITY, -1.5, -f32::MIN_POSITIVE, 0.0, f32::MIN_POSITIVE, 1.0, 2.0, f32::INFINITY] {
            let at = format.place(x.to_bits().into()).expect("a number");
            assert!(last < Some(at));
            assert_eq!(format.at_place(at), Some(x.to_bits().into()));
            last = Some(at);
        }
        assert_eq!(format.place((-0.0f32).to_bits().into()), Some(0));
        assert_eq!((format.place(format.nan()), format.at_place(i64::MAX)), (None, None));
    }
}
