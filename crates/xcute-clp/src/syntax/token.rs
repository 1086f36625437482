//! The tokens of Prolog text.

use num_bigint::BigInt;

use super::Atom;

/// What a token is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A name; `functional` when an opening bracket follows at once.
    Name {
        atom: Atom,
        quoted: bool,
        functional: bool,
    },
    /// A variable.
    Var(&'a str),
    Integer(BigInt),
    Float(f64),
    /// Text in double quotes.
    String(String),
    /// Text in back quotes.
    Codes(String),
    /// One of `( ) [ ] { } , |`.
    Punctuation(u8),
    /// The full stop.
    End,
    EndOfFile,
}

/// A token and its place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Placed<'a> {
    pub token: Token<'a>,
    pub start: u32,
    pub end: u32,
    /// Whether layout or a comment stands before it.
    pub layout: bool,
}
