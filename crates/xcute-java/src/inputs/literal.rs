//! Values as Java writes them.

use std::fmt::Write as _;

use xcute_classfile::Kind;

/// A primitive value for people.
pub(crate) fn plain(kind: Kind, word: u64) -> String {
    match kind {
        Kind::Boolean => (word & 1 != 0).to_string(),
        Kind::Byte => (word as u8).cast_signed().to_string(),
        Kind::Short => (word as u16).cast_signed().to_string(),
        Kind::Int => (word as u32).cast_signed().to_string(),
        Kind::Long => word.cast_signed().to_string(),
        Kind::Char => format!("'{}'", unit(word as u16, '\'')),
        Kind::Float => number(f64::from(f32::from_bits(word as u32)), &format!("{:?}", f32::from_bits(word as u32))),
        Kind::Double => number(f64::from_bits(word), &format!("{:?}", f64::from_bits(word))),
        Kind::Reference => "null".to_owned(),
    }
}

fn number(value: f64, text: &str) -> String {
    match value {
        _ if value.is_nan() => "NaN".to_owned(),
        _ if value.is_infinite() => if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        _ => text.to_owned(),
    }
}

/// A primitive value as an expression of its own type.
pub(crate) fn expression(kind: Kind, word: u64) -> String {
    let plain = plain(kind, word);
    match kind {
        Kind::Byte => format!("(byte) {plain}"),
        Kind::Short => format!("(short) {plain}"),
        Kind::Long => format!("{plain}L"),
        Kind::Float => match f32::from_bits(word as u32) {
            value if value.is_finite() => format!("{plain}f"),
            _ => format!("Float.intBitsToFloat(0x{:x})", word as u32),
        },
        Kind::Double if !f64::from_bits(word).is_finite() => format!("Double.longBitsToDouble(0x{word:x}L)"),
        _ => plain,
    }
}

/// A string literal.
pub(crate) fn text(units: &[u16]) -> String {
    let mut out = String::from("\"");
    for &each in units {
        out += &unit(each, '"');
    }
    out.push('"');
    out
}

/// A character inside of quotes. Control characters are written in octal: `\u000a` would end the line before the compiler looks at it.
fn unit(unit: u16, quote: char) -> String {
    let mut out = String::new();
    match char::from_u32(u32::from(unit)) {
        Some(c) if c == quote || c == '\\' => {
            out.push('\\');
            out.push(c);
        }
        Some('\n') => out += "\\n",
        Some('\t') => out += "\\t",
        Some('\r') => out += "\\r",
        Some(c) if (' '..='~').contains(&c) => out.push(c),
        _ if unit < 0x100 => {
            let _ = write!(out, "\\{unit:03o}");
        }
        _ => {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_written_as_in_java() {
        assert_eq!(plain(Kind::Int, 0xffff_ffff), "-1");
        assert_eq!(expression(Kind::Byte, 0x80), "(byte) -128");
        assert_eq!(expression(Kind::Long, u64::MAX), "-1L");
        assert_eq!(expression(Kind::Double, 0.1f64.to_bits()), "0.1");
        assert_eq!(expression(Kind::Double, (-0.0f64).to_bits()), "-0.0");
        assert_eq!(expression(Kind::Double, 0x7ff0_0000_0000_0000), "Double.longBitsToDouble(0x7ff0000000000000L)");
        assert_eq!(plain(Kind::Float, u64::from(f32::INFINITY.to_bits())), "Infinity");
        assert_eq!(expression(Kind::Float, u64::from(1e30f32.to_bits())), "1e30f");
        assert_eq!(plain(Kind::Char, u64::from(b'\'')), r"'\''");
        assert_eq!(text(&[97, 10, 34, 0, 0x20ac, 39]), "\"a\\n\\\"\\000\\u20ac'\"");
    }
}
