//! From bytes to terms, in one pass with an explicit stack.
//!
//! The format is that of the ERTS user's guide ("External Term Format"), version 131, without the distribution header and without compression.

use num_bigint::{BigInt, Sign};
use thiserror::Error;

/// Builds terms of one representation.
pub trait Make {
    /// A term.
    type Term;
    /// A small integer.
    fn int(&mut self, value: i64) -> Self::Term;
    /// Any other integer.
    fn big(&mut self, value: BigInt) -> Self::Term;
    /// A float.
    fn float(&mut self, value: f64) -> Self::Term;
    /// An atom.
    fn atom(&mut self, name: &str) -> Self::Term;
    /// A bitstring; of the last byte only the first bits count where `bits` is not a multiple of eight.
    fn bits(&mut self, bytes: &[u8], bits: usize) -> Self::Term;
    /// The empty list.
    fn nil(&mut self) -> Self::Term;
    /// A list with this tail; it has at least one item.
    fn list(&mut self, items: Vec<Self::Term>, tail: Self::Term) -> Self::Term;
    /// A tuple.
    fn tuple(&mut self, items: Vec<Self::Term>) -> Self::Term;
    /// A map: keys and values in turns.
    fn map(&mut self, pairs: Vec<Self::Term>) -> Self::Term;
    /// `fun M:F/A`.
    fn external(&mut self, items: Vec<Self::Term>) -> Self::Term;
    /// A pid, port, reference or fun, by its bytes (without the version).
    fn other(&mut self, bytes: &[u8]) -> Self::Term;
}

/// Why bytes are not a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DecodeError {
    /// They end in the middle.
    #[error("a term ends too early")]
    Short,
    /// A tag that is not known.
    #[error("a term has the unknown tag {0}")]
    Tag(u8),
    /// Something after the term.
    #[error("there is something after a term")]
    Rest,
    /// An atom that is not UTF-8.
    #[error("an atom is not text")]
    Atom,
}

/// What is being built.
enum Kind {
    List,
    Tuple,
    Map,
    External,
}

struct Open {
    kind: Kind,
    /// How many parts are still to come.
    left: usize,
    /// Where its parts begin.
    start: usize,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len()).ok_or(DecodeError::Short)?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn byte(&mut self) -> Result<u8, DecodeError> {
        Ok(self.take(1)?[0])
    }

    fn number(&mut self, bytes: usize) -> Result<usize, DecodeError> {
        Ok(self.take(bytes)?.iter().fold(0, |number, &byte| number << 8 | usize::from(byte)))
    }

    /// Skips an atom (the node of a pid, say).
    fn skip_atom(&mut self) -> Result<(), DecodeError> {
        let length = match self.byte()? {
            119 | 115 => self.number(1)?,
            118 | 100 => self.number(2)?,
            tag => return Err(DecodeError::Tag(tag)),
        };
        self.take(length).map(|_| ())
    }
}

/// The one term that bytes hold, version included.
///
/// # Errors
/// Where they hold something else.
pub fn decode<M: Make>(bytes: &[u8], make: &mut M) -> Result<M::Term, DecodeError> {
    let (term, length) = decode_prefix(bytes, make)?;
    if length == bytes.len() { Ok(term) } else { Err(DecodeError::Rest) }
}

/// The term that bytes begin with, and how long it is.
///
/// # Errors
/// Where there is none.
pub fn decode_prefix<M: Make>(bytes: &[u8], make: &mut M) -> Result<(M::Term, usize), DecodeError> {
    let mut reader = Reader { bytes, at: 0 };
    match reader.byte()? {
        131 => {}
        tag => return Err(DecodeError::Tag(tag)),
    }
    let (mut done, mut open): (Vec<M::Term>, Vec<Open>) = (Vec::new(), Vec::new());
    loop {
        if let Some(term) = leaf(&mut reader, make, &mut open, done.len())? {
            done.push(term);
        }
        // A part is complete: so may be what it is a part of.
        loop {
            let Some(top) = open.last_mut() else {
                let term = done.pop().expect("the root is complete");
                return Ok((term, reader.at));
            };
            if done.len() - top.start < top.left {
                break;
            }
            let mut parts = done.split_off(top.start);
            let made = match top.kind {
                Kind::Tuple => make.tuple(parts),
                Kind::Map => make.map(parts),
                Kind::External => make.external(parts),
                Kind::List => {
                    let tail = parts.pop().expect("a list has a tail");
                    make.list(parts, tail)
                }
            };
            open.pop();
            done.push(made);
        }
    }
}

