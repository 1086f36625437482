//! Values: what a term evaluates to and what a model assigns to a variable.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_rational::BigRational;

use crate::{CtorId, FloatFormat, Sort};

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

/// A value of some sort.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// Of sort `Bool`.
    Bool(bool),
    /// Of sort `BitVec`.
    Bits(Bits),
    /// Of sort `Float`: the IEEE bit pattern.
    Float(FloatFormat, Bits),
    /// Of sort `Int`.
    Int(BigInt),
    /// Of sort `Real`.
    Real(BigRational),
    /// Of sort `Str`.
    Str(Arc<str>),
    /// Of a data sort.
    Data(Arc<DataValue>),
}

/// A constructor applied to values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DataValue {
    /// The constructor.
    pub ctor: CtorId,
    /// Its fields, in order.
    pub fields: Vec<Value>,
}

impl Value {
    /// A bit-vector of at most 64 bits.
    #[must_use]
    pub fn bits(width: u32, bits: u64) -> Value {
        Value::Bits(Bits::new(width, bits))
    }

    /// The low `width` bits of an integer in two's complement.
    pub(crate) fn from_signed(width: u32, value: &BigInt) -> Value {
        let low = value.mod_floor(&(BigInt::from(1) << width));
        Value::Bits(Bits::from_big(width, low.magnitude()))
    }

    /// The sort that this is a value of.
    #[must_use]
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits(bits) => Sort::BitVec(bits.width()),
            Value::Float(format, _) => Sort::Float(*format),
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::Str(_) => Sort::Str,
            Value::Data(data) => Sort::Data(data.ctor.sort),
        }
    }

    /// The word of a bit-vector or float of at most 64 bits, 0 or 1 of a Boolean.
    #[must_use]
    pub fn as_u64(&self) -> Option<u64> {
        match self {
            Value::Bool(b) => Some(u64::from(*b)),
            Value::Bits(bits) | Value::Float(_, bits) => bits.as_u64(),
            _ => None,
        }
    }

    /// The truth value of a Boolean.
    #[must_use]
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }
}
