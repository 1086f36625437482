//! Dictionaries of fuzzers: byte strings that inputs are made of, as AFL++ and libFuzzer read them.
//!
//! **Invariant.** A line is empty, a comment, or `name="bytes"` with `\\`, `\"` and `\xNN`; the name, with or without `@level`, may be left out. Anything else is an error.

use std::path::Path;

use anyhow::{Context, Result, bail};

/// Reads a dictionary.
pub fn read(path: &Path) -> Result<Vec<Vec<u8>>> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut words = Vec::new();
    for (number, line) in text.split(|&byte| byte == b'\n').enumerate() {
        let line = line.trim_ascii();
        if line.is_empty() || line.starts_with(b"#") {
            continue;
        }
        let Some(word) = word(line) else {
            bail!("cannot understand line {} of {} (a line is name=\"bytes\", with \\xNN)", number + 1, path.display());
        };
        words.push(word);
    }
    Ok(words)
}

/// The bytes of a line.
fn word(line: &[u8]) -> Option<Vec<u8>> {
    let quote = line.iter().position(|&byte| byte == b'"')?;
    let (name, quoted) = (line[..quote].trim_ascii(), line.get(quote + 1..)?);
    if !name.is_empty() && name.last() != Some(&b'=') {
        return None;
    }
    let mut rest = quoted.strip_suffix(b"\"")?;
    let mut out = Vec::new();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'"' {
            return None;
        }
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let (&escape, after) = rest.split_first()?;
        rest = after;
        match escape {
            b'\\' | b'"' => out.push(escape),
            b'x' => {
                let (digits, after) = rest.split_at_checked(2)?;
                out.push(u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?);
                rest = after;
            }
            _ => return None,
        }
    }
    (!out.is_empty()).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_both_tools_are_read() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("words.dict");
        std::fs::write(&file, "# comment\n\nkw1=\"GET\"\n\"a\\\\b\\\"\\x00\\xfF\"\n  deep@2 = \"x=y\"  \n").unwrap();
        assert_eq!(read(&file).unwrap(), [&b"GET"[..], b"a\\b\"\0\xff", b"x=y"]);
        for bad in ["GET", "kw \"GET\"", "kw=\"GET", "\"\\x0\"", "\"\\n\"", "\"\"", "\"a\"b\"", "\"\\\""] {
            std::fs::write(&file, format!("\"ok\"\n{bad}\n")).unwrap();
            let error = read(&file).unwrap_err().to_string();
            assert!(error.contains("line 2"), "{bad}: {error}");
        }
        assert!(read(&place.path().join("none")).is_err());
    }
}
