//! Bitstrings that depend on the input.
//!
//! One of the input is a term: a list of bytes and fewer than eight bits. One whose length is known is a row of fields on the heap, each a number and how many
//! bits it has; so what a program wrote with some sizes and reads with the same comes back as it was.
//!
//! **Invariant.** The number of a field is not negative and has no more bits than the field.

use num_bigint::BigInt;
use num_traits::One;
use xcute_term::{Op, TermId, Value};

use super::look::Kind;
use super::value::{Field, Val, length};
use super::{Ctx, Machine, Res, Stop};
use crate::universe::{BITS, BYTE, NO_BYTE, is, select};

/// Longer fields are not computed with.
pub(super) const WIDEST: usize = 1 << 12;

impl Machine<'_> {
    fn power(&mut self, bits: u32) -> TermId {
        self.number_term(BigInt::one() << bits)
    }

    /// The number that `width` bits of a number are, from the bit `low` on.
    fn slice(&mut self, (number, bits): Field, low: u32, width: u32) -> TermId {
        let mut part = number;
        if low > 0 {
            let by = self.power(low);
            part = self.mk(Op::IntDiv, &[part, by]);
        }
        if low + width < bits {
            let by = self.power(width);
            part = self.mk(Op::IntMod, &[part, by]);
        }
        part
    }

    /// The fields of a bitstring from a bit on.
    pub(super) fn cut(&mut self, fields: &[Field], from: usize, length: usize) -> Vec<Field> {
        self.split(fields, [from, length]).pop().unwrap_or_default()
    }

    /// Pieces of these lengths in bits, one after the other; what fields lack is missing.
    fn split(&mut self, fields: &[Field], lengths: impl IntoIterator<Item = usize>) -> Vec<Vec<Field>> {
        let (mut rest, mut used, mut pieces) = (fields, 0, Vec::new());
        for length in lengths {
            let (mut wanted, mut piece) = (length, Vec::new());
            while let Some((&field, after)) = rest.split_first().filter(|_| wanted > 0) {
                let left = field.1 as usize - used;
                let kept = left.min(wanted);
                if kept > 0 {
                    let [low, kept] = [left - kept, kept].map(|bits| u32::try_from(bits).expect("few bits"));
                    piece.push((self.slice(field, low, kept), kept));
                }
                (wanted, used) = (wanted - kept, used + kept);
                if kept == left {
                    (rest, used) = (after, 0);
                }
            }
            pieces.push(piece);
        }
        pieces
    }

    /// The number that fields are together, most significant bit first.
    pub(super) fn joined(&mut self, fields: &[Field]) -> TermId {
        let mut sum = self.number_term(0);
        for &(number, bits) in fields {
            let by = self.power(bits);
            let scaled = self.mk(Op::Mul, &[sum, by]);
            sum = self.mk(Op::Add, &[scaled, number]);
        }
        sum
    }

    /// The bytes of fields, and after them fewer than eight bits.
    pub(super) fn bytes_of(&mut self, fields: &[Field]) -> (Vec<TermId>, Field) {
        let bits = length(fields);
        let pieces = self.split(fields, std::iter::repeat_n(8, bits / 8).chain([bits % 8]));
        let mut bytes: Vec<TermId> = pieces.iter().map(|piece| self.joined(piece)).collect();
        let last = bytes.pop().expect("what comes after the bytes");
        (bytes, (last, u32::try_from(bits % 8).expect("few bits")))
    }

    /// A bitstring of fields: one that does not depend on the input if no number does.
    pub(super) fn bits_value(&mut self, fields: Vec<Field>) -> Val {
        if fields.iter().all(|&(number, _)| self.rec.facts.constant(self.rec.terms, number).is_some()) {
            let (bytes, (last, extra)) = self.bytes_of(&fields);
            let number = |machine: &Self, term: TermId| {
                let term = machine.rec.facts.constant(machine.rec.terms, term).unwrap_or(term);
                match machine.rec.terms.as_value(term) {
                    Some(Value::Int(value)) => u8::try_from(value).ok(),
                    _ => None,
                }
            };
            let packed: Option<Vec<u8>> = bytes.iter().map(|&byte| number(self, byte)).collect();
            if let (Some(mut packed), Some(last)) = (packed, number(self, last)) {
                let bits = 8 * packed.len() + extra as usize;
                if extra > 0 {
                    packed.push(last << (8 - extra));
                }
                return self.heap.bitstring(&packed, bits);
            }
        }
        self.heap.fields(fields)
    }

    /// The fields of a bitstring. How long one of the input is gets decided.
    pub(super) fn fields(&mut self, ctx: &Ctx, value: Val) -> Res<Vec<Field>> {
        match self.known(value) {
            Val::Fields(bits) => Ok(self.heap.field_row(bits).to_vec()),
            Val::Bits(bits) => {
                let (bytes, bits) = self.heap.bytes(bits);
                let bytes = bytes.to_vec();
                Ok(bytes
                    .iter()
                    .enumerate()
                    .map(|(at, &byte)| {
                        let width = (bits - 8 * at).min(8);
                        (self.number_term(byte >> (8 - width)), u32::try_from(width).expect("few bits"))
                    })
                    .collect())
            }
            Val::Sym(term) => {
                self.domain.look_at_bits(&mut self.rec, term);
                let (mut fields, mut rest) = (Vec::new(), select(self.rec.terms, BITS, 0, term));
                loop {
                    self.spend()?;
                    let ways = [is(self.rec.terms, NO_BYTE, rest), is(self.rec.terms, BYTE, rest)];
                    if self.choose(ctx, &ways)? == 0 {
                        break;
                    }
                    fields.push((self.byte(rest), 8));
                    rest = select(self.rec.terms, BYTE, 1, rest);
                }
                let extra = select(self.rec.terms, BITS, 1, term);
                let extra = self.integer_value(extra);
                let extra = match extra {
                    Val::SymInt(extra) => {
                        let zero = self.number_term(0);
                        let none = self.mk(Op::Eq, &[extra, zero]);
                        let some = self.not(none);
                        if self.choose(ctx, &[none, some])? == 0 { Val::Int(0) } else { self.each(ctx, extra, (1, 7))? }
                    }
                    constant => constant,
                };
                if let Some(extra) = self.small(extra).and_then(|extra| u32::try_from(extra).ok()).filter(|&extra| extra > 0) {
                    fields.push((select(self.rec.terms, BITS, 2, term), extra));
                }
                Ok(fields)
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The number of a byte of the input.
    pub(super) fn byte(&mut self, cell: TermId) -> TermId {
        self.domain.look_at_byte(&mut self.rec, cell)
    }

    /// A value that must be a bitstring.
    pub(super) fn require_bits(&mut self, ctx: &mut Ctx, value: Val, kind: Kind) -> Res<Val> {
        let bits = self.is_kind(value, kind);
        self.require(ctx, bits, Val::Atom(crate::etf::Atom::BADARG))?;
        Ok(self.known(value))
    }

    /// `binary_part(Binary, Start, Length)`; a negative length counts backwards.
    pub(super) fn binary_part(&mut self, ctx: &mut Ctx, value: Val, start: Val, count: Val) -> Res<Val> {
        let value = self.require_bits(ctx, value, Kind::Binary)?;
        let fields = self.fields(ctx, value)?;
        let bytes = i64::try_from(length(&fields) / 8).expect("a short binary");
        let start = self.between(ctx, start, (0, bytes))?;
        let count = self.between(ctx, count, (-start, bytes - start))?;
        let (first, count) = if count < 0 { (start + count, -count) } else { (start, count) };
        let [first, count] = [first, count].map(|bytes| 8 * usize::try_from(bytes).unwrap_or(0));
        let part = self.cut(&fields, first, count);
        Ok(self.bits_value(part))
    }

    /// An integer that must be between two others; which one it is gets decided.
    fn between(&mut self, ctx: &mut Ctx, value: Val, (low, high): (i64, i64)) -> Res<i64> {
        let badarg = crate::etf::Atom::BADARG;
        let value = self.integer(ctx, value, badarg)?;
        let number = self.integer_term(value).expect("an integer");
        let inside = self.within(number, low, high);
        self.require(ctx, inside, Val::Atom(badarg))?;
        let value = if let Val::SymInt(term) = value { self.each(ctx, term, (low, high))? } else { value };
        // In a pure guard that has failed it may be any number.
        Ok(self.small(value).unwrap_or(low).clamp(low, high))
    }

    /// The conditions under which two bitstrings of known lengths are the same; `None` if they never are.
    pub(super) fn same_fields(&mut self, a: &[Field], b: &[Field]) -> Option<Vec<TermId>> {
        if length(a) != length(b) {
            return None;
        }
        let others = self.split(b, a.iter().map(|&(_, width)| width as usize));
        let mut conditions = Vec::with_capacity(a.len());
        for (&(number, _), other) in a.iter().zip(&others) {
            let other = self.joined(other);
            conditions.push(self.mk(Op::Eq, &[number, other]));
        }
        Some(conditions)
    }

    /// The condition that a bitstring comes before another one: the first difference counts, then the length.
    pub(super) fn bits_less(&mut self, ctx: &Ctx, a: Val, b: Val) -> Res<TermId> {
        let (a, b) = (self.fields(ctx, a)?, self.fields(ctx, b)?);
        let (long, short) = (length(&a), length(&b));
        let common = long.min(short);
        if common > WIDEST {
            return Err(Stop::Lost(format!("two long bitstrings are compared at {}", self.at(ctx))));
        }
        let (x, y) = (self.cut(&a, 0, common), self.cut(&b, 0, common));
        let (x, y) = (self.joined(&x), self.joined(&y));
        let less = self.mk(Op::Lt, &[x, y]);
        if long >= short {
            return Ok(less);
        }
        let same = self.mk(Op::Eq, &[x, y]);
        Ok(self.or(&[less, same]))
    }

    /// A bitstring of known length as a term of the universe.
    pub(super) fn bits_term(&mut self, fields: &[Field]) -> TermId {
        let (bytes, (last, extra)) = self.bytes_of(fields);
        let none = self.rec.terms.value(crate::universe::data(NO_BYTE, vec![]));
        let bytes = bytes.into_iter().rev().fold(none, |rest, byte| self.rec.terms.mk(Op::Construct(BYTE), &[byte, rest]));
        let extra = self.number_term(extra);
        self.mk(Op::Construct(BITS), &[bytes, extra, last])
    }

    /// The conditions under which a bitstring of the input is one of known length.
    pub(super) fn is_bits(&mut self, term: TermId, fields: &[Field], conditions: &mut Vec<TermId>) {
        self.domain.look_at_bits(&mut self.rec, term);
        conditions.push(is(self.rec.terms, BITS, term));
        let (bytes, (last, extra)) = self.bytes_of(fields);
        let mut rest = select(self.rec.terms, BITS, 0, term);
        for byte in bytes {
            conditions.push(is(self.rec.terms, BYTE, rest));
            let own = self.byte(rest);
            conditions.push(self.mk(Op::Eq, &[own, byte]));
            rest = select(self.rec.terms, BYTE, 1, rest);
        }
        conditions.push(is(self.rec.terms, NO_BYTE, rest));
        let (own, extra) = (select(self.rec.terms, BITS, 1, term), self.number_term(extra));
        conditions.push(self.mk(Op::Eq, &[own, extra]));
        let own = select(self.rec.terms, BITS, 2, term);
        conditions.push(self.mk(Op::Eq, &[own, last]));
    }
}
