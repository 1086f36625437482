//! Modified UTF-8: how class files write characters.
//!
//! Like UTF-8, but the character 0 takes two bytes, and characters beyond 16 bits are two surrogates of three bytes each.

/// The bytes of a text.
#[must_use]
pub fn encode(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for unit in text.encode_utf16() {
        encode_unit(unit, &mut out);
    }
    out
}

fn encode_unit(unit: u16, out: &mut Vec<u8>) {
    let low = |shift: u32| 0x80 | ((unit >> shift) & 0x3f) as u8;
    match unit {
        1..=0x7f => out.push(unit as u8),
        0 | 0x80..=0x7ff => out.extend_from_slice(&[0xc0 | (unit >> 6) as u8, low(0)]),
        _ => out.extend_from_slice(&[0xe0 | (unit >> 12) as u8, low(6), low(0)]),
    }
}

/// The UTF-16 units that the bytes stand for; `None` where they are not modified UTF-8.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<Vec<u16>> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    let more = |byte: u8| (byte & 0xc0 == 0x80).then_some(u16::from(byte & 0x3f));
    while let Some((&first, tail)) = rest.split_first() {
        (rest, _) = match (first, tail) {
            (1..=0x7f, _) => (tail, out.push(u16::from(first))),
            (0xc0..=0xdf, &[a, ref tail @ ..]) => (tail, out.push(u16::from(first & 0x1f) << 6 | more(a)?)),
            (0xe0..=0xef, &[a, b, ref tail @ ..]) => (tail, out.push(u16::from(first & 0xf) << 12 | more(a)? << 6 | more(b)?)),
            _ => return None,
        };
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_encoded_is_decoded() {
        for text in ["", "abc", "\0", "äöü", "€", "𝄞 and more", "\u{7f}\u{80}\u{7ff}\u{800}"] {
            assert_eq!(decode(&encode(text)).unwrap(), text.encode_utf16().collect::<Vec<_>>());
        }
        assert_eq!(encode("\0"), [0xc0, 0x80]);
        assert_eq!(encode("𝄞").len(), 6);
    }

    #[test]
    fn other_bytes_are_not_decoded() {
        for bytes in [&[0u8][..], &[0x80], &[0xc3], &[0xe1, 0x80], &[0xf0, 0x9d, 0x84, 0x9e], &[0xc3, 0x41]] {
            assert_eq!(decode(bytes), None, "{bytes:x?}");
        }
    }
}
