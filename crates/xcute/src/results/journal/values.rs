//! Inputs that are not words: unbounded integers, reals, floats, strings, and terms made of them.
//!
//! A value is written with its parts before the next one, by a stack of its own: a list of a thousand elements is a term that deep.
//!
//! **Invariant.** What is read is what was written; anything else is `None`, never a panic.

use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use xcute_term::{Bits, CtorId, DataSortId, DataValue, FloatFormat, Value};

use super::{number, small, take};

/// Adds a value.
pub(super) fn encode(out: &mut Vec<u8>, value: &Value) {
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        match value {
            Value::Bool(truth) => out.extend([b'b', u8::from(*truth)]),
            Value::Int(value) => {
                out.push(b'i');
                add(out, &value.to_signed_bytes_le());
            }
            Value::Str(text) => {
                out.push(b's');
                add(out, text.as_bytes());
            }
            Value::Bits(bits) => {
                out.push(b'w');
                add_bits(out, bits);
            }
            Value::Float(format, bits) => {
                let widths = [format.exponent(), format.significand()].map(|width| u8::try_from(width).expect("few bits"));
                out.push(b'f');
                out.extend(widths);
                add_bits(out, bits);
            }
            Value::Real(value) => {
                out.push(b'r');
                add(out, &value.numer().to_signed_bytes_le());
                add(out, &value.denom().to_signed_bytes_le());
            }
            Value::Data(data) => {
                out.push(b'd');
                number(out, u64::from(data.ctor.sort.0));
                number(out, u64::from(data.ctor.index));
                number(out, data.fields.len() as u64);
                work.extend(data.fields.iter().rev());
            }
        }
    }
}

fn add(out: &mut Vec<u8>, bytes: &[u8]) {
    number(out, bytes.len() as u64);
    out.extend(bytes);
}

fn add_bits(out: &mut Vec<u8>, bits: &Bits) {
    number(out, u64::from(bits.width()));
    add(out, &bits.to_big().to_bytes_le());
}

fn take_bits(bytes: &mut &[u8]) -> Option<Bits> {
    let width = small(bytes).filter(|&width| width > 0)?;
    Some(Bits::from_big(width, &BigUint::from_bytes_le(piece(bytes)?)))
}

fn take_real(bytes: &mut &[u8]) -> Option<Value> {
    let (numerator, denominator) = (BigInt::from_signed_bytes_le(piece(bytes)?), BigInt::from_signed_bytes_le(piece(bytes)?));
    (denominator > BigInt::ZERO).then(|| Value::Real(BigRational::new(numerator, denominator)))
}

/// A term whose fields are not all read.
struct Open {
    ctor: CtorId,
    fields: Vec<Value>,
    missing: usize,
}

/// Reads a value.
pub(super) fn decode(bytes: &mut &[u8]) -> Option<Value> {
    let mut open: Vec<Open> = Vec::new();
    loop {
        let mut value = match bytes.split_off_first()? {
            b'b' => Value::Bool(*bytes.split_off_first()? != 0),
            b'i' => Value::Int(BigInt::from_signed_bytes_le(piece(bytes)?)),
            b'w' => Value::Bits(take_bits(bytes)?),
            b'f' => {
                let format = FloatFormat::new(*bytes.split_off_first()?, *bytes.split_off_first()?);
                let bits = take_bits(bytes)?;
                (bits.width() == format.width()).then_some(Value::Float(format, bits))?
            }
            b'r' => take_real(bytes)?,
            b's' => Value::Str(Arc::from(std::str::from_utf8(piece(bytes)?).ok()?)),
            b'd' => {
                let ctor = CtorId { sort: DataSortId(small(bytes)?), index: small(bytes)? };
                // Every field takes a byte at least.
                let missing = usize::try_from(take(bytes)?).ok().filter(|&count| count <= bytes.len())?;
                open.push(Open { ctor, fields: Vec::with_capacity(missing), missing });
                if missing > 0 {
                    continue;
                }
                let Open { ctor, fields, .. } = open.pop()?;
                Value::Data(Arc::new(DataValue { ctor, fields }))
            }
            _ => return None,
        };
        loop {
            let Some(mut last) = open.pop() else { return Some(value) };
            last.fields.push(value);
            last.missing -= 1;
            if last.missing > 0 {
                open.push(last);
                break;
            }
            value = Value::Data(Arc::new(DataValue { ctor: last.ctor, fields: last.fields }));
        }
    }
}

fn piece<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take(bytes)?).ok()?;
    bytes.split_off(..length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_read_as_it_was_written() {
        let wide = Bits::from_big(80, &(BigUint::from(1u8) << 79));
        let float = Value::Float(FloatFormat::DOUBLE, Bits::new(64, 1.5f64.to_bits()));
        let ctor = CtorId { sort: DataSortId(3), index: 2 };
        let inner = Value::Data(Arc::new(DataValue { ctor, fields: vec![float.clone(), Value::Int((-70_000).into())] }));
        let all = [
            Value::Bool(true),
            Value::Bits(Bits::new(7, 99)),
            Value::Bits(wide),
            float,
            Value::Real(BigRational::new((-7).into(), 3.into())),
            Value::Str(Arc::from("é")),
            Value::Data(Arc::new(DataValue { ctor, fields: vec![inner, Value::Bool(false)] })),
        ];
        for value in all {
            let mut out = Vec::new();
            encode(&mut out, &value);
            assert_eq!(decode(&mut out.as_slice()), Some(value));
            for end in 0..out.len() {
                assert_eq!(decode(&mut &out[..end]), None, "a torn value");
            }
        }
    }
}
