//! Predicates on texts of inputs, as conditions over strings of the solver.
//!
//! **Invariant.** Each does what its plain version in [`super::text`] does; `None` says that this case is left to that one.

use xcute_term::{Op, TermId};

use super::spelling::LAST;
use super::text::Kind;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Stop;
use crate::machine::goals::Call;
use crate::machine::number::Number;
use crate::syntax::Atom;

/// What a predicate did, if it was followed.
type Followed = Result<Option<bool>, Stop>;

impl Machine<'_> {
    /// `atom_length(Text, Length)`.
    pub(super) fn follow_length(&mut self, call: Call) -> Followed {
        if !self.is_input(self.arg(call, 0)) {
            return Ok(None);
        }
        let Some(text) = self.spelling(self.arg(call, 0)) else { return Ok(None) };
        if !matches!(self.arg(call, 1), Cell::Var(_)) {
            self.integer_argument(self.arg(call, 1))?;
        }
        let length = self.spelled_length(text);
        let length = self.integer_cell(length);
        self.unify_now(self.arg(call, 1), length).map(Some)
    }

    /// `atom_codes(Text, Codes)` and its like.
    pub(super) fn follow_conversion(&mut self, call: Call, first: Kind, second: Kind) -> Followed {
        let (a, b) = (self.arg(call, 0), self.arg(call, 1));
        let list = matches!(second, Kind::Codes | Kind::Chars);
        if let Cell::Var(_) = a {
            if let (true, Some(number)) = (list && first == Kind::Number, self.decimal(b)) {
                let number = self.number_cell(number);
                return self.unify_now(a, number).map(Some);
            }
            let text =
                if list { self.spelled_list(b, first == Kind::Number)? } else { self.is_input(b).then(|| self.spelling(b)).flatten() };
            let Some(text) = text else { return Ok(None) };
            if first != Kind::Number {
                let made = self.spelled_cell(text, first);
                return self.unify_now(a, made).map(Some);
            }
            let Some(Some(number)) = self.spelled_number(text) else { return Ok(None) };
            let number = self.number_cell(number);
            return self.unify_now(a, number).map(Some);
        }
        if !self.is_input(a) || first == Kind::Number {
            return Ok(None);
        }
        let Some(text) = self.spelling(a) else { return Ok(None) };
        if !list {
            return self.unify_spelled(b, text, second);
        }
        if self.has_no_input(b)? {
            let Ok(known) = self.second_text(b, true) else { return Ok(None) };
            // Only an atom may be given in another way.
            let usual = self.text_cell(&known, second)?;
            if first == Kind::Atom && self.identical(usual, b).is_none() {
                return Ok(None);
            }
            let known = self.text_value(&known);
            let same = self.rec.terms.mk(Op::Eq, &[text, known]);
            return Ok(Some(self.check(&[same])));
        }
        let Some(length) = self.length_for(text, b) else { return Ok(None) };
        let Some(length) = length else { return Ok(Some(false)) };
        let mut items = Vec::new();
        for at in 0..length {
            items.push(if second == Kind::Codes {
                let code = self.code_at(text, at);
                self.integer_cell(code)
            } else {
                let character = self.character_at(text, at);
                self.spelled_cell(character, Kind::Atom)
            });
        }
        let made = self.list(&items, Cell::Atom(Atom::NIL));
        let unified = self.unify_now(b, made)?;
        // The same text may be given in another way.
        Ok(if unified || !self.is_ground(b) { Some(unified) } else { None })
    }

    /// The length of a text that is to be a list, decided: `Some(None)` if it is not that of a list whose end is known.
    fn length_for(&mut self, text: TermId, list: Cell) -> Option<Option<i64>> {
        if self.is_input(list) || self.is_ground(list) || !self.is_proper(list) {
            return self.decided_length(text).map(Some);
        }
        let count = i64::try_from(self.elements(list).ok()?.len()).ok()?;
        let (length, number) = (self.spelled_length(text), self.integer_term(count));
        let same = self.rec.terms.mk(Op::Eq, &[length, number]);
        Some(self.check(&[same]).then_some(count))
    }

    /// Whether a term has neither variables nor inputs in it.
    fn has_no_input(&mut self, cell: Cell) -> Result<bool, Stop> {
        let copy = self.freeze(cell)?;
        Ok(!copy.cells.iter().any(|cell| matches!(cell, Cell::Sym(_))) && self.is_ground(cell))
    }

    /// The text of a list of codes or characters, some of them inputs. As a number, it needs no texts in the universe.
    fn spelled_list(&mut self, list: Cell, number: bool) -> Result<Option<TermId>, Stop> {
        if !(self.universe.spelled() || number && self.universe.follows_texts()) || !self.is_ground(list) || self.has_no_input(list)? {
            return Ok(None);
        }
        let Ok(items) = self.elements(list) else { return Ok(None) };
        let (mut text, mut codes) = (self.text_value(""), None);
        for item in items {
            let item = self.heap.deref(item);
            let Some((part, code)) = self.spelled_item(item) else { return Ok(None) };
            if *codes.get_or_insert(code) != code {
                return Ok(None);
            }
            text = self.rec.terms.mk(Op::StrConcat, &[text, part]);
        }
        Ok(Some(text))
    }

    /// The number that a list of codes is which are all known to be those of digits.
    fn decimal(&mut self, list: Cell) -> Option<Number> {
        if !self.is_ground(list) || !self.is_proper(list) {
            return None;
        }
        let items = self.elements(list).ok()?;
        if !items.iter().any(|&item| self.is_input(item)) {
            return None;
        }
        let (mut value, ten) = (self.integer_term(0), self.integer_term(10));
        for item in items {
            let code = match self.heap.deref(item) {
                Cell::Int(code @ 48..=57) => self.integer_term(code),
                Cell::Sym(e) => {
                    let is = self.is_integer(e)?;
                    let code = self.integer_of(e);
                    let (low, high) = self.rec.facts.bounds(self.rec.terms, code);
                    let digit = low.is_some_and(|low| low >= 48.into()) && high.is_some_and(|high| high <= 57.into());
                    if !digit || self.rec.facts.holds(self.rec.terms, is) != Some(true) {
                        return None;
                    }
                    code
                }
                _ => return None,
            };
            let terms = &mut *self.rec.terms;
            let (shifted, zero) = (terms.mk(Op::Mul, &[value, ten]), terms.value(xcute_term::Value::Int(48.into())));
            let digit = terms.mk(Op::Sub, &[code, zero]);
            value = terms.mk(Op::Add, &[shifted, digit]);
        }
        Some(self.known_number(value))
    }

    /// An element of a list as a text, and whether it is a code.
    fn spelled_item(&mut self, item: Cell) -> Option<(TermId, bool)> {
        if let Cell::Sym(e) = item {
            if let Some(is) = self.is_integer(e)
                && self.check(&[is])
            {
                let code = self.integer_of(e);
                return self.spelled_character(code).map(|part| (part, true));
            }
            let atom = self.atom_test(e);
            if !self.universe.spelled() || !self.check(&[atom]) {
                return None;
            }
            let text = self.rec.terms.mk(Op::Select(self.universe.constant_ctor(), 0), &[e]);
            return self.is_character(text).then_some((text, false));
        }
        let (character, code) = match item {
            Cell::Int(code) => (u32::try_from(code).ok().and_then(char::from_u32)?, true),
            Cell::Atom(name) => {
                let mut all = self.symbols.atoms.name(name).chars();
                (all.next().filter(|_| all.next().is_none())?, false)
            }
            _ => return None,
        };
        Some((self.text_value(&character.to_string()), code))
    }

    /// The text with one code, if that is one of a character, which is decided.
    fn spelled_character(&mut self, code: TermId) -> Option<TermId> {
        let fits = self.between(code, 0, LAST);
        self.check(&[fits]).then(|| self.rec.terms.mk(Op::StrFromCode, &[code]))
    }

    /// `char_code(Character, Code)`.
    pub(super) fn follow_char_code(&mut self, call: Call) -> Followed {
        let (character, code) = (self.arg(call, 0), self.arg(call, 1));
        match (character, code) {
            (Cell::Sym(e), _) if self.universe.spelled() => {
                let atom = self.atom_test(e);
                let text = self.rec.terms.mk(Op::Select(self.universe.constant_ctor(), 0), &[e]);
                if !self.check(&[atom]) || !self.is_character(text) {
                    return Err(self.type_error("character", character));
                }
                let found = self.rec.terms.mk(Op::StrToCode, &[text]);
                if let Cell::Var(_) = code {
                    let found = self.integer_cell(found);
                    return self.unify_now(code, found).map(Some);
                }
                let number = self.integer_argument(code)?;
                if self.compare_now("<", number.clone(), Number::Small(0))? {
                    return Err(self.type_error("character_code", code));
                }
                let found = self.known_number(found);
                self.compare_now("=:=", number, found).map(Some)
            }
            (Cell::Var(_), Cell::Sym(_)) if self.universe.spelled() => {
                let Number::Sym(number) = self.integer_argument(code)? else { return Ok(None) };
                let Some(text) = self.spelled_character(number) else { return Ok(None) };
                let made = self.spelled_cell(text, Kind::Atom);
                self.unify_now(character, made).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `atom_number(Atom, Number)`.
    pub(super) fn follow_atom_number(&mut self, call: Call) -> Followed {
        let Cell::Sym(e) = self.arg(call, 0) else { return Ok(None) };
        let Some(text) = self.spelling_of_words(e) else { return Ok(None) };
        match self.spelled_number(text) {
            Some(Some(number)) => {
                let number = self.number_cell(number);
                self.unify_now(self.arg(call, 1), number).map(Some)
            }
            Some(None) => Ok(Some(false)),
            None => Ok(None),
        }
    }

    /// `upcase_atom(Text, Upper)` and its like, for texts of ASCII.
    pub(super) fn follow_case(&mut self, call: Call, kind: Kind, upper: bool) -> Followed {
        if !self.is_input(self.arg(call, 0)) {
            return Ok(None);
        }
        let Some(text) = self.spelling(self.arg(call, 0)) else { return Ok(None) };
        let Some(length) = self.decided_length(text) else { return Ok(None) };
        let (first, by) = if upper { (97, -32) } else { (65, 32) };
        let (mut all, mut made) = (Vec::new(), self.text_value(""));
        for at in 0..length {
            let code = self.code_at(text, at);
            all.push(self.between(code, 0, 127));
            let (changes, by) = (self.between(code, first, first + 25), self.integer_term(by));
            let other = self.rec.terms.mk(Op::Add, &[code, by]);
            let code = self.rec.terms.mk(Op::Ite, &[changes, other, code]);
            let character = self.rec.terms.mk(Op::StrFromCode, &[code]);
            made = self.rec.terms.mk(Op::StrConcat, &[made, character]);
        }
        if !self.check(&all) {
            return Ok(None);
        }
        self.unify_spelled(self.arg(call, 1), made, kind)
    }

    /// `text_to_string(Text, String)`.
    pub(super) fn follow_string(&mut self, call: Call) -> Followed {
        let Cell::Sym(e) = self.arg(call, 0) else { return Ok(None) };
        let Some(text) = self.spelling_of_words(e) else { return Ok(None) };
        self.unify_spelled(self.arg(call, 1), text, Kind::String)
    }

    /// `string_code(Index, Text, Code)`, where the index is given and inside of the text.
    pub(super) fn follow_string_code(&mut self, call: Call) -> Followed {
        let (Cell::Int(index @ 1..), Cell::Sym(e)) = (self.arg(call, 0), self.arg(call, 1)) else { return Ok(None) };
        let Some(text) = self.spelling_of_words(e) else { return Ok(None) };
        let (length, least) = (self.spelled_length(text), self.integer_term(index));
        let inside = self.rec.terms.mk(Op::Le, &[least, length]);
        if !self.check(&[inside]) {
            let get = self.symbols.atoms.name(call.name) == "get_string_code";
            return Ok(if get { None } else { Some(false) });
        }
        let code = self.code_at(text, index - 1);
        let code = self.integer_cell(code);
        self.unify_now(self.arg(call, 2), code).map(Some)
    }

    /// `atomic_list_concat(Items, Separator, Atom)`, where the items are given; the separator is a term of the solver.
    pub(super) fn follow_join(&mut self, items: &[Cell], separator: TermId, whole: Cell) -> Followed {
        if !items.iter().any(|&item| self.is_input(item)) && self.rec.terms.as_value(separator).is_some() {
            return Ok(None);
        }
        let mut text = self.text_value("");
        for (at, &item) in items.iter().enumerate() {
            let Some(part) = self.spelling(item) else { return Ok(None) };
            if at > 0 {
                text = self.rec.terms.mk(Op::StrConcat, &[text, separator]);
            }
            text = self.rec.terms.mk(Op::StrConcat, &[text, part]);
        }
        let made = self.spelled_cell(text, Kind::Atom);
        self.unify_now(whole, made).map(Some)
    }

    /// Whether a character of an input is a code; `None` where it is not followed.
    pub(crate) fn spelled_element(&mut self, e: TermId) -> Option<Option<Number>> {
        let ctor = Some(self.universe.constant_ctor()).filter(|_| self.universe.spelled())?;
        let atom = self.atom_test(e);
        let text = self.rec.terms.mk(Op::Select(ctor, 0), &[e]);
        if !self.check(&[atom]) || !self.is_character(text) {
            return Some(None);
        }
        let code = self.rec.terms.mk(Op::StrToCode, &[text]);
        Some(Some(self.known_number(code)))
    }
}
