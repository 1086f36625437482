//! Matching of bitstrings, which do not depend on the input; sizes and values in the pattern may.
//!
//! "Bit Syntax Expressions" in the Erlang reference manual: integer, float, binary and UTF segments, with unit, sign and endianness.

use num_bigint::{BigInt, BigUint, Sign};
use num_traits::One;
use xcute_term::TermId;

use super::value::Val;
use super::{Machine, Res};
use crate::etf::Atom;
use crate::flat::{Pat, Segment};

/// Bits of a bitstring from a position on.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
}

impl Cursor<'_> {
    fn bit(&self, at: usize) -> bool {
        self.bytes[at / 8] >> (7 - at % 8) & 1 == 1
    }

    /// The next bits, packed from the most significant one of the first byte on.
    fn take(&mut self, bits: usize) -> Option<Vec<u8>> {
        let end = self.at.checked_add(bits).filter(|&end| end <= self.end)?;
        let mut out = vec![0u8; bits.div_ceil(8)];
        if self.at.is_multiple_of(8) {
            let first = self.at / 8;
            out = self.bytes[first..first + bits.div_ceil(8)].to_vec();
            if !bits.is_multiple_of(8)
                && let Some(last) = out.last_mut()
            {
                *last &= 0xff << (8 - bits % 8);
            }
        } else {
            for i in (0..bits).filter(|i| self.bit(self.at + i)) {
                out[i / 8] |= 0x80 >> (i % 8);
            }
        }
        self.at = end;
        Some(out)
    }
}

/// The integer of this many bits, most significant first unless `little`.
fn integer(packed: &[u8], bits: usize, little: bool, signed: bool) -> BigInt {
    let mut bytes = packed.to_vec();
    let value = if little {
        // Whole bytes from the least significant on; the last one may be shorter.
        if !bits.is_multiple_of(8)
            && let Some(last) = bytes.last_mut()
        {
            *last >>= 8 - bits % 8;
        }
        BigUint::from_bytes_le(&bytes)
    } else {
        BigUint::from_bytes_be(&bytes) >> ((8 - bits % 8) % 8)
    };
    let value = BigInt::from_biguint(Sign::Plus, value);
    if signed && bits > 0 && value.bit(u64::try_from(bits).expect("few bits") - 1) { value - (BigInt::one() << bits) } else { value }
}

/// The float of 16, 32 or 64 bits; `None` if it is none that Erlang has.
fn float(packed: &[u8], little: bool) -> Option<f64> {
    let mut bytes = packed.to_vec();
    if little {
        bytes.reverse();
    }
    let value = match bytes[..] {
        [a, b] => half(u16::from_be_bytes([a, b])),
        [a, b, c, d] => f64::from(f32::from_be_bytes([a, b, c, d])),
        _ => f64::from_be_bytes(bytes.try_into().ok()?),
    };
    value.is_finite().then_some(value)
}

fn half(bits: u16) -> f64 {
    let (sign, exponent, fraction) = (bits >> 15, i32::from(bits >> 10 & 0x1f), f64::from(bits & 0x3ff));
    let size = match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    };
    if sign == 1 { -size } else { size }
}

/// The character that bytes begin with, and how many bytes it takes.
fn character(of: Atom, little: bool, rest: &[u8]) -> Option<(u32, usize)> {
    match of {
        Atom::UTF8 => {
            let length = match rest.first()? {
                0..=0x7f => 1,
                0xc2..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf4 => 4,
                _ => return None,
            };
            let text = std::str::from_utf8(rest.get(..length)?).ok()?;
            Some((u32::from(text.chars().next()?), length))
        }
        Atom::UTF16 => {
            let unit = |at: usize| {
                let pair = rest.get(at..at + 2)?;
                Some(if little { u16::from_le_bytes([pair[0], pair[1]]) } else { u16::from_be_bytes([pair[0], pair[1]]) })
            };
            let first = unit(0)?;
            let units = if (0xd800..0xdc00).contains(&first) { vec![first, unit(2)?] } else { vec![first] };
            let length = 2 * units.len();
            Some((u32::from(char::decode_utf16(units).next()?.ok()?), length))
        }
        _ => {
            let bytes: [u8; 4] = rest.get(..4)?.try_into().ok()?;
            let code = if little { u32::from_le_bytes(bytes) } else { u32::from_be_bytes(bytes) };
            char::from_u32(code).map(|_| (code, 4))
        }
    }
}

