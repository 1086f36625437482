//! Inputs that are no words: the integers and terms of logic programs.
//!
//! A value is written with its parts before the next one, by a stack of its own: a list of a thousand elements is a term that deep.
//!
//! **Invariant.** What is read is what was written; anything else is `None`, never a panic.

use std::sync::Arc;

use num_bigint::BigInt;
use xcute_term::{CtorId, DataSortId, DataValue, Value};

use super::{number, small, take};

/// Adds a value; `false` for those that no front end has as inputs.
pub(super) fn encode(out: &mut Vec<u8>, value: &Value) -> bool {
    let mut work = vec![value];
    while let Some(value) = work.pop() {
        match value {
            Value::Bool(truth) => out.extend([b'b', u8::from(*truth)]),
            Value::Int(value) => {
                let bytes = value.to_signed_bytes_le();
                out.push(b'i');
                number(out, bytes.len() as u64);
                out.extend(bytes);
            }
            Value::Str(text) => {
                out.push(b's');
                number(out, text.len() as u64);
                out.extend(text.as_bytes());
            }
            Value::Data(data) => {
                out.push(b'd');
                number(out, u64::from(data.ctor.sort.0));
                number(out, u64::from(data.ctor.index));
                number(out, data.fields.len() as u64);
                work.extend(data.fields.iter().rev());
            }
            Value::Bits(_) | Value::Float(..) | Value::Real(_) => return false,
        }
    }
    true
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
