//! The tokeniser: from text to [`Token`]s, as ISO 13211-1 section 6.4 and SWI-Prolog 9 have it.
//!
//! **Invariant.** Every call moves on by at least one byte, or gives [`Token::EndOfFile`].

use super::error::Problem;
use super::token::{Placed, Token};
use super::{Atom, Atoms, number, quoted};

/// A text and how far it is read.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
}

/// A problem and the bytes it is about.
#[derive(Debug)]
pub(super) struct Located {
    pub problem: Problem,
    pub start: u32,
    pub end: u32,
}

impl<'a> Lexer<'a> {
    /// Begins at the first byte, after a line `#!`.
    pub fn new(text: &'a str) -> Lexer<'a> {
        let at = if text.starts_with("#!") { text.find('\n').unwrap_or(text.len()) } else { 0 };
        Lexer { text, at }
    }

    /// How far the text is read.
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Goes on elsewhere.
    pub(crate) fn seek(&mut self, offset: usize) {
        self.at = offset;
    }

    /// A piece of the text.
    pub fn text(&self, start: u32, end: u32) -> &'a str {
        &self.text[start as usize..end as usize]
    }

    /// Whether layout comes next, or nothing.
    pub(crate) fn at_layout(&self) -> bool {
        self.text[self.at..].chars().next().is_none_or(|c| c.is_whitespace() || c == '%')
    }

