//! The tokens of Art: names, numbers, texts, punctuation, and C++ between backticks.
//!
//! Comments are skipped. A line comment `// xcute:KEY VALUE` outside of all braces is a token of its own: it carries what Art has no
//! construct for (the dialect of the action code, the top capsule, the file of file-level snippets), and other tools pass over it.

use std::sync::Arc;

use crate::error::{ModelError, Result};
use crate::ir::{Code, Place};

/// A kind of token.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// A name or keyword.
    Word(String),
    /// A number.
    Number(u32),
    /// A text in double quotes.
    Text(String),
    /// C++ between backticks.
    Code(Code),
    /// Punctuation.
    Mark(&'static str),
    /// Key and value of a comment for xcute.
    Pragma(String, String),
    /// The end of the file.
    End,
}

/// A token and where it stands.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// Where its first character stands.
    pub place: Place,
}

/// Longer marks come before those they begin with.
const MARKS: &[&str] = &["->", "[[", "]]", "::", "..", "{", "}", "[", "]", "(", ")", ",", ";", ":", "~", ".", "*", "=", "<", ">", "&"];

/// All tokens of a text; the last one is [`Kind::End`].
pub fn tokens(file: &Arc<str>, text: &str) -> Result<Vec<Token>> {
    let mut lexer = Lexer { file: file.clone(), rest: text.trim_start_matches('\u{feff}'), line: 1, column: 1, depth: 0 };
    let mut found = Vec::new();
    loop {
        let token = lexer.token()?;
        let end = token.kind == Kind::End;
        found.push(token);
        if end {
            return Ok(found);
        }
    }
}

struct Lexer<'a> {
    file: Arc<str>,
    rest: &'a str,
    line: u32,
    column: u32,
    depth: u32,
}

impl Lexer<'_> {
    fn place(&self) -> Place {
        Place { file: self.file.clone(), line: self.line, column: self.column, id: None }
    }

    /// Passes over a number of bytes.
    fn skip(&mut self, bytes: usize) {
        let (skipped, rest) = self.rest.split_at(bytes);
        for c in skipped.chars() {
            if c == '\n' {
                self.line += 1;
                self.column = 1;
            } else {
                self.column += 1;
            }
        }
        self.rest = rest;
    }

    fn token(&mut self) -> Result<Token> {
        loop {
            self.skip(self.rest.len() - self.rest.trim_start().len());
            let place = self.place();
            if self.rest.starts_with("//") {
                let comment = self.rest.lines().next().unwrap_or_default();
                let pragma = comment.strip_prefix("// xcute:").filter(|_| self.depth == 0).and_then(|text| text.trim().split_once(' '));
                self.skip(comment.len());
                if let Some((key, value)) = pragma {
                    return Ok(Token { kind: Kind::Pragma(key.to_owned(), value.trim().to_owned()), place });
                }
            } else if self.rest.starts_with("/*") {
                let end = self.rest.find("*/").ok_or_else(|| ModelError::new(&place, "the comment has no end (add \"*/\")"))?;
                self.skip(end + 2);
            } else {
                return Ok(Token { kind: self.kind(&place)?, place });
            }
        }
    }

    fn kind(&mut self, place: &Place) -> Result<Kind> {
        let Some(first) = self.rest.chars().next() else { return Ok(Kind::End) };
        if first == '`' {
            return self.code(place);
        }
        if first == '"' {
            let end = self.rest[1..].find(['"', '\n']).filter(|end| self.rest[1 + end..].starts_with('"'));
            let end = end.ok_or_else(|| ModelError::new(place, "the text has no end (add a double quote)"))?;
            let text = self.rest[1..=end].to_owned();
            self.skip(end + 2);
            return Ok(Kind::Text(text));
        }
        let length = self.rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        if length > 0 {
            let word = self.rest[..length].to_owned();
            self.skip(length);
            return if first.is_ascii_digit() {
                let number = word.parse().map_err(|_| ModelError::new(place, format!("\"{word}\" is not a number that fits")))?;
                Ok(Kind::Number(number))
            } else {
                Ok(Kind::Word(word))
            };
        }
        let Some(mark) = MARKS.iter().find(|mark| self.rest.starts_with(**mark)) else {
            return Err(ModelError::new(place, format!("unexpected character '{first}'")));
        };
        self.depth = match *mark {
            "{" => self.depth + 1,
            "}" => self.depth.saturating_sub(1),
            _ => self.depth,
        };
        self.skip(mark.len());
        Ok(Kind::Mark(mark))
    }

    /// C++ up to the next backtick without a backslash before it.
    fn code(&mut self, place: &Place) -> Result<Kind> {
        self.skip(1);
        let start = self.place();
        let mut text = String::new();
        loop {
            let at = self.rest.find('`').ok_or_else(|| ModelError::new(place, "the C++ code has no end (add a backtick)"))?;
            let escaped = self.rest[..at].ends_with('\\');
            text.push_str(&self.rest[..at - usize::from(escaped)]);
            self.skip(at + 1);
            if !escaped {
                return Ok(Kind::Code(Code::new(&text, start)));
            }
            text.push('`');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        tokens(&"t.art".into(), text).unwrap().into_iter().map(|token| token.kind).collect()
    }

    #[test]
    fn comments_are_passed_over_and_pragmas_are_not() {
        let all = kinds("// xcute:top Top\n/* a\n b */ capsule // c\n{ // xcute:top Other\n}");
        let expected =
            vec![Kind::Pragma("top".into(), "Top".into()), Kind::Word("capsule".into()), Kind::Mark("{"), Kind::Mark("}"), Kind::End];
        assert_eq!(all, expected);
    }

    #[test]
    fn code_may_contain_backticks() {
        let all = kinds(r"`a \` b \\n`");
        assert_eq!(all[0], Kind::Code(Code::new(r"a ` b \\n", Place::default())));
    }

    #[test]
    fn places_are_those_of_the_file() {
        let all = tokens(&"t.art".into(), "a\n  `x`").unwrap();
        assert_eq!(all[1].place.to_string(), "t.art:2:3");
        let Kind::Code(code) = &all[1].kind else { panic!("code") };
        assert_eq!(code.place.to_string(), "t.art:2:4");
    }

    #[test]
    fn what_has_no_end_is_an_error_with_its_place() {
        for (text, message) in
            [("a `b", "t.art:1:3: the C++ code has no end"), ("/* x", "t.art:1:1: the comment has no end"), (" \"x\n\"", "t.art:1:2")]
        {
            let error = tokens(&"t.art".into(), text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
