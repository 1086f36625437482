//! Texts of inputs that are split at separators, as conditions over strings of the solver.
//!
//! Whether a separator is left is decided after each piece: texts with different numbers of pieces are different paths, up to a bound. What is left out around a piece
//! is decided character by character.
//!
//! **Invariant.** `None` says that a text is not followed: the caller fixes it to its value, which is counted.

use xcute_term::{Op, TermId};

use super::text::Kind;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Stop;
use crate::syntax::Atom;

/// Texts with more pieces than this are not followed.
const PIECES: usize = 8;

/// Nor are pieces with more characters than this before or after them that are left out: each number of them is a path.
const PADDING: usize = 1;

/// What a text is when it is split: its pieces, or more of them than are asked for.
enum Split {
    Pieces(Vec<TermId>),
    More,
}

impl Machine<'_> {
    /// `atomic_list_concat(List, Separator, Text)`, where the text is to be split.
    pub(super) fn follow_split(&mut self, list: Cell, separator: &str, whole: Cell) -> Result<Option<bool>, Stop> {
        if !self.is_input(whole) {
            return Ok(None);
        }
        let Some(text) = self.spelling(whole) else { return Ok(None) };
        let pieces = match self.split(text, separator, list) {
            None => return Ok(None),
            Some(Split::More) => return Ok(Some(false)),
            Some(Split::Pieces(pieces)) => pieces,
        };
        let cells: Vec<Cell> = pieces.into_iter().map(|piece| self.spelled_cell(piece, Kind::Atom)).collect();
        let made = self.list(&cells, Cell::Atom(Atom::NIL));
        self.unify_now(list, made).map(Some)
    }

    /// The pieces of `split_string(Text, Separators, Pad, Pieces)`; `Err` if it fails.
    pub(super) fn follow_pieces(&mut self, text: Cell, separators: &str, pad: &str, list: Cell) -> Option<Result<Vec<Cell>, ()>> {
        let Cell::Sym(e) = self.heap.deref(text) else { return None };
        if separators.chars().count() > 1 || separators.chars().any(|c| pad.contains(c)) {
            return None;
        }
        let text = self.spelling_of_words(e)?;
        let pieces = if separators.is_empty() { Split::Pieces(vec![text]) } else { self.split(text, separators, list)? };
        let Split::Pieces(pieces) = pieces else { return Some(Err(())) };
        let trimmed: Option<Vec<TermId>> = pieces.into_iter().map(|piece| self.trimmed(piece, pad)).collect();
        Some(Ok(trimmed?.into_iter().map(|piece| self.spelled_cell(piece, Kind::String)).collect()))
    }

    /// Splits a text for a list, whose length is a bound if it is known.
    fn split(&mut self, text: TermId, separator: &str, list: Cell) -> Option<Split> {
        let known = if !self.is_input(list) && self.is_proper(list) { Some(self.elements(list).ok()?.len()) } else { None };
        let (zero, size) = (self.integer_term(0), self.integer_term(i64::try_from(separator.chars().count()).ok()?));
        let separator = self.text_value(separator);
        let (mut rest, mut pieces) = (text, Vec::new());
        while pieces.len() < PIECES {
            let more = self.rec.terms.mk(Op::StrContains, &[rest, separator]);
            if !self.check(&[more]) {
                pieces.push(rest);
                return Some(Split::Pieces(pieces));
            }
            if known.is_some_and(|known| pieces.len() + 1 >= known) {
                return Some(Split::More);
            }
            let at = self.rec.terms.mk(Op::StrIndexOf, &[rest, separator, zero]);
            pieces.push(self.piece(rest, zero, at));
            let (from, length) = (self.rec.terms.mk(Op::Add, &[at, size]), self.spelled_length(rest));
            let left = self.rec.terms.mk(Op::Sub, &[length, from]);
            rest = self.piece(rest, from, left);
        }
        None
    }

    /// A text without the characters at its ends that are left out.
    fn trimmed(&mut self, text: TermId, pad: &str) -> Option<TermId> {
        let mut text = text;
        for (op, start) in [(Op::StrPrefixOf, 1), (Op::StrSuffixOf, 0)] {
            let mut left_out = 0;
            while self.has_padding(op, text, pad) {
                if left_out == PADDING {
                    return None;
                }
                left_out += 1;
                let (start, one, length) = (self.integer_term(start), self.integer_term(1), self.spelled_length(text));
                let shorter = self.rec.terms.mk(Op::Sub, &[length, one]);
                text = self.piece(text, start, shorter);
            }
        }
        Some(text)
    }

    /// Decides whether a text begins, or ends, with one of these characters.
    fn has_padding(&mut self, op: Op, text: TermId, pad: &str) -> bool {
        let mut any = vec![self.rec.terms.bool(false)];
        for character in pad.chars() {
            let character = self.text_value(&character.to_string());
            any.push(self.rec.terms.mk(op, &[character, text]));
        }
        let any = self.rec.terms.mk(Op::Or, &any);
        self.check(&[any])
    }
}
