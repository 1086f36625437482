//! Texts of inputs as strings of the solver: what they are, how long they are, and which number they stand for.
//!
//! Atoms and strings are followed as they are. Their lengths are told apart up to a bound where a predicate needs them one character at a time.
//!
//! **Invariant.** `None` says that a text is not followed: the caller fixes it to its value, which is counted. Numbers are told apart from other texts exactly
//! as the plain machine does.

use num_bigint::BigInt;
use xcute_term::{Op, TermId, Value};

use super::text::Kind;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Stop;
use crate::machine::number::Number;
use crate::machine::universe;
use crate::syntax::Atom;

/// Lengths are told apart up to this one.
const LONGEST: i64 = 8;

/// Codes up to this one are characters, in the solver's strings as well.
pub(super) const LAST: i64 = 0xd7ff;

impl Machine<'_> {
    /// The text of a term that is an atom, a string or an integer; of an input, which of them it is is decided.
    pub(super) fn spelling(&mut self, cell: Cell) -> Option<TermId> {
        if !self.universe.spelled() {
            return None;
        }
        let text = match self.heap.deref(cell) {
            Cell::Sym(e) => return self.spelling_of_input(e),
            Cell::Atom(name) if name != Atom::NIL => self.symbols.atoms.name(name).to_owned(),
            Cell::Str(id) => self.symbols.text(id).to_owned(),
            number @ (Cell::Int(_) | Cell::Big(_)) => self.symbols.as_integer(number)?.to_string(),
            _ => return None,
        };
        Some(self.text_value(&text))
    }

    fn spelling_of_input(&mut self, e: TermId) -> Option<TermId> {
        if let Some(text) = self.spelling_of_words(e) {
            return Some(text);
        }
        let is = self.is_integer(e)?;
        if !self.check(&[is]) {
            return None;
        }
        let (number, zero) = (self.integer_of(e), self.integer_term(0));
        let terms = &mut *self.rec.terms;
        let (positive, minus) = (terms.mk(Op::Le, &[zero, number]), terms.mk(Op::Neg, &[number]));
        let [plain, opposite] = [number, minus].map(|number| terms.mk(Op::StrFromInt, &[number]));
        let sign = terms.value(Value::Str("-".into()));
        let negative = terms.mk(Op::StrConcat, &[sign, opposite]);
        Some(terms.mk(Op::Ite, &[positive, plain, negative]))
    }

    /// The text of an input that is an atom or a string, which is decided.
    pub(super) fn spelling_of_words(&mut self, e: TermId) -> Option<TermId> {
        if !self.universe.spelled() {
            return None;
        }
        let (atom, string) = (self.atom_test(e), self.kind_test(e, universe::Kind::String));
        let either = self.rec.terms.mk(Op::Or, &[atom, string]);
        if !self.check(&[either]) {
            return None;
        }
        let constant = self.rec.terms.mk(Op::Select(self.universe.constant_ctor(), 0), &[e]);
        let Some(ctor) = self.universe.kind_ctor(universe::Kind::String) else { return Some(constant) };
        let other = self.rec.terms.mk(Op::Select(ctor, 0), &[e]);
        Some(match self.rec.facts.holds(self.rec.terms, atom) {
            Some(true) => constant,
            Some(false) => other,
            None => self.rec.terms.mk(Op::Ite, &[atom, constant, other]),
        })
    }

    /// Whether a term depends on the input.
    pub(super) fn is_input(&self, cell: Cell) -> bool {
        matches!(self.heap.deref(cell), Cell::Sym(_))
    }

    /// An error where an input is a compound, and so not a text: which one it is makes no difference. Lists may be texts, unless `lists` says that they are not.
    pub(super) fn refuse_compound(&mut self, cell: Cell, expected: &str, lists: bool) -> Result<(), Stop> {
        let Cell::Sym(e) = self.heap.deref(cell) else { return Ok(()) };
        let atomic = self.atomic_test(e);
        if !self.universe.spelled() {
            return Ok(());
        }
        if self.check(&[atomic]) {
            // The empty list is another case than what else may be left.
            let nil = self.universe.constant(self.rec.terms, self.symbols, Cell::Atom(Atom::NIL)).expect("an atom");
            let same = self.rec.terms.mk(Op::Eq, &[e, nil]);
            self.check(&[same]);
            return Ok(());
        }
        let dot = self.symbols.functor(Atom::DOT, 2);
        match self.has_functor(e, dot) {
            Some(is) if lists && self.check(&[is]) => Ok(()),
            _ => Err(self.type_error(expected, Cell::Sym(e))),
        }
    }

    pub(super) fn text_value(&mut self, text: &str) -> TermId {
        self.rec.terms.value(Value::Str(text.into()))
    }

    pub(super) fn integer_term(&mut self, value: i64) -> TermId {
        self.rec.terms.value(Value::Int(BigInt::from(value)))
    }

    /// A text as an atom or a string.
    pub(super) fn spelled_cell(&mut self, text: TermId, kind: Kind) -> Cell {
        let string = kind == Kind::String;
        if let Some(Value::Str(known)) = self.rec.terms.as_value(text).cloned() {
            return if string { self.symbols.string(&known) } else { self.symbols.atom(&known) };
        }
        let strings = self.universe.kind_ctor(universe::Kind::String).filter(|_| string);
        let ctor = strings.unwrap_or_else(|| self.universe.constant_ctor());
        Cell::Sym(self.rec.terms.mk(Op::Construct(ctor), &[text]))
    }

    /// Unifies a text with what is given, which may be the same text in another form.
    pub(super) fn unify_spelled(&mut self, given: Cell, text: TermId, kind: Kind) -> Result<Option<bool>, Stop> {
        if let Cell::Var(_) = self.heap.deref(given) {
            let made = self.spelled_cell(text, kind);
            return self.unify_now(given, made).map(Some);
        }
        let Some(other) = self.spelling(given) else { return Ok(None) };
        let same = self.rec.terms.mk(Op::Eq, &[text, other]);
        Ok(Some(self.check(&[same])))
    }

    pub(super) fn spelled_length(&mut self, text: TermId) -> TermId {
        self.rec.terms.mk(Op::StrLen, &[text])
    }

    /// The length of a text, decided; `None` for long ones.
    pub(super) fn decided_length(&mut self, text: TermId) -> Option<i64> {
        let length = self.spelled_length(text);
        if let Some(Value::Int(known)) = self.rec.terms.as_value(length) {
            return i64::try_from(known).ok().filter(|&known| known <= LONGEST);
        }
        (0..=LONGEST).find(|&number| {
            let number = self.integer_term(number);
            let same = self.rec.terms.mk(Op::Eq, &[length, number]);
            self.check(&[same])
        })
    }

    /// A part of a text.
    pub(super) fn piece(&mut self, text: TermId, start: TermId, length: TermId) -> TermId {
        self.rec.terms.mk(Op::StrSubstr, &[text, start, length])
    }

    pub(super) fn character_at(&mut self, text: TermId, at: i64) -> TermId {
        let at = self.integer_term(at);
        self.rec.terms.mk(Op::StrAt, &[text, at])
    }

    pub(super) fn code_at(&mut self, text: TermId, at: i64) -> TermId {
        let character = self.character_at(text, at);
        self.rec.terms.mk(Op::StrToCode, &[character])
    }

    /// The condition that a number is between two.
    pub(super) fn between(&mut self, number: TermId, low: i64, high: i64) -> TermId {
        let (low, high) = (self.integer_term(low), self.integer_term(high));
        let parts = [self.rec.terms.mk(Op::Le, &[low, number]), self.rec.terms.mk(Op::Le, &[number, high])];
        self.rec.terms.mk(Op::And, &parts)
    }

    /// The integer that a text stands for, decided: `Some(None)` if it does not stand for a number, `None` where that is not followed.
    pub(super) fn spelled_number(&mut self, text: TermId) -> Option<Option<Number>> {
        let (zero, one) = (self.integer_term(0), self.integer_term(1));
        let sign = self.text_value("-");
        let negative = self.rec.terms.mk(Op::StrPrefixOf, &[sign, text]);
        let negative = self.check(&[negative]);
        let digits = if negative {
            let length = self.spelled_length(text);
            self.piece(text, one, length)
        } else {
            text
        };
        let number = self.rec.terms.mk(Op::StrToInt, &[digits]);
        let is = self.rec.terms.mk(Op::Le, &[zero, number]);
        if self.check(&[is]) {
            let number = if negative { self.rec.terms.mk(Op::Neg, &[number]) } else { number };
            return Some(Some(self.known_number(number)));
        }
        // Numbers begin with a digit, of any script, after a sign and white space.
        let first = self.code_at(digits, 0);
        let mut possible = vec![self.between(first, 48, 57), self.between(first, 127, 0x2_ffff)];
        if !negative {
            possible.push(self.between(first, 0, 32));
            possible.push(self.between(first, 43, 43));
        }
        let possible = self.rec.terms.mk(Op::Or, &possible);
        if self.check(&[possible]) { None } else { Some(None) }
    }

    /// The code that an input which is a string evaluates to, which is decided; `None` for other inputs.
    pub(crate) fn spelled_code(&mut self, e: TermId) -> Result<Option<Number>, Stop> {
        let string = self.kind_test(e, universe::Kind::String);
        let Some(ctor) = self.universe.kind_ctor(universe::Kind::String).filter(|_| self.universe.spelled()) else { return Ok(None) };
        if !self.check(&[string]) {
            return Ok(None);
        }
        let text = self.rec.terms.mk(Op::Select(ctor, 0), &[e]);
        if !self.is_character(text) {
            return Err(self.not_one_character(Cell::Sym(e)));
        }
        let code = self.rec.terms.mk(Op::StrToCode, &[text]);
        Ok(Some(self.known_number(code)))
    }

    /// Decides whether a text has one character.
    pub(crate) fn is_character(&mut self, text: TermId) -> bool {
        let (length, one) = (self.spelled_length(text), self.integer_term(1));
        let same = self.rec.terms.mk(Op::Eq, &[length, one]);
        self.check(&[same])
    }
}
