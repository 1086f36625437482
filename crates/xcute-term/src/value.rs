//! Values: what a term evaluates to and what a model assigns to a variable.

use std::sync::Arc;

use num_bigint::BigInt;
use num_integer::Integer;
use num_rational::BigRational;

use crate::bits::Bits;
use crate::{CtorId, FloatFormat, Sort};

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
