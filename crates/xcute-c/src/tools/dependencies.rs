//! What a file was made of, as compilers list it for `make`.

use std::path::PathBuf;

/// The files after the colon; a backslash before a space, or before the end of a line, takes away its meaning.
#[must_use]
pub(crate) fn dependencies(text: &str) -> Vec<PathBuf> {
    let Some((_, files)) = text.split_once(": ") else { return Vec::new() };
    let (mut out, mut name, mut escaped) = (Vec::new(), String::new(), false);
    for letter in files.chars().chain(['\n']) {
        match (escaped, letter) {
            (false, '\\') => escaped = true,
            (true, '\n') => escaped = false,
            (false, letter) if letter.is_whitespace() => {
                if !name.is_empty() {
                    out.push(PathBuf::from(std::mem::take(&mut name)));
                }
            }
            (was, letter) => {
                if was && !matches!(letter, ' ' | '#' | '\\') {
                    name.push('\\');
                }
                name.push(letter);
                escaped = false;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_read_as_make_does() {
        let text = "a.o: /x/a.c \\\n  /x/with\\ space.h /x/b.h\n";
        assert_eq!(dependencies(text), ["/x/a.c", "/x/with space.h", "/x/b.h"].map(PathBuf::from));
        assert!(dependencies("nothing").is_empty());
    }
}
