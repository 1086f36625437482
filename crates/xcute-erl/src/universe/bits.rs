//! Bitstrings between values of the sorts and bytes.
//!
//! **Invariant.** A value in normal form has bytes from 0 to 255, fewer than eight extra bits, and a last number that these bits hold.

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use xcute_term::{DataValue, Value};

use super::{BITS, BYTE, NO_BYTE, data, parts};

/// The bytes of a bitstring, how many bits there are after them, and the number that these are.
pub(crate) fn bytes(value: &DataValue) -> (Vec<BigInt>, BigInt, BigInt) {
    let number = |value: &Value| if let Value::Int(number) = value { number.clone() } else { BigInt::from(0) };
    let mut all = Vec::new();
    let mut at = parts(&value.fields[0]);
    while at.ctor == BYTE {
        all.push(number(&at.fields[0]));
        at = parts(&at.fields[1]);
    }
    (all, number(&value.fields[1]), number(&value.fields[2]))
}

/// The packed bytes of a bitstring in normal form, and how many bits there are.
pub(super) fn packed(value: &DataValue) -> (Vec<u8>, usize) {
    let (all, extra, last) = bytes(value);
    let mut packed: Vec<u8> = all.iter().map(|byte| byte.to_u8().unwrap_or(0)).collect();
    let extra = extra.to_usize().filter(|&extra| extra < 8).unwrap_or(0);
    let bits = 8 * packed.len() + extra;
    if extra > 0 {
        packed.push(last.to_u8().unwrap_or(0) << (8 - extra));
    }
    (packed, bits)
}

/// A bitstring of these bytes, extra bits, and number of the extra bits.
pub(crate) fn bitstring(bytes: impl DoubleEndedIterator<Item = u8>, extra: usize, last: u8) -> Value {
    let number = |value: u64| Value::Int(value.into());
    let none = data(NO_BYTE, vec![]);
    let bytes = bytes.rev().fold(none, |rest, byte| data(BYTE, vec![number(byte.into()), rest]));
    data(BITS, vec![bytes, number(extra as u64), number(last.into())])
}

/// Packed bytes of which so many bits count as a value.
pub(crate) fn unpacked(bytes: &[u8], bits: usize) -> Value {
    let extra = bits % 8;
    let last = if extra > 0 { bytes[bits / 8] >> (8 - extra) } else { 0 };
    bitstring(bytes[..bits / 8].iter().copied(), extra, last)
}