/// The next term if it has no parts; else what it consists of is opened.
fn leaf<M: Make>(reader: &mut Reader<'_>, make: &mut M, open: &mut Vec<Open>, start: usize) -> Result<Option<M::Term>, DecodeError> {
    let begin = reader.at;
    let tag = reader.byte()?;
    let mut parts = |kind, left| {
        open.push(Open { kind, left, start });
        Ok(None)
    };
    Ok(Some(match tag {
        97 => make.int(i64::from(reader.byte()?)),
        98 => make.int(i64::from(i32::from_be_bytes(reader.take(4)?.try_into().expect("four bytes")))),
        70 => make.float(f64::from_be_bytes(reader.take(8)?.try_into().expect("eight bytes"))),
        119 | 115 | 118 | 100 => {
            let length = reader.number(if tag == 119 || tag == 115 { 1 } else { 2 })?;
            let bytes = reader.take(length)?;
            match std::str::from_utf8(bytes) {
                Ok(name) => make.atom(name),
                // Latin-1, of old emulators.
                Err(_) if tag == 100 || tag == 115 => make.atom(&bytes.iter().map(|&byte| char::from(byte)).collect::<String>()),
                Err(_) => return Err(DecodeError::Atom),
            }
        }
        104 | 105 => {
            let size = reader.number(if tag == 104 { 1 } else { 4 })?;
            return parts(Kind::Tuple, size);
        }
        106 => make.nil(),
        107 => {
            let length = reader.number(2)?;
            let items = reader.take(length)?.iter().map(|&byte| make.int(i64::from(byte))).collect();
            let nil = make.nil();
            make.list(items, nil)
        }
        108 => {
            let length = reader.number(4)?;
            return parts(Kind::List, length + 1);
        }
        109 => {
            let length = reader.number(4)?;
            make.bits(reader.take(length)?, length * 8)
        }
        77 => {
            let (length, last) = (reader.number(4)?, reader.number(1)?);
            make.bits(reader.take(length)?, (length * 8 + last).saturating_sub(8))
        }
        110 | 111 => {
            let length = reader.number(if tag == 110 { 1 } else { 4 })?;
            let sign = if reader.byte()? == 0 { Sign::Plus } else { Sign::Minus };
            let value = BigInt::from_bytes_le(sign, reader.take(length)?);
            match i64::try_from(&value) {
                Ok(small) => make.int(small),
                Err(_) => make.big(value),
            }
        }
        116 => {
            let size = reader.number(4)?;
            return parts(Kind::Map, size.saturating_mul(2));
        }
        113 => return parts(Kind::External, 3),
        112 => {
            let size = reader.number(4)?;
            reader.take(size.checked_sub(4).ok_or(DecodeError::Short)?)?;
            make.other(&reader.bytes[begin..reader.at])
        }
        88 | 103 | 89 | 102 | 120 | 90 | 114 | 101 => {
            identity(reader, tag)?;
            make.other(&reader.bytes[begin..reader.at])
        }
        tag => return Err(DecodeError::Tag(tag)),
    }))
}

/// Skips a pid, port or reference after its tag.
fn identity(reader: &mut Reader<'_>, tag: u8) -> Result<(), DecodeError> {
    let words = if tag == 90 || tag == 114 { reader.number(2)? } else { 0 };
    reader.skip_atom()?;
    let rest = match tag {
        88 | 120 => 12,
        103 => 9,
        89 => 8,
        102 | 101 => 5,
        90 => 4 + 4 * words,
        _ => 1 + 4 * words,
    };
    reader.take(rest).map(|_| ())
}
