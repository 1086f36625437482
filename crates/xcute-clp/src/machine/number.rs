//! Numbers of a run.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use xcute_term::TermId;

/// A number.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// A small integer.
    Small(i64),
    /// Any integer.
    Big(BigInt),
    /// A float.
    Float(f64),
    /// An integer that depends on the input: a term of sort Int.
    Sym(TermId),
    /// A float that depends on the input: a term of sort Float, which is finite.
    Real(TermId),
}

impl Number {
    /// Whether it depends on the input.
    #[must_use]
    pub fn is_open(&self) -> bool {
        matches!(self, Number::Sym(_) | Number::Real(_))
    }

    /// Whether it is a float.
    #[must_use]
    pub fn is_float(&self) -> bool {
        matches!(self, Number::Float(_) | Number::Real(_))
    }
}

impl Number {
    /// An integer.
    #[must_use]
    pub fn integer(value: BigInt) -> Number {
        value.to_i64().map_or(Number::Big(value), Number::Small)
    }

    /// Its value, where it is an integer that does not depend on the input.
    #[must_use]
    pub fn as_integer(&self) -> Option<BigInt> {
        match self {
            Number::Small(value) => Some((*value).into()),
            Number::Big(value) => Some(value.clone()),
            _ => None,
        }
    }
}
