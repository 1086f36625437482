//! Values of leaves as text: C literals for tests, exact and readable text for case files.
//!
//! **Invariant.** [`parse`] gives back the bits that [`show`] printed.

use crate::dwarf::{Program, Type, TypeId};
use crate::inputs::{TypeTable, XC_SIGNED, XC_TY_BOOL, XC_TY_FLOAT, XcType};

/// The signed or unsigned number that the low `bits` of a word are.
fn number(description: XcType, bits: u16, word: u64) -> i128 {
    let bits = u32::from(bits.clamp(1, 64));
    let low = if bits == 64 { word } else { word & ((1 << bits) - 1) };
    let negative = description.flags & XC_SIGNED != 0 && (low >> (bits - 1)) & 1 == 1;
    i128::from(low) - if negative { 1i128 << bits } else { 0 }
}

fn enumerator<'a>(program: &'a Program, table: &TypeTable, of: u32, value: i128) -> Option<&'a str> {
    let origin = table.origin.get(of as usize).copied().unwrap_or(TypeId::VOID);
    let Type::Enum { enumerators, .. } = program.get(program.strip(origin)) else { return None };
    enumerators.iter().find(|(_, v)| i128::from(*v) == value).map(|(name, _)| name.as_str())
}

/// The value of a leaf that is not a pointer, for case files: `3`, `97 'a'`, `5 BLUE`, `1.5 (0x3ff8000000000000)`.
#[must_use]
pub fn show(program: &Program, table: &TypeTable, of: u32, bits: u16, word: u64) -> String {
    let description = table.get(of);
    match (description.kind, description.size) {
        (XC_TY_FLOAT, 4) => format!("{:?} ({:#010x})", f32::from_bits(word as u32), word as u32),
        (XC_TY_FLOAT, 8) => format!("{:?} ({word:#018x})", f64::from_bits(word)),
        _ => {
            let value = number(description, bits, word);
            match enumerator(program, table, of, value) {
                Some(name) => format!("{value} {name}"),
                None if table.is_char(program, of) && (0x20..0x7f).contains(&value) => format!("{value} '{}'", char::from(value as u8)),
                None => value.to_string(),
            }
        }
    }
}

/// The bits of a text that [`show`] printed; `None` if it is not one.
#[must_use]
pub fn parse(text: &str) -> Option<u64> {
    if let Some((_, hex)) = text.rsplit_once("(0x") {
        return u64::from_str_radix(hex.strip_suffix(')')?, 16).ok();
    }
    if let Some(hex) = text.strip_prefix("0x") {
        return u64::from_str_radix(hex, 16).ok();
    }
    let value: i128 = text.split(' ').next()?.parse().ok()?;
    if value < 0 { i64::try_from(value).ok().map(i64::cast_unsigned) } else { u64::try_from(value).ok() }
}

/// The value of a leaf that is not a pointer, for people: as a literal, without the suffixes that only a compiler needs.
#[must_use]
pub fn readable(program: &Program, table: &TypeTable, of: u32, bits: u16, word: u64) -> String {
    let description = table.get(of);
    if matches!(description.kind, XC_TY_FLOAT | XC_TY_BOOL) {
        return unnamed(description, word);
    }
    let value = number(description, bits, word);
    let named = enumerator(program, table, of, value).map(str::to_owned).or_else(|| letter(program, table, of, value));
    named.unwrap_or_else(|| value.to_string())
}

/// The value of a leaf that is not a pointer, as a number and nothing else.
#[must_use]
pub fn plain(table: &TypeTable, of: u32, bits: u16, word: u64) -> String {
    let description = table.get(of);
    match (description.kind, description.size) {
        (XC_TY_FLOAT, 4) => format!("{:?}", f32::from_bits(word as u32)),
        (XC_TY_FLOAT, 8) => format!("{:?}", f64::from_bits(word)),
        (XC_TY_BOOL, _) => unnamed(description, word),
        _ => number(description, bits, word).to_string(),
    }
}

/// The value of a leaf that is not a pointer, as a C expression of its type. `called` says what enumerators are called where it stands.
#[must_use]
pub fn literal(program: &Program, table: &TypeTable, of: u32, bits: u16, word: u64, called: &dyn Fn(&str) -> Option<String>) -> String {
    let description = table.get(of);
    match (description.kind, description.size) {
        (XC_TY_FLOAT | XC_TY_BOOL, _) => unnamed(description, word),
        _ => {
            let value = number(description, bits, word);
            match enumerator(program, table, of, value) {
                Some(name) => called(name).unwrap_or_else(|| integer(description, value)),
                None => letter(program, table, of, value).unwrap_or_else(|| integer(description, value)),
            }
        }
    }
}

