//! Numbers: decimal with digit groups, `0x 0o 0b`, `16'ff`, `0'c`, floats.
//!
//! **Invariant.** A number is read as far as SWI-Prolog reads it: `1.e` is the integer 1, `1 000` is one thousand.

use num_bigint::BigInt;

use super::error::Problem;
use super::quoted::{self, Escaped};
use super::token::Token;

/// Reads the number at the beginning of `text`, which starts with a digit; gives also its length in bytes.
pub(super) fn read(text: &str) -> Result<(Token<'static>, usize), Problem> {
    let bytes = text.as_bytes();
    if bytes[0] == b'0' {
        match bytes.get(1) {
            Some(b'\'') => {
                if let Some(found) = character(text)? {
                    return Ok(found);
                }
            }
            Some(b'x') => return Ok(radix(text, 2, 16).unwrap_or_else(zero)),
            Some(b'o') => return Ok(radix(text, 2, 8).unwrap_or_else(zero)),
            Some(b'b') => return Ok(radix(text, 2, 2).unwrap_or_else(zero)),
            _ => {}
        }
    }
    let (digits, mut end, grouped) = digits(bytes, 0, 10);
    let integer = |digits: &[u8], radix| BigInt::parse_bytes(digits, radix).expect("only digits were taken");
    if grouped {
        return Ok((Token::Integer(integer(&digits, 10)), end));
    }
    if bytes.get(end) == Some(&b'\'')
        && let Some(base) = std::str::from_utf8(&digits).ok().and_then(|digits| digits.parse::<u32>().ok())
        && (2..=36).contains(&base)
        && let Some(found) = radix(text, end + 1, base)
    {
        return Ok(found);
    }
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    if bytes.get(end) == Some(&b'r') && digit(end + 1) {
        return Err(Problem::Rational);
    }
    let mut float = false;
    if bytes.get(end) == Some(&b'.') && digit(end + 1) {
        float = true;
        end += 1;
        while digit(end) {
            end += 1;
        }
        for (name, value) in [("Inf", f64::INFINITY), ("NaN", f64::NAN)] {
            if text[end..].starts_with(name) {
                return Ok((Token::Float(value), end + name.len()));
            }
        }
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        if digit(end + 1 + sign) {
            float = true;
            end += 1 + sign;
            while digit(end) {
                end += 1;
            }
        }
    }
    if !float {
        return Ok((Token::Integer(integer(&digits, 10)), end));
    }
    match text[..end].parse::<f64>() {
        Ok(value) if value.is_finite() => Ok((Token::Float(value), end)),
        _ => Err(Problem::Number(text[..end].to_owned())),
    }
}

fn zero() -> (Token<'static>, usize) {
    (Token::Integer(BigInt::ZERO), 1)
}

fn radix(text: &str, start: usize, base: u32) -> Option<(Token<'static>, usize)> {
    let (digits, end, _) = digits(text.as_bytes(), start, base);
    (!digits.is_empty()).then(|| (Token::Integer(BigInt::parse_bytes(&digits, base).expect("only digits were taken")), end))
}

/// The digits from `at`, where they end, and whether there were groups: `1_000`, `1 000`, and `1_` at the end of a line.
fn digits(bytes: &[u8], mut at: usize, base: u32) -> (Vec<u8>, usize, bool) {
    let digit = |at: usize| bytes.get(at).copied().filter(|&byte| char::from(byte).is_digit(base));
    let mut digits = Vec::new();
    let mut grouped = false;
    loop {
        while let Some(byte) = digit(at) {
            digits.push(byte);
            at += 1;
        }
        let mut next = at;
        match bytes.get(at) {
            Some(b'_') if !digits.is_empty() => {
                next += 1;
                while bytes.get(next).is_some_and(u8::is_ascii_whitespace) {
                    next += 1;
                }
            }
            Some(b' ') if !digits.is_empty() && base == 10 => next += 1,
            _ => return (digits, at, grouped),
        }
        if digit(next).is_none() {
            return (digits, at, grouped);
        }
        grouped = true;
        at = next;
    }
}

/// `0'c`; `None` where it is a zero and then something else.
fn character(text: &str) -> Result<Option<(Token<'static>, usize)>, Problem> {
    let Some(c) = text[2..].chars().next() else { return Err(Problem::MissingCharacter) };
    let mut end = 2 + c.len_utf8();
    let code = match c {
        '\\' => match quoted::escape(&text[end..], '\'')? {
            (Escaped::Char(c), length) => {
                end += length;
                c
            }
            (Escaped::Nothing, _) => return Err(Problem::MissingCharacter),
        },
        '\'' => {
            end += usize::from(text[end..].starts_with('\''));
            c
        }
        c => c,
    };
    Ok(Some((Token::Integer(BigInt::from(u32::from(code))), end)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(text: &str) -> (i64, usize) {
        match read(text) {
            Ok((Token::Integer(value), end)) => (i64::try_from(value).unwrap(), end),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integers_end_where_they_must() {
        for (text, expected) in [
            ("0", (0, 1)),
            ("12.", (12, 2)),
            ("12.e", (12, 2)),
            ("1_000_000 ", (1_000_000, 9)),
            ("1_\n 5", (15, 5)),
            ("1 000", (1000, 5)),
            ("1  0", (1, 1)),
            ("0x1Fg", (31, 4)),
            ("0xg", (0, 1)),
            ("0b101", (5, 5)),
            ("0o17", (15, 4)),
            ("16'ff ", (255, 5)),
            ("37'ff ", (37, 2)),
            ("0'a", (97, 3)),
            ("0'''", (39, 4)),
            ("0''", (39, 3)),
            ("0'\\n", (10, 4)),
            ("0'\\x41\\", (65, 7)),
            ("0'ü", (252, 4)),
        ] {
            assert_eq!(integer(text), expected, "{text}");
        }
    }

    #[test]
    fn floats_need_digits_on_both_sides() {
        let float = |text: &str| match read(text) {
            Ok((Token::Float(value), end)) => (value, end),
            other => panic!("{text}: {other:?}"),
        };
        assert_eq!(float("1.5."), (1.5, 3));
        assert_eq!(float("1e10"), (1e10, 4));
        assert_eq!(float("1.0E-2x"), (0.01, 6));
        assert_eq!(float("1.0Inf"), (f64::INFINITY, 6));
        assert!(float("1.5NaN").0.is_nan());
        assert_eq!(read("1.0e999"), Err(Problem::Number("1.0e999".into())));
        assert_eq!(read("1r3"), Err(Problem::Rational));
    }
}
