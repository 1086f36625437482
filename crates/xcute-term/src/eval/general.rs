//! Operators on values that are not machine words: wide bit-vectors and floats, integers, reals, data.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_rational::BigRational;
use num_traits::{One, Signed, Zero};

use super::{soft, strings};
use crate::{Bits, DataValue, Op, Sort, Terms, Value};

/// Applies `op` to values, at least one of which (or the result) is not a word.
pub(super) fn apply(terms: &Terms, op: Op, result: Sort, args: &[Value]) -> Value {
    match (op, args) {
        (Op::Construct(ctor), _) => Value::Data(Arc::new(DataValue { ctor, fields: args.to_vec() })),
        (Op::IsCtor(ctor), [Value::Data(data)]) => Value::Bool(data.ctor == ctor),
        (Op::Select(ctor, i), [Value::Data(data)]) => {
            if data.ctor == ctor {
                data.fields[i as usize].clone()
            } else {
                terms.default_value(result)
            }
        }
        (Op::Eq, [Value::Float(format, a), Value::Float(_, b)]) => {
            Value::Bool(a == b || (soft::is_nan(*format, a) && soft::is_nan(*format, b)))
        }
        (Op::Eq, [a, b]) => Value::Bool(a == b),
        (_, [Value::Float(..), ..]) | (Op::FpFromBits(..) | Op::FpFromSbv(..) | Op::FpFromUbv(..), _) => soft::apply(op, result, args),
        (_, [Value::Bits(a)]) => unary_bits(op, result, a),
        (_, [Value::Bits(a), Value::Bits(b)]) => binary_bits(op, result, a, b),
        (Op::IntToBv(w), [Value::Int(a)]) => Value::from_signed(w, a),
        (Op::ToReal, [Value::Int(a)]) => Value::Real(BigRational::from_integer(a.clone())),
        (Op::Neg, [Value::Int(a)]) => Value::Int(-a),
        (_, [Value::Int(a), Value::Int(b)]) => integers(op, a, b),
        (Op::ToInt, [Value::Real(a)]) => Value::Int(a.floor().to_integer()),
        (Op::Neg, [Value::Real(a)]) => Value::Real(-a),
        (_, [Value::Real(a), Value::Real(b)]) => reals(op, a, b),
        _ => strings::apply(op, args),
    }
}

fn unary_bits(op: Op, result: Sort, a: &Bits) -> Value {
    let width = result.width().unwrap_or(0);
    match op {
        Op::BvNot => Value::from_signed(width, &(-BigInt::one() - BigInt::from(a.to_big()))),
        Op::BvNeg => Value::from_signed(width, &-BigInt::from(a.to_big())),
        Op::Extract(_, lo) => Value::Bits(Bits::from_big(width, &(a.to_big() >> lo))),
        Op::ZeroExt(_) => Value::Bits(Bits::from_big(width, &a.to_big())),
        Op::SignExt(_) => Value::from_signed(width, &a.to_signed()),
        Op::BvToNat => Value::Int(a.to_big().into()),
        Op::BvToInt => Value::Int(a.to_signed()),
        _ => panic!("{op:?} does not take one bit-vector"),
    }
}

fn binary_bits(op: Op, result: Sort, x: &Bits, y: &Bits) -> Value {
    let (a, b) = (x.to_big(), y.to_big());
    let width = x.width();
    let unsigned = |value: BigUint| Value::Bits(Bits::from_big(width, &value));
    let shift = || u32::try_from(&b).unwrap_or(u32::MAX).min(width);
    match op {
        Op::BvUlt => Value::Bool(a < b),
        Op::BvUle => Value::Bool(a <= b),
        Op::BvSlt => Value::Bool(x.to_signed() < y.to_signed()),
        Op::BvSle => Value::Bool(x.to_signed() <= y.to_signed()),
        Op::BvAdd => unsigned(a + b),
        Op::BvSub => Value::from_signed(width, &(BigInt::from(a) - BigInt::from(b))),
        Op::BvMul => unsigned(a * b),
        Op::BvAnd => unsigned(a & b),
        Op::BvOr => unsigned(a | b),
        Op::BvXor => unsigned(a ^ b),
        Op::BvUdiv if b.is_zero() => Value::from_signed(width, &-BigInt::one()),
        Op::BvUdiv => unsigned(a / b),
        Op::BvUrem if b.is_zero() => unsigned(a),
        Op::BvUrem => unsigned(a % b),
        Op::BvSdiv if b.is_zero() => Value::from_signed(width, &BigInt::from(if x.to_signed().is_negative() { 1 } else { -1 })),
        Op::BvSdiv => Value::from_signed(width, &(x.to_signed() / y.to_signed())),
        Op::BvSrem if b.is_zero() => unsigned(a),
        Op::BvSrem => Value::from_signed(width, &(x.to_signed() % y.to_signed())),
        Op::BvShl => unsigned(a << shift()),
        Op::BvLshr => unsigned(a >> shift()),
        Op::BvAshr => Value::from_signed(width, &(x.to_signed() >> shift())),
        Op::Concat => Value::Bits(Bits::from_big(result.width().expect("Concat gives a bit-vector"), &((a << y.width()) | b))),
        _ => panic!("{op:?} does not take two bit-vectors"),
    }
}

fn integers(op: Op, a: &BigInt, b: &BigInt) -> Value {
    Value::Int(match op {
        Op::Lt => return Value::Bool(a < b),
        Op::Le => return Value::Bool(a <= b),
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::IntDiv if b.is_zero() => BigInt::zero(),
        Op::IntMod if b.is_zero() => a.clone(),
        // SMT-LIB's remainder is never negative, whatever the divisor's sign.
        Op::IntDiv => {
            let quotient = a.div_floor(&b.abs());
            if b.sign() == Sign::Minus { -quotient } else { quotient }
        }
        Op::IntMod => a.mod_floor(&b.abs()),
        _ => panic!("{op:?} does not take two integers"),
    })
}

fn reals(op: Op, a: &BigRational, b: &BigRational) -> Value {
    Value::Real(match op {
        Op::Lt => return Value::Bool(a < b),
        Op::Le => return Value::Bool(a <= b),
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div if b.is_zero() => BigRational::zero(),
        Op::Div => a / b,
        _ => panic!("{op:?} does not take two reals"),
    })
}
