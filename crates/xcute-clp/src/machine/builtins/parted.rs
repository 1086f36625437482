//! Concatenations and parts of texts of inputs, as conditions over strings of the solver.
//!
//! What begins or ends with a given text, or has a part in a given place, is one condition; where that is open, the lengths of the whole are told apart, and each way to cut it is an answer.

use xcute_term::{Op, TermId};

use super::text::Kind;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Stop;
use crate::machine::goals::Call;
use crate::syntax::Atom;

impl Machine<'_> {
    /// `atom_concat(A, B, Whole)`.
    pub(super) fn follow_concat(&mut self, call: Call, kind: Kind) -> Result<Option<bool>, Stop> {
        let [a, b, whole] = [0, 1, 2].map(|i| self.arg(call, i));
        if ![a, b, whole].into_iter().any(|cell| self.is_input(cell)) {
            return Ok(None);
        }
        let open = |cell| matches!(cell, Cell::Var(_));
        if !open(a) && !open(b) {
            if !self.is_input(a) && !self.is_input(b) {
                return Ok(None);
            }
            let (Some(x), Some(y)) = (self.side(a, b), self.side(b, a)) else { return Ok(None) };
            let text = self.rec.terms.mk(Op::StrConcat, &[x, y]);
            return self.unify_spelled(whole, text, kind);
        }
        if open(whole) {
            return Ok(None);
        }
        let Some(text) = self.spelling(whole) else { return Ok(None) };
        match (open(a), open(b)) {
            (false, _) => {
                let Some(known) = self.spelling(a) else { return Ok(None) };
                let Some((_, rest)) = self.cut_at_start(known, text) else { return Ok(Some(false)) };
                let rest = self.spelled_cell(rest, kind);
                self.unify_now(b, rest).map(Some)
            }
            (_, false) => {
                let Some(known) = self.spelling(b) else { return Ok(None) };
                let Some((rest, _)) = self.cut_at_end(known, text) else { return Ok(Some(false)) };
                let rest = self.spelled_cell(rest, kind);
                self.unify_now(a, rest).map(Some)
            }
            _ => self.cut_anywhere([a, b], text, kind),
        }
    }

    /// The text of a side. Where both are inputs, integers are not followed: the solver finds no end with the digits of two.
    fn side(&mut self, cell: Cell, other: Cell) -> Option<TermId> {
        match self.heap.deref(cell) {
            Cell::Sym(e) if self.is_input(other) => self.spelling_of_words(e),
            _ => self.spelling(cell),
        }
    }

    /// The length of a text that another begins with, and the rest; `None` if it does not, which is decided.
    fn cut_at_start(&mut self, known: TermId, text: TermId) -> Option<(TermId, TermId)> {
        let begins = self.rec.terms.mk(Op::StrPrefixOf, &[known, text]);
        if !self.check(&[begins]) {
            return None;
        }
        let (at, whole) = (self.spelled_length(known), self.spelled_length(text));
        let left = self.rec.terms.mk(Op::Sub, &[whole, at]);
        Some((at, self.piece(text, at, left)))
    }

    /// What comes before a text that another ends with, and how long that is; `None` if it does not, which is decided.
    fn cut_at_end(&mut self, known: TermId, text: TermId) -> Option<(TermId, TermId)> {
        let ends = self.rec.terms.mk(Op::StrSuffixOf, &[known, text]);
        if !self.check(&[ends]) {
            return None;
        }
        let (last, whole, zero) = (self.spelled_length(known), self.spelled_length(text), self.integer_term(0));
        let before = self.rec.terms.mk(Op::Sub, &[whole, last]);
        Some((self.piece(text, zero, before), before))
    }

    fn cut_anywhere(&mut self, [a, b]: [Cell; 2], text: TermId, kind: Kind) -> Result<Option<bool>, Stop> {
        let Some(length) = self.decided_length(text) else { return Ok(None) };
        let functor = self.symbols.functor(Atom::MINUS, 2);
        let mut answers = Vec::new();
        for at in 0..=length {
            let [left, right] = [(0, at), (at, length - at)].map(|(start, count)| {
                let (start, count) = (self.integer_term(start), self.integer_term(count));
                let part = self.piece(text, start, count);
                self.spelled_cell(part, kind)
            });
            answers.push(self.heap.compound(functor, &[left, right]));
        }
        let pattern = self.heap.compound(functor, &[a, b]);
        self.one_of(pattern, &answers).map(Some)
    }

    /// `sub_atom(Text, Before, Length, After, Part)`.
    pub(super) fn follow_part(&mut self, call: Call, kind: Kind) -> Result<Option<bool>, Stop> {
        if !self.is_input(self.arg(call, 0)) {
            return Ok(None);
        }
        let mut fixed = [None; 3];
        for (place, i) in fixed.iter_mut().zip(1..) {
            match self.arg(call, i) {
                Cell::Var(_) => {}
                Cell::Int(number @ 0..) => *place = Some(number),
                _ => return Ok(None),
            }
        }
        let Some(text) = self.spelling(self.arg(call, 0)) else { return Ok(None) };
        let part = self.arg(call, 4);
        let known = match part {
            Cell::Var(_) => None,
            part => match self.spelling(part) {
                Some(known) => Some(known),
                None => return Ok(None),
            },
        };
        match (fixed, known) {
            ([Some(0), _, _], Some(known)) => {
                let Some((length, rest)) = self.cut_at_start(known, text) else { return Ok(Some(false)) };
                let after = self.spelled_length(rest);
                self.both(call, (2, length), (3, after))
            }
            ([_, _, Some(0)], Some(known)) => {
                let Some((_, before)) = self.cut_at_end(known, text) else { return Ok(Some(false)) };
                let length = self.spelled_length(known);
                self.both(call, (1, before), (2, length))
            }
            _ if fixed.iter().flatten().count() > 1 => self.placed_part(call, text, (fixed, known), kind),
            _ => self.any_part(call, text, fixed, kind),
        }
    }

    /// A part of which two of the three numbers are given: it is there if the text is long enough.
    fn placed_part(
        &mut self,
        call: Call,
        text: TermId,
        (fixed, known): ([Option<i64>; 3], Option<TermId>),
        kind: Kind,
    ) -> Result<Option<bool>, Stop> {
        let (total, length) = (self.integer_term(fixed.iter().flatten().sum()), self.spelled_length(text));
        let op = if fixed.contains(&None) { Op::Le } else { Op::Eq };
        let fits = self.rec.terms.mk(op, &[total, length]);
        if !self.check(&[fits]) {
            return Ok(Some(false));
        }
        let rest = self.rec.terms.mk(Op::Sub, &[length, total]);
        let [start, count, _] = fixed.map(|number| number.map_or(rest, |number| self.integer_term(number)));
        let part = self.piece(text, start, count);
        if let Some((i, _)) = (1..).zip(fixed).find(|(_, number)| number.is_none()) {
            let rest = self.integer_cell(rest);
            if !self.unify_now(self.arg(call, i), rest)? {
                return Ok(Some(false));
            }
        }
        match known {
            Some(known) => {
                let same = self.rec.terms.mk(Op::Eq, &[part, known]);
                Ok(Some(self.check(&[same])))
            }
            None => {
                let part = self.spelled_cell(part, kind);
                self.unify_now(self.arg(call, 4), part).map(Some)
            }
        }
    }

    /// Unifies two arguments with numbers.
    fn both(&mut self, call: Call, (i, x): (u32, TermId), (j, y): (u32, TermId)) -> Result<Option<bool>, Stop> {
        let (x, y) = (self.integer_cell(x), self.integer_cell(y));
        Ok(Some(self.unify_now(self.arg(call, i), x)? && self.unify_now(self.arg(call, j), y)?))
    }

    fn any_part(&mut self, call: Call, text: TermId, fixed: [Option<i64>; 3], kind: Kind) -> Result<Option<bool>, Stop> {
        let Some(length) = self.decided_length(text) else { return Ok(None) };
        let functor = self.symbols.functor_named("sub", 4);
        let args: Vec<Cell> = (1..5).map(|i| self.arg(call, i)).collect();
        // A part that is given is compared as the text that it is.
        let own = match args[3] {
            Cell::Str(_) | Cell::Sym(_) | Cell::Var(_) => kind,
            _ => Kind::Atom,
        };
        let given = match args[3] {
            Cell::Var(_) => None,
            part => self.spelling(part),
        };
        let pattern_part = match given {
            Some(given) => self.spelled_cell(given, own),
            None => args[3],
        };
        let pattern = self.heap.compound(functor, &[args[0], args[1], args[2], pattern_part]);
        let mut answers = Vec::new();
        for start in 0..=length {
            for end in start..=length {
                let numbers = [start, end - start, length - end];
                if !fixed.iter().zip(numbers).all(|(fixed, number)| fixed.is_none_or(|fixed| fixed == number)) {
                    continue;
                }
                let (from, count) = (self.integer_term(start), self.integer_term(end - start));
                let part = self.piece(text, from, count);
                let part = self.spelled_cell(part, own);
                let [before, size, after] = numbers.map(Cell::Int);
                answers.push(self.heap.compound(functor, &[before, size, after, part]));
            }
        }
        self.one_of(pattern, &answers).map(Some)
    }
}
