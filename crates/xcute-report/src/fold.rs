//! Arrays among the inputs, on one line: `line[0..7] = "ab\0c"`, `a[0..3] = {1, -2, 0}`.
//!
//! **Invariant.** Nothing is left out but a tail of zeros, as in C's own initialisers.

use std::borrow::Cow;

use crate::report::InputValue;

/// An array of fewer elements is shown element by element.
const FEW: usize = 4;

/// The inputs, with the elements of each array that follow each other as one. Those that are only counted cost no copy: a run may have a million inputs.
pub fn folded(inputs: &[InputValue]) -> impl Iterator<Item = Cow<'_, InputValue>> {
    let mut rest = inputs;
    std::iter::from_fn(move || {
        let first = rest.first()?;
        let run = element(&first.name).map_or(0, |(array, at)| {
            let follows = |(n, input): (usize, &InputValue)| element(&input.name) == Some((array, at + n)) && is_number(&input.value);
            rest.iter().enumerate().take_while(|(n, input)| follows((*n, input))).count()
        });
        if run < FEW {
            rest = &rest[1..];
            return Some(Cow::Borrowed(first));
        }
        let (array, at) = element(&first.name).unwrap_or(("", 0));
        let values: Vec<&str> = rest[..run].iter().map(|input| input.value.as_str()).collect();
        rest = &rest[run..];
        Some(Cow::Owned(InputValue { name: format!("{array}[{at}..{}]", at + run - 1), value: text(&values) }))
    })
}

/// `a[3]` is element 3 of `a`.
fn element(name: &str) -> Option<(&str, usize)> {
    let (array, index) = name.strip_suffix(']')?.rsplit_once('[')?;
    Some((array, index.parse().ok()?))
}

fn is_number(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '\'')
}

/// Characters as a string, if one of them is written as a character; other values in braces.
fn text(values: &[&str]) -> String {
    let used = values.iter().rposition(|v| *v != "0").map_or(0, |last| last + 1);
    let values = &values[..used];
    if values.iter().any(|v| v.ends_with('\''))
        && let Some(bytes) = values.iter().map(|v| byte(v)).collect::<Option<Vec<u8>>>()
    {
        return format!("\"{}\"", bytes.escape_ascii());
    }
    if values.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", values.join(", ")) }
}

fn byte(value: &str) -> Option<u8> {
    if let Some(c) = value.strip_prefix('\'').and_then(|v| v.strip_suffix('\'')) {
        return match c.as_bytes() {
            [b] | [b'\\', b @ (b'\'' | b'\\')] => Some(*b),
            [b'\\', b'n'] => Some(b'\n'),
            [b'\\', b't'] => Some(b'\t'),
            [b'\\', b'r'] => Some(b'\r'),
            _ => None,
        };
    }
    let value = value.split(' ').next().unwrap_or(value); // case files: 97 'a'
    value.parse::<u8>().ok().or_else(|| value.parse::<i8>().ok().map(i8::cast_unsigned))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(inputs: &[(&str, &str)]) -> Vec<String> {
        let inputs: Vec<InputValue> = inputs.iter().map(|(n, v)| InputValue { name: (*n).into(), value: (*v).into() }).collect();
        folded(&inputs).map(|i| format!("{} = {}", i.name, i.value)).collect()
    }

    #[test]
    fn elements_that_follow_each_other_are_one() {
        let a = [("n", "2"), ("a[0]", "1"), ("a[1]", "-2"), ("a[2]", "3"), ("a[3]", "0"), ("a[4]", "0"), ("b[0]", "7")];
        assert_eq!(shown(&a), ["n = 2", "a[0..4] = {1, -2, 3}", "b[0] = 7"]);
        assert_eq!(shown(&[("a[0]", "0"), ("a[1]", "0"), ("a[2]", "0"), ("a[3]", "0")]), ["a[0..3] = {0}"]);
        assert_eq!(shown(&[("a[0]", "1"), ("a[2]", "2"), ("a[3]", "3"), ("a[4]", "3")]).len(), 4, "a gap parts them");
    }

    #[test]
    fn characters_are_a_string() {
        let s = [("s[0]", "'a'"), ("s[1]", "0"), ("s[2]", "'\\''"), ("s[3]", "-1"), ("s[4]", "0")];
        assert_eq!(shown(&s), ["s[0..4] = \"a\\x00\\'\\xff\""]);
        let p = [("p[0]", "NULL"), ("p[1]", "NULL"), ("p[2]", "NULL"), ("p[3]", "NULL")];
        assert_eq!(shown(&p).len(), 4, "pointers are told one by one");
    }
}
