//! Text in quotes: doubled quotes and the escape sequences of ISO and SWI-Prolog.
//!
//! **Invariant.** Every quoted text ends at its quote; one that does not gives an error at its beginning, however long the rest is.

use super::error::Problem;

/// What an escape sequence stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Escaped {
    Char(char),
    /// A line continued, or `\c`.
    Nothing,
}

/// A problem and its place in the text, relative to its beginning.
pub(super) type Misplaced = (Problem, usize);

/// Reads the quoted text at the beginning of `text`, which starts with its quote; gives also its length in bytes.
pub(super) fn read(text: &str) -> Result<(String, usize), Misplaced> {
    let quote = text.chars().next().expect("begins with a quote");
    let mut value = String::new();
    let mut at = 1;
    loop {
        let Some(c) = text[at..].chars().next() else { return Err((Problem::EndOfFileInQuotes, 0)) };
        let next = at + c.len_utf8();
        if c == quote {
            if !text[next..].starts_with(quote) {
                return Ok((value, next));
            }
            value.push(quote);
            at = next + 1;
        } else if c == '\\' {
            let (escaped, length) = escape(&text[next..], quote).map_err(|problem| (problem, at))?;
            if let Escaped::Char(c) = escaped {
                value.push(c);
            }
            at = next + length;
        } else {
            value.push(c);
            at = next;
        }
    }
}

/// Reads what follows a backslash; gives also its length in bytes.
pub(super) fn escape(text: &str, quote: char) -> Result<(Escaped, usize), Problem> {
    let Some(c) = text.chars().next() else { return Err(Problem::EndOfFileInQuotes) };
    let plain = match c {
        'a' => '\x07',
        'b' => '\x08',
        'e' => '\x1b',
        'f' => '\x0c',
        'n' => '\n',
        'r' => '\r',
        's' => ' ',
        't' => '\t',
        'v' => '\x0b',
        '\\' | '\'' | '"' | '`' => c,
        // SWI-Prolog passes over the blanks at the beginning of the next line too.
        '\n' => return Ok((Escaped::Nothing, 1 + blanks(&text[1..], |c| c.is_whitespace() && c != '\n'))),
        '\r' if text[1..].starts_with('\n') => return Ok((Escaped::Nothing, 2 + blanks(&text[2..], |c| c.is_whitespace() && c != '\n'))),
        'c' => return Ok((Escaped::Nothing, 1 + blanks(&text[1..], char::is_whitespace))),
        'u' => return fixed(text, 4),
        'U' => return fixed(text, 8),
        'x' => return closed(text, 1, 16),
        '0'..='7' => return closed(text, 0, 8),
        other if other == quote => c,
        other => return Err(Problem::Escape(other)),
    };
    Ok((Escaped::Char(plain), c.len_utf8()))
}

fn blanks(text: &str, blank: impl Fn(char) -> bool) -> usize {
    text.len() - text.trim_start_matches(blank).len()
}

/// `\uXXXX` and `\UXXXXXXXX`.
fn fixed(text: &str, digits: usize) -> Result<(Escaped, usize), Problem> {
    let code = text.get(1..=digits).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit())).ok_or(Problem::CharacterCode)?;
    let code = u32::from_str_radix(code, 16).map_err(|_| Problem::CharacterCode)?;
    Ok((Escaped::Char(char::from_u32(code).ok_or(Problem::CharacterCode)?), digits + 1))
}

/// `\xH…\` and `\O…\`, where the last backslash may be missing.
fn closed(text: &str, start: usize, radix: u32) -> Result<(Escaped, usize), Problem> {
    let digits = text[start..].bytes().take_while(|&byte| char::from(byte).is_digit(radix)).count();
    if digits == 0 {
        return Err(Problem::Escape('x'));
    }
    let end = start + digits;
    let code = u32::from_str_radix(&text[start..end], radix).ok().and_then(char::from_u32).ok_or(Problem::CharacterCode)?;
    Ok((Escaped::Char(code), end + usize::from(text[end..].starts_with('\\'))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_stand_for_characters() {
        for (text, expected, length) in [
            ("'it''s' x", "it's", 7),
            ("'\\x41\\b'", "Ab", 8),
            ("'\\101\\b\\x42c'", "Ab\u{42c}", 13),
            ("'\\u00e9\\U0001F600'", "é😀", 18),
            ("\"a\\\nb\"", "ab", 6),
            ("'a\\c \n  b'", "ab", 10),
            ("`\\``", "`", 4),
            ("''", "", 2),
            ("'a\nb'", "a\nb", 5),
            ("'a\\\n  b'", "ab", 8),
        ] {
            assert_eq!(read(text), Ok((expected.to_owned(), length)), "{text}");
        }
    }

    #[test]
    fn what_does_not_end_is_an_error_at_its_beginning() {
        assert_eq!(read("'abc"), Err((Problem::EndOfFileInQuotes, 0)));
        assert_eq!(read("'ab\\z'"), Err((Problem::Escape('z'), 3)));
        assert_eq!(read("'\\xffffffff\\'"), Err((Problem::CharacterCode, 1)));
    }
}