/// A float or a truth value.
fn unnamed(description: XcType, word: u64) -> String {
    match (description.kind, description.size) {
        (XC_TY_FLOAT, 4) => float(f64::from(f32::from_bits(word as u32)), &format!("{:?}", f32::from_bits(word as u32)), word << 32, "f"),
        (XC_TY_FLOAT, 8) => float(f64::from_bits(word), &format!("{:?}", f64::from_bits(word)), word, ""),
        (XC_TY_BOOL, _) => u64::from(word & 1 == 1).to_string(),
        _ => word.to_string(),
    }
}

fn letter(program: &Program, table: &TypeTable, of: u32, value: i128) -> Option<String> {
    let letter = char::from(u8::try_from(value).ok().filter(|b| (0x20..0x7f).contains(b) && table.is_char(program, of))?);
    Some(if letter == '\'' || letter == '\\' { format!("'\\{letter}'") } else { format!("'{letter}'") })
}

fn integer(description: XcType, value: i128) -> String {
    let suffix = match (description.flags & XC_SIGNED != 0, description.size) {
        (false, 4) => "u",
        (false, 8) => "ul",
        (true, 8) => "l",
        _ => "",
    };
    // The most negative numbers have no literal of their own type.
    if value == i128::from(i64::MIN) || value == i128::from(i32::MIN) {
        return format!("(-{}{suffix} - 1)", -(value + 1));
    }
    format!("{value}{suffix}")
}

/// `word` has the sign in bit 63 in both precisions.
fn float(value: f64, text: &str, word: u64, suffix: &str) -> String {
    let sign = if word >> 63 == 1 { "-" } else { "" };
    if value.is_nan() {
        let (mantissa, quiet) = if suffix == "f" { ((word >> 32) & 0x7f_ffff, 1 << 22) } else { (word & 0xf_ffff_ffff_ffff, 1 << 51) };
        let (name, payload) = if mantissa & quiet != 0 { ("__builtin_nan", mantissa & !quiet) } else { ("__builtin_nans", mantissa) };
        return format!("{sign}{name}{suffix}(\"{payload:#x}\")");
    }
    if value.is_infinite() {
        return format!("{sign}__builtin_inf{suffix}()");
    }
    format!("{text}{suffix}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TypeTable {
        let ty = |kind, size, flags| XcType { kind, size, flags, ..XcType::default() };
        let types = vec![ty(1, 4, 1), ty(1, 4, 0), ty(1, 8, 1), ty(3, 4, 0), ty(3, 8, 0), ty(2, 1, 0), ty(1, 8, 0)];
        TypeTable { types, ..TypeTable::default() }
    }

    #[test]
    fn what_is_shown_is_read_back() {
        let (program, table) = (Program::default(), table());
        let words = [0u64, 1, 5, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, u64::MAX, 1 << 63, 0x7ff8_0000_0000_0001, 0x3ff8_0000_0000_0000];
        for of in 0..7u32 {
            let bits = if table.get(of).kind == XC_TY_BOOL { 1 } else { (table.get(of).size * 8) as u16 };
            let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            for word in words {
                let text = show(&program, &table, of, bits, word & mask);
                assert_eq!(parse(&text).unwrap() & mask, word & mask, "{text}");
            }
        }
    }

    #[test]
    fn literals_are_c() {
        let (program, table) = (Program::default(), table());
        let literal = |of, bits, word| super::literal(&program, &table, of, bits, word, &|_| None);
        assert_eq!(literal(0, 32, 0xffff_ffff), "-1");
        assert_eq!(literal(0, 32, 0x8000_0000), "(-2147483647 - 1)");
        assert_eq!(literal(1, 32, 0xffff_ffff), "4294967295u");
        assert_eq!(literal(2, 64, 1 << 63), "(-9223372036854775807l - 1)");
        assert_eq!(literal(0, 3, 7), "-1");
        assert_eq!(literal(3, 32, 0x3fc0_0000), "1.5f");
        assert_eq!(literal(4, 64, 0x8000_0000_0000_0000), "-0.0");
        assert_eq!(literal(4, 64, 0x7ff0_0000_0000_0000), "__builtin_inf()");
        assert_eq!(literal(3, 32, 0xffc0_0001), "-__builtin_nanf(\"0x1\")");
        assert_eq!(literal(5, 1, 1), "1");
        assert_eq!(readable(&program, &table, 6, 64, 7), "7");
        assert_eq!(readable(&program, &table, 0, 32, 0x8000_0000), "-2147483648");
    }
}
