//! Terms as trees: programs, declarations, answers. Values of runs are not kept like this.

use std::sync::Arc;

use num_bigint::BigInt;

use super::atoms::{Atom, Atoms};
use super::decode::{DecodeError, Make, decode};
use super::encode::Encoder;

/// A term.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "the kinds of Erlang's terms")]
pub enum Term {
    Int(i64),
    Big(BigInt),
    Float(f64),
    Atom(Atom),
    Bits(Arc<[u8]>, usize),
    Nil,
    /// At least one item, and the tail.
    List(Vec<Term>, Box<Term>),
    Tuple(Vec<Term>),
    /// Keys and values, in the order in which they came.
    Map(Vec<(Term, Term)>),
    External(Atom, Atom, u8),
    /// A pid, port, reference or fun, by its bytes.
    Other(Arc<[u8]>),
}

impl Term {
    /// Whether its text is the same term whenever it is read: no pid, port, reference or closure is inside.
    #[must_use]
    pub fn is_constant(&self) -> bool {
        match self {
            Term::Other(_) => false,
            Term::List(items, tail) => items.iter().all(Term::is_constant) && tail.is_constant(),
            Term::Tuple(items) => items.iter().all(Term::is_constant),
            Term::Map(pairs) => pairs.iter().all(|(key, value)| key.is_constant() && value.is_constant()),
            _ => true,
        }
    }

    /// A proper list.
    #[must_use]
    pub fn list(items: Vec<Term>) -> Term {
        if items.is_empty() { Term::Nil } else { Term::List(items, Box::new(Term::Nil)) }
    }

    /// The items of a proper list.
    #[must_use]
    pub fn items(&self) -> Option<&[Term]> {
        match self {
            Term::Nil => Some(&[]),
            Term::List(items, tail) if **tail == Term::Nil => Some(items),
            _ => None,
        }
    }

    /// The items of a tuple.
    #[must_use]
    pub fn tuple(&self) -> Option<&[Term]> {
        match self {
            Term::Tuple(items) => Some(items),
            _ => None,
        }
    }

    /// The atom that it is.
    #[must_use]
    pub fn atom(&self) -> Option<Atom> {
        match self {
            Term::Atom(atom) => Some(*atom),
            _ => None,
        }
    }

    /// The small integer that it is.
    #[must_use]
    pub fn int(&self) -> Option<i64> {
        match self {
            Term::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer that it is.
    #[must_use]
    pub fn integer(&self) -> Option<BigInt> {
        match self {
            Term::Int(value) => Some((*value).into()),
            Term::Big(value) => Some(value.clone()),
            _ => None,
        }
    }

    /// The text that it is: a list of characters, or a binary.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        match self {
            Term::Bits(bytes, bits) if bits % 8 == 0 => Some(String::from_utf8_lossy(bytes).into_owned()),
            _ => {
                let items = self.items()?.iter();
                items.map(|item| item.int().and_then(|code| u32::try_from(code).ok()).and_then(char::from_u32)).collect()
            }
        }
    }
}

/// Builds [`Term`]s.
pub struct Terms<'a>(pub &'a mut Atoms);

impl Make for Terms<'_> {
    type Term = Term;

    fn int(&mut self, value: i64) -> Term {
        Term::Int(value)
    }

    fn big(&mut self, value: BigInt) -> Term {
        Term::Big(value)
    }

    fn float(&mut self, value: f64) -> Term {
        Term::Float(value)
    }

    fn atom(&mut self, name: &str) -> Term {
        Term::Atom(self.0.intern(name))
    }

    fn bits(&mut self, bytes: &[u8], bits: usize) -> Term {
        Term::Bits(bytes.into(), bits)
    }

    fn nil(&mut self) -> Term {
        Term::Nil
    }

    fn list(&mut self, items: Vec<Term>, tail: Term) -> Term {
        if items.is_empty() { tail } else { Term::List(items, Box::new(tail)) }
    }

    fn tuple(&mut self, items: Vec<Term>) -> Term {
        Term::Tuple(items)
    }

    fn map(&mut self, pairs: Vec<Term>) -> Term {
        let mut parts = pairs.into_iter();
        let mut pairs = Vec::new();
        while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
            pairs.push((key, value));
        }
        Term::Map(pairs)
    }

    fn external(&mut self, items: Vec<Term>) -> Term {
        match items[..] {
            [Term::Atom(module), Term::Atom(function), Term::Int(arity)] => {
                Term::External(module, function, u8::try_from(arity).unwrap_or(u8::MAX))
            }
            _ => Term::Tuple(items),
        }
    }

    fn other(&mut self, bytes: &[u8]) -> Term {
        Term::Other(bytes.into())
    }
}

/// Reads a term.
///
/// # Errors
/// Where the bytes are none.
pub fn read(bytes: &[u8], atoms: &mut Atoms) -> Result<Term, DecodeError> {
    decode(bytes, &mut Terms(atoms))
}

