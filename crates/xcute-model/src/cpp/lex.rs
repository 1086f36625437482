//! Tokens of C++, without comments, preprocessor lines and the contents of literals.

/// A token.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Tok<'a> {
    /// A name or keyword.
    Word(&'a str),
    /// A number.
    Number(&'a str),
    /// A text or character literal.
    Literal,
    /// A single character of punctuation, or `::`.
    Mark(&'a str),
}

impl<'a> Tok<'a> {
    /// Whether it is this word or mark.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        matches!(self, Tok::Word(t) | Tok::Mark(t) if *t == text)
    }

    /// The word, if it is one.
    #[must_use]
    pub fn word(&self) -> Option<&'a str> {
        match self {
            Tok::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// The tokens of a text. What is not C++ gives some tokens, too: the compiler will say so.
#[must_use]
pub fn lex(text: &str) -> Vec<Tok<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut fresh_line = true;
    while let Some(c) = rest.chars().next() {
        if c == '\n' {
            fresh_line = true;
            rest = &rest[1..];
        } else if c.is_whitespace() {
            rest = &rest[c.len_utf8()..];
        } else if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            rest = rest.find("*/").map_or("", |end| &rest[end + 2..]);
        } else if c == '#' && fresh_line {
            rest = after_directive(rest);
        } else {
            fresh_line = false;
            let (token, length) = token(rest, c);
            tokens.push(token);
            rest = &rest[length..];
        }
    }
    tokens
}

fn token(rest: &str, c: char) -> (Tok<'_>, usize) {
    if c == '"' || c == '\'' {
        return (Tok::Literal, literal(rest, c));
    }
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    if word > 0 {
        let text = &rest[..word];
        let token = if c.is_ascii_digit() { Tok::Number(text) } else { Tok::Word(text) };
        return (token, word);
    }
    let length = if rest.starts_with("::") { 2 } else { c.len_utf8() };
    (Tok::Mark(&rest[..length]), length)
}

/// The length of a literal with its quotes; it ends with the line at the latest.
fn literal(rest: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

fn after_directive(mut rest: &str) -> &str {
    loop {
        let end = rest.find('\n').unwrap_or(rest.len());
        let continued = rest[..end].ends_with('\\');
        rest = &rest[end..];
        if !continued || rest.is_empty() {
            return rest;
        }
        rest = &rest[1..];
    }
}

/// Tokens as text again, with single spaces between words.
#[must_use]
pub fn joined(tokens: &[Tok<'_>]) -> String {
    let mut out = String::new();
    for token in tokens {
        let (piece, word) = match token {
            Tok::Word(word) | Tok::Number(word) => (*word, true),
            Tok::Mark(mark) => (*mark, false),
            Tok::Literal => ("\"\"", false),
        };
        if word && out.ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            out.push(' ');
        }
        out.push_str(piece);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_directives_and_literals_are_hidden() {
        let words: Vec<_> = lex("#include <x> \\\n y\na /* b */ \"c \\\" d\" 'e' // f\n::g 12u").into_iter().collect();
        assert_eq!(words, [Tok::Word("a"), Tok::Literal, Tok::Literal, Tok::Mark("::"), Tok::Word("g"), Tok::Number("12u")]);
    }

    #[test]
    fn broken_text_ends() {
        assert_eq!(lex("\"abc\nx").len(), 2);
        assert_eq!(lex("/* abc").len(), 0);
        assert_eq!(lex("# \\").len(), 0);
    }
}
