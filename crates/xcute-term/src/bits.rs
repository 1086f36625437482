//! Bit-vectors as numbers: of any width, and as machine words.

use num_bigint::{BigInt, BigUint};

/// A bit-vector value. Widths up to 64 are held in a machine word.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    repr: Repr,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Small(u64),
    Wide(Box<BigUint>),
}

impl Bits {
    /// The low `width` bits of `bits`, zero-extended where `width` is more than 64.
    #[must_use]
    pub fn new(width: u32, bits: u64) -> Bits {
        assert!(width > 0, "a bit-vector has at least one bit");
        let repr = if width <= 64 { Repr::Small(bits & mask(width)) } else { Repr::Wide(Box::new(BigUint::from(bits))) };
        Bits { width, repr }
    }

    /// The low `width` bits of `bits`.
    #[must_use]
    pub fn from_big(width: u32, bits: &BigUint) -> Bits {
        assert!(width > 0, "a bit-vector has at least one bit");
        let low = bits & ((BigUint::from(1u8) << width) - 1u8);
        if width <= 64 {
            let word = low.iter_u64_digits().next().unwrap_or(0);
            Bits { width, repr: Repr::Small(word) }
        } else {
            Bits { width, repr: Repr::Wide(Box::new(low)) }
        }
    }

    /// The number of bits.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// The value as a machine word; `None` where the width is more than 64.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self.repr {
            Repr::Small(word) => Some(word),
            Repr::Wide(_) => None,
        }
    }

    /// The value as an unbounded natural number.
    #[must_use]
    pub fn to_big(&self) -> BigUint {
        match &self.repr {
            Repr::Small(word) => BigUint::from(*word),
            Repr::Wide(big) => (**big).clone(),
        }
    }

    /// The value as a signed (two's complement) integer.
    #[must_use]
    pub fn to_signed(&self) -> BigInt {
        let value = BigInt::from(self.to_big());
        if self.bit(self.width - 1) { value - (BigInt::from(1) << self.width) } else { value }
    }

    /// Bit `i`, counted from the least significant.
    #[must_use]
    pub fn bit(&self, i: u32) -> bool {
        match &self.repr {
            Repr::Small(word) => i < 64 && (word >> i) & 1 == 1,
            Repr::Wide(big) => big.bit(u64::from(i)),
        }
    }
}

/// The mask of the low `width` bits; all ones from 64 on.
#[must_use]
pub(crate) fn mask(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// The signed value of a word.
#[must_use]
pub(crate) fn signed(width: u32, word: u64) -> i64 {
    let shift = 64 - width;
    (word << shift).cast_signed() >> shift
}
