//! What the directives of `format/2` take, and what they blame.
//!
//! **Invariant.** Where nobody sees the text, an input is only asked whether it fits.

use num_bigint::BigInt;
use xcute_term::{Op, TermId, Value};

use super::text::WHAT;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Stop;
use crate::machine::number::Number;
use crate::syntax::Atom;

impl Machine<'_> {
    /// What a directive cannot write.
    pub(super) fn format_argument(&mut self, directive: char, arg: Cell) -> Stop {
        let directive = self.symbols.atom(&directive.to_string());
        let functor = self.symbols.functor_named("format_argument_type", 2);
        let formal = self.heap.compound(functor, &[directive, arg]);
        self.error(formal)
    }

    pub(super) fn format_integer(&mut self, arg: Cell, directive: char, wanted: bool) -> Result<BigInt, Stop> {
        let value = self.evaluate(arg)?;
        match value {
            Number::Float(_) | Number::Real(_) => Err(self.format_argument(directive, arg)),
            Number::Sym(_) if !wanted => Ok(BigInt::from(0)),
            value => Ok(self.fixed(value, "a number of format/2").as_integer().expect("no float")),
        }
    }

    /// What `~a` and `~s` take of an input whose text nobody sees.
    pub(super) fn format_words(&mut self, directive: char, arg: Cell) -> Result<(), Stop> {
        let opened = self.opened(arg);
        let taken = match (directive, opened) {
            // Lists may be texts: which, is not followed.
            ('s', Cell::Struct(_) | Cell::Sym(_)) => {
                let arg = self.pinned(arg, WHAT)?;
                !matches!(arg, Cell::Int(_) | Cell::Big(_) | Cell::Float(_)) && self.text(arg).is_ok()
            }
            ('s', other) => !matches!(other, Cell::Int(_) | Cell::Big(_) | Cell::Float(_)),
            (_, Cell::Struct(_) | Cell::Atom(Atom::NIL)) => false,
            (_, Cell::Sym(e)) => !self.is_empty_list(e),
            _ => true,
        };
        if taken { Ok(()) } else { Err(self.format_argument(directive, arg)) }
    }

    /// The character of `~c`; `None` for one that is wanted by nobody.
    pub(super) fn format_code(&mut self, arg: Cell, wanted: bool) -> Result<Option<char>, Stop> {
        let number = match self.heap.deref(arg) {
            Cell::Int(code) => Number::Small(code),
            Cell::Sym(e) => match self.is_integer(e) {
                Some(is) if self.check(&[is]) => {
                    let number = self.integer_of(e);
                    self.known_number(number)
                }
                _ => return Err(self.format_argument('c', arg)),
            },
            _ => return Err(self.format_argument('c', arg)),
        };
        if let Number::Sym(number) = number {
            if !self.is_within(number, 0, i64::from(i32::MAX)) {
                return Err(self.format_argument('c', arg));
            }
            if !self.is_within(number, 0, 0xd7ff) && !self.is_within(number, 0xe000, 0x10_ffff) {
                return Err(self.representation_error("code_point"));
            }
            if !wanted {
                return Ok(None);
            }
        }
        let code = self.fixed(number, "a number of format/2").as_integer().and_then(|code| i32::try_from(code).ok());
        let Some(code) = code.and_then(|code| u32::try_from(code).ok()) else { return Err(self.format_argument('c', arg)) };
        match char::from_u32(code) {
            Some(found) => Ok(Some(found)),
            None => Err(self.representation_error("code_point")),
        }
    }

    /// Decides whether an integer is within bounds.
    pub(crate) fn is_within(&mut self, number: TermId, low: i64, high: i64) -> bool {
        let [low, high] = [low, high].map(|bound| self.rec.terms.value(Value::Int(bound.into())));
        let within = [self.rec.terms.mk(Op::Le, &[low, number]), self.rec.terms.mk(Op::Le, &[number, high])];
        self.check(&within)
    }

    fn is_empty_list(&mut self, e: TermId) -> bool {
        let Some(nil) = self.universe.constant(self.rec.terms, self.symbols, Cell::Atom(Atom::NIL)) else { return false };
        let is = self.rec.terms.mk(Op::Eq, &[e, nil]);
        self.check(&[is])
    }
}
