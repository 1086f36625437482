//! Atoms, strings and floats as text that is read as the same.

use std::borrow::Cow;

use super::lexer::{is_identifier, is_symbol};
use super::{Atom, Atoms};

/// The text of an atom, in quotes if it needs them.
pub(crate) fn atom_text(atoms: &Atoms, atom: Atom) -> Cow<'_, str> {
    let name = atoms.name(atom);
    // The atom '[]' has the spelling of the empty list, which is another.
    if atom == Atom::NIL || (name != "[]" && needs_no_quotes(name) && name.chars().all(|c| c <= '\u{ff}')) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(quoted(name, '\''))
    }
}

/// Whether a name is read as itself without quotes. SWI-Prolog also does without them for letters beyond Latin-1 when reading, but writes them.
pub(super) fn needs_no_quotes(name: &str) -> bool {
    let Some(first) = name.chars().next() else { return false };
    match name {
        "!" | ";" | "{}" | "[]" => return true,
        "." => return false,
        _ => {}
    }
    if first.is_lowercase() && first.is_alphabetic() {
        return name.chars().all(is_identifier);
    }
    !name.starts_with("/*") && name.chars().all(is_symbol)
}

/// A text in quotes, with escapes.
pub fn quoted(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push(quote);
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0b' => out.push_str("\\v"),
            '\x0c' => out.push_str("\\f"),
            c if c == quote => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() || is_invisible(c) => out.push_str(&format!("\\x{:X}\\", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push(quote);
    out
}

fn is_invisible(c: char) -> bool {
    (c.is_whitespace() && c != ' ')
        || matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
}

/// A float with as few digits as make it, and always a point.
pub fn float(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "1.0Inf" } else { "-1.0Inf" }.to_owned();
    }
    if value.is_nan() {
        return "1.5NaN".to_owned();
    }
    let scientific = format!("{value:e}");
    let (digits, exponent) = scientific.split_once('e').expect("the format has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    // A number with a fraction is written plainly, however large.
    let fraction = digits.trim_start_matches('-').len() as i32 - 2 > exponent;
    if exponent >= -4 && (exponent < 15 || fraction) {
        let plain = value.to_string();
        return if plain.contains('.') { plain } else { format!("{plain}.0") };
    }
    let point = if digits.contains('.') { "" } else { ".0" };
    format!("{digits}{point}e{exponent:+}")
}