    /// The next token. Where an operator must come (`after_operand`), a minus is never part of a number.
    pub fn next(&mut self, atoms: &mut Atoms, after_operand: bool) -> Result<Placed<'a>, Located> {
        let before = self.at;
        self.skip_layout()?;
        let layout = self.at > before;
        let start = self.at;
        let token = self.token(atoms, after_operand).map_err(|(problem, from, to)| {
            let located = Located { problem, start: (start + from) as u32, end: (start + to) as u32 };
            // What was wrong is passed over, so that reading can go on after it.
            self.at = self.at.max(start + 1);
            while !self.text.is_char_boundary(self.at) {
                self.at += 1;
            }
            located
        })?;
        Ok(Placed { token, start: start as u32, end: self.at as u32, layout })
    }

    fn skip_layout(&mut self) -> Result<(), Located> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.at) {
                Some(byte) if byte.is_ascii_whitespace() || *byte == 0x0b => self.at += 1,
                Some(b'%') => self.at += self.text[self.at..].find('\n').unwrap_or(self.text.len() - self.at),
                Some(b'/') if bytes.get(self.at + 1) == Some(&b'*') => match self.text[self.at + 2..].find("*/") {
                    Some(length) => self.at += length + 4,
                    None => {
                        let start = self.at as u32;
                        self.at = self.text.len();
                        return Err(Located { problem: Problem::EndOfFileInComment, start, end: start + 2 });
                    }
                },
                Some(byte) if !byte.is_ascii() => match self.text[self.at..].chars().next() {
                    Some(c) if c.is_whitespace() || c == '\u{feff}' => self.at += c.len_utf8(),
                    _ => return Ok(()),
                },
                _ => return Ok(()),
            }
        }
    }

    fn token(&mut self, atoms: &mut Atoms, after_operand: bool) -> Result<Token<'a>, (Problem, usize, usize)> {
        let rest = &self.text[self.at..];
        let Some(c) = rest.chars().next() else { return Ok(Token::EndOfFile) };
        let mut number = |rest: &str, skipped: usize| {
            let (token, length) = number::read(rest).map_err(|problem| (problem, 0, skipped + 1))?;
            self.at += skipped + length;
            Ok(token)
        };
        match c {
            '0'..='9' => number(rest, 0),
            '-' if !after_operand && rest[1..].starts_with(|c: char| c.is_ascii_digit()) => Ok(match number(&rest[1..], 1)? {
                Token::Integer(value) => Token::Integer(-value),
                Token::Float(value) => Token::Float(-value),
                other => other,
            }),
            '(' | ')' | ',' => self.punctuation(1, c),
            '[' | '{' => self.bracket(c),
            ']' | '}' => self.punctuation(1, c),
            '|' if rest.starts_with("||") => Err((Problem::QuasiQuotation, 0, 2)),
            '|' => self.punctuation(1, c),
            '!' | ';' => self.name(atoms, 1),
            '\'' | '"' | '`' => self.quoted(atoms, c),
            '_' => self.variable(),
            c if c.is_alphabetic() => {
                if c.is_uppercase() || unicode_titlecase(c) {
                    return self.variable();
                }
                let length = identifier(rest);
                self.tag(rest, length, after_operand)?;
                self.name(atoms, length)
            }
            c if is_symbol(c) => {
                let length = rest.find(|c| !is_symbol(c)).unwrap_or(rest.len());
                if length == 1 && c == '.' {
                    let next = rest[1..].chars().next();
                    if next.is_none_or(|c| c.is_whitespace() || c == '%') {
                        self.at += 1;
                        return Ok(Token::End);
                    }
                    if after_operand && next.is_some_and(|c| c.is_alphabetic() || c == '_') {
                        return Err((Problem::Dict, 0, 1));
                    }
                }
                self.tag(rest, length, after_operand)?;
                self.name(atoms, length)
            }
            c => Err((Problem::Character(c), 0, c.len_utf8())),
        }
    }

    fn punctuation(&mut self, length: usize, c: char) -> Result<Token<'a>, (Problem, usize, usize)> {
        self.at += length;
        Ok(Token::Punctuation(c as u8))
    }

    /// An opening bracket, or one of the names `[]` and `{}`, in which layout may stand.
    fn bracket(&mut self, open: char) -> Result<Token<'a>, (Problem, usize, usize)> {
        if self.text[self.at..].starts_with("{|") {
            return Err((Problem::QuasiQuotation, 0, 2));
        }
        let start = self.at;
        self.at += 1;
        let (close, atom) = if open == '[' { (b']', Atom::NIL) } else { (b'}', Atom::CURLY) };
        let after = self.at;
        self.skip_layout().map_err(|located| (located.problem, located.start as usize - start, located.end as usize - start))?;
        if self.text.as_bytes().get(self.at) == Some(&close) {
            self.at += 1;
            return Ok(Token::Name { atom, quoted: false, functional: self.functional() });
        }
        self.at = after;
        Ok(Token::Punctuation(open as u8))
    }

    /// Refuses a name that is the tag of a dict; after an operand it is an operator, as in `a-->{b}`.
    fn tag(&self, rest: &str, length: usize, after_operand: bool) -> Result<(), (Problem, usize, usize)> {
        if !after_operand && rest[length..].starts_with('{') { Err((Problem::Dict, 0, length + 1)) } else { Ok(()) }
    }

    fn functional(&self) -> bool {
        self.text.as_bytes().get(self.at) == Some(&b'(')
    }

    fn name(&mut self, atoms: &mut Atoms, length: usize) -> Result<Token<'a>, (Problem, usize, usize)> {
        let atom = atoms.intern(&self.text[self.at..self.at + length]);
        self.at += length;
        Ok(Token::Name { atom, quoted: false, functional: self.functional() })
    }

    fn variable(&mut self) -> Result<Token<'a>, (Problem, usize, usize)> {
        let rest = &self.text[self.at..];
        let length = identifier(rest);
        match rest.as_bytes().get(length) {
            Some(b'{') => Err((Problem::Dict, 0, length + 1)),
            Some(b'(') => Err((Problem::VariableFunctor, 0, length + 1)),
            _ => {
                self.at += length;
                Ok(Token::Var(&rest[..length]))
            }
        }
    }

    fn quoted(&mut self, atoms: &mut Atoms, quote: char) -> Result<Token<'a>, (Problem, usize, usize)> {
        let rest = &self.text[self.at..];
        let (value, length) = quoted::read(rest).map_err(|(problem, at)| {
            // A quote that is never closed was probably meant to end on its line.
            self.at += match problem {
                Problem::EndOfFileInQuotes => line_end(rest),
                _ => at + 1,
            };
            (problem, at, at + 1)
        })?;
        self.at += length;
        Ok(match quote {
            '"' => Token::String(value),
            '`' => Token::Codes(value),
            _ => Token::Name { atom: atoms.intern(&value), quoted: true, functional: self.functional() },
        })
    }
}

/// The end of the first line, before its full stop if it has one.
fn line_end(text: &str) -> usize {
    let line = text.lines().next().unwrap_or_default().trim_end();
    if line.ends_with('.') { line.len() - 1 } else { line.len() }
}

/// The length of the letters, digits and underscores at the beginning.
fn identifier(text: &str) -> usize {
    text.find(|c: char| !is_identifier(c)).unwrap_or(text.len())
}

/// Whether a name may go on with this character.
pub(super) fn is_identifier(c: char) -> bool {
    // Superscripts and the like are numeric, but no part of names.
    c.is_ascii_digit() || c == '_' || c.is_alphabetic()
}

/// Whether names like `=..` are made of this character.
pub(super) fn is_symbol(c: char) -> bool {
    match c {
        '#' | '$' | '&' | '*' | '+' | '-' | '.' | '/' | ':' | '<' | '=' | '>' | '?' | '@' | '^' | '~' | '\\' => true,
        c => !c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control(),
    }
}

fn unicode_titlecase(c: char) -> bool {
    matches!(c, '\u{1c5}' | '\u{1c8}' | '\u{1cb}' | '\u{1f2}')
}