/// A list of terms as an external term.
#[must_use]
pub fn encode_list(items: &[Term], atoms: &Atoms) -> Vec<u8> {
    let mut out = Encoder::new();
    if !items.is_empty() {
        out.list(items.len());
        items.iter().for_each(|item| encode(item, atoms, &mut out));
    }
    out.nil();
    out.finish()
}

/// Appends a term.
pub fn encode(term: &Term, atoms: &Atoms, out: &mut Encoder) {
    let mut pending = vec![term];
    while let Some(term) = pending.pop() {
        match term {
            Term::Int(value) => out.int(*value),
            Term::Big(value) => out.big(value),
            Term::Float(value) => out.float(*value),
            Term::Atom(atom) => out.atom(atoms.name(*atom)),
            Term::Bits(bytes, bits) => out.bits(bytes, *bits),
            Term::Nil => out.nil(),
            Term::External(module, function, arity) => out.external(atoms.name(*module), atoms.name(*function), *arity),
            Term::Other(bytes) => out.raw(bytes),
            Term::List(items, tail) => {
                out.list(items.len());
                pending.push(tail);
                pending.extend(items.iter().rev());
            }
            Term::Tuple(items) => {
                out.tuple(items.len());
                pending.extend(items.iter().rev());
            }
            Term::Map(pairs) => {
                out.map(pairs.len());
                pending.extend(pairs.iter().rev().flat_map(|(key, value)| [value, key]));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(term: &Term, atoms: &mut Atoms) -> Term {
        let mut out = Encoder::new();
        encode(term, atoms, &mut out);
        read(&out.finish(), atoms).expect("we wrote it")
    }

    #[test]
    fn bytes_that_are_no_term_are_refused() {
        let odd: [(&[u8], &str); 4] = [
            (&[131, 97], "a term ends too early"),
            (&[131, 97, 1, 1], "there is something after a term"),
            (&[131, 119, 1, 0xff], "an atom is not text"),
            (&[131, 1], "a term has the unknown tag 1"),
        ];
        for (bytes, why) in odd {
            assert_eq!(read(bytes, &mut Atoms::new()).unwrap_err().to_string(), why, "{bytes:?}");
        }
    }

    #[test]
    fn terms_come_back_as_they_went() {
        let mut atoms = Atoms::new();
        let huge: BigInt = BigInt::from(7) << 3000;
        let long = Term::Atom(atoms.intern(&"ä".repeat(200)));
        let terms = [
            Term::Int(0),
            Term::Int(255),
            Term::Int(-1),
            Term::Int(i64::MIN),
            Term::Big(BigInt::from(i64::MAX) + 1),
            Term::Big(-huge),
            Term::Float(-0.0),
            long,
            Term::Bits([1, 2, 0x80].as_slice().into(), 17),
            Term::Nil,
            Term::List(vec![Term::Int(1), Term::Nil], Box::new(Term::Atom(Atom::OK))),
            Term::Tuple(vec![]),
            Term::Tuple(vec![Term::Int(1); 300]),
            Term::Map(vec![(Term::Atom(Atom::OK), Term::Tuple(vec![Term::Nil])), (Term::Int(2), Term::Nil)]),
            Term::External(Atom::LISTS, Atom::FILE, 3),
        ];
        for term in terms {
            assert_eq!(round(&term, &mut atoms), term);
        }
    }

    #[test]
    fn strings_are_lists_and_deep_terms_do_no_harm() {
        let mut atoms = Atoms::new();
        assert_eq!(read(&[131, 107, 0, 2, 97, 98], &mut atoms), Ok(Term::list(vec![Term::Int(97), Term::Int(98)])));
        let depth = 100_000;
        let mut bytes = vec![131];
        bytes.extend([104, 1].repeat(depth));
        bytes.push(106);
        let mut term = read(&bytes, &mut atoms).expect("nested tuples");
        let mut out = Encoder::new();
        encode(&term, &atoms, &mut out);
        assert_eq!(out.finish(), bytes);
        // Taken apart step by step: dropping it as a whole would recurse.
        while let Term::Tuple(mut items) = term {
            term = items.pop().expect("each has one");
        }
        assert_eq!(term, Term::Nil);
    }

    #[test]
    fn what_is_not_a_term_is_an_error() {
        let mut atoms = Atoms::new();
        for bytes in [&[][..], &[131], &[130, 106], &[131, 108, 0, 0, 0, 2, 106], &[131, 109, 255, 255, 255, 255], &[131, 1]] {
            assert!(read(bytes, &mut atoms).is_err(), "{bytes:?}");
        }
        assert_eq!(read(&[131, 106, 106], &mut atoms), Err(DecodeError::Rest));
        // A pid and a reference as OTP 25 writes them.
        let pid = [&[131, 88, 119, 1, b'n'][..], &[0; 12]].concat();
        assert_eq!(read(&pid, &mut atoms), Ok(Term::Other(pid[1..].into())));
        let reference = [&[131, 90, 0, 2, 119, 1, b'n'][..], &[0; 12]].concat();
        assert_eq!(read(&reference, &mut atoms), Ok(Term::Other(reference[1..].into())));
    }
}