impl Machine<'_> {
    /// Whether segments match a whole bitstring; conditions are those of values in the pattern that depend on the input.
    pub(super) fn match_segments(&mut self, segments: &[Segment], bits: u32, conditions: &mut Vec<TermId>) -> Res<bool> {
        let (bytes, end) = self.heap.bytes(bits);
        let bytes = bytes.to_vec();
        let mut cursor = Cursor { bytes: &bytes, at: 0, end };
        for segment in segments {
            let size = match segment.size {
                Some(size) => {
                    let size = self.build(size);
                    let ctx = self.deciding();
                    let size = self.fixed(&ctx, size, "the size of a segment of a bitstring")?;
                    let Some(size) = self.small(size).and_then(|size| usize::try_from(size).ok()) else { return Ok(false) };
                    Some(size.saturating_mul(segment.unit as usize))
                }
                None => None,
            };
            let Some(value) = self.segment(&mut cursor, segment, size) else { return Ok(false) };
            // The value is a variable or a literal.
            match self.program.code.pat(segment.value) {
                Pat::Var(slot) => self.set_slot(*slot, value),
                _ => {
                    let wanted = self.build(segment.value);
                    match self.same(wanted, value)? {
                        Some(same) => conditions.extend(same),
                        None => return Ok(false),
                    }
                }
            }
        }
        Ok(cursor.at == cursor.end)
    }

    /// The value of a segment; `None` if it is not there.
    fn segment(&mut self, cursor: &mut Cursor<'_>, segment: &Segment, size: Option<usize>) -> Option<Val> {
        match segment.of {
            Atom::INTEGER => {
                let bits = size?;
                let packed = cursor.take(bits)?;
                Some(self.heap.integer(integer(&packed, bits, segment.little, segment.signed)))
            }
            Atom::FLOAT => {
                let bits = size.filter(|bits| matches!(bits, 16 | 32 | 64))?;
                let packed = cursor.take(bits)?;
                float(&packed, segment.little).map(Val::Float)
            }
            Atom::UTF8 | Atom::UTF16 | Atom::UTF32 => {
                let left = cursor.end - cursor.at;
                let mut ahead = Cursor { bytes: cursor.bytes, at: cursor.at, end: cursor.end };
                let rest = ahead.take(left / 8 * 8)?;
                let (code, length) = character(segment.of, segment.little, &rest)?;
                cursor.at += 8 * length;
                Some(Val::Int(i64::from(code)))
            }
            _ => {
                let left = cursor.end - cursor.at;
                let bits = match size {
                    Some(bits) => bits,
                    None if left.is_multiple_of(segment.unit.max(1) as usize) => left,
                    None => return None,
                };
                let packed = cursor.take(bits)?;
                Some(self.heap.bitstring(&packed, bits))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_all_kinds() {
        let bytes = [0b1010_0101, 0xff, 0x01];
        let mut cursor = Cursor { bytes: &bytes, at: 3, end: 24 };
        assert_eq!(cursor.take(7), Some(vec![0b0010_1110]));
        assert_eq!((cursor.at, cursor.take(15)), (10, None));
        assert_eq!(integer(&[0xff, 0xe0], 11, false, false), 2047.into());
        assert_eq!(integer(&[0xff, 0xe0], 11, false, true), (-1).into());
        assert_eq!(integer(&[0x01, 0x02], 16, true, false), 0x0201.into());
        assert_eq!(integer(&[0x34, 0x20], 12, true, false), 0x234.into());
        assert_eq!(integer(&[], 0, false, true), 0.into());
        assert_eq!(float(&[0x3c, 0x00], false), Some(1.0));
        assert_eq!(float(&[0, 0, 0x80, 0x3f], true), Some(1.0));
        assert_eq!(float(&[0x7f, 0xf0, 0, 0, 0, 0, 0, 0], false), None);
        assert_eq!(character(Atom::UTF8, false, "é!".as_bytes()), Some((233, 2)));
        assert_eq!(character(Atom::UTF16, false, &[0xd8, 0x3d, 0xde, 0x00]), Some((0x1f600, 4)));
        assert_eq!(character(Atom::UTF32, true, &[0x41, 0, 0, 0]), Some((65, 4)));
        assert_eq!(character(Atom::UTF32, false, &[0, 0, 0xd8, 0]), None);
    }
}
