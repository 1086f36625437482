//! Construction of bitstrings from values that may depend on the input.

use num_bigint::BigInt;
use num_traits::One;
use xcute_term::{Op, TermId};

use super::bits::WIDEST;
use super::look::Kind;
use super::number::Num;
use super::value::{Field, Val, length};
use super::{Ctx, Machine, Res, Stop};
use crate::core::ast::SILENT;
use crate::etf::Atom;
use crate::flat::{PlaceId, Segment};

/// Sizes of segments that depend on the input are told apart up to this one.
const SIZES: i64 = 64;

impl Machine<'_> {
    /// A bitstring of segments in a body: if nothing depends on the input, the run says what it is.
    pub(super) fn write_bits(&mut self, segments: &[Segment], id: u32, place: PlaceId) -> Res<Val> {
        let mut parts = Vec::new();
        for segment in segments {
            parts.push(self.build(segment.value));
            parts.extend(segment.size.map(|size| self.build(size)));
        }
        let parts: Vec<Val> = parts.into_iter().map(|part| self.resolved(part)).collect();
        if !parts.iter().any(|&part| self.heap.is_symbolic(part)) {
            return self.opaque(id, place, &parts, "the construction of a bitstring");
        }
        if id != SILENT {
            self.skip(id, place)?;
        }
        let mut ctx = self.body(place);
        self.computed_bits(&mut ctx, segments)
    }

    /// A bitstring of segments.
    pub(super) fn computed_bits(&mut self, ctx: &mut Ctx, segments: &[Segment]) -> Res<Val> {
        let badarg = Val::Atom(Atom::BADARG);
        let mut row: Vec<Field> = Vec::new();
        for segment in segments {
            let value = self.build(segment.value);
            let bits = match segment.size {
                Some(size) => {
                    let size = self.build(size);
                    let size = self.integer(ctx, size, Atom::BADARG)?;
                    let size = self.segment_size(ctx, size)?;
                    let bits =
                        self.small(size).and_then(|size| usize::try_from(size).ok()).map(|size| size.saturating_mul(segment.unit as usize));
                    let Some(bits) = bits else { return self.fail(ctx, badarg, Val::Nil) };
                    Some(bits)
                }
                None => None,
            };
            match (segment.of, bits) {
                (Atom::INTEGER, Some(bits)) => {
                    let value = self.integer(ctx, value, Atom::BADARG)?;
                    let number = self.integer_term(value).expect("an integer");
                    let fields = self.written(ctx, number, bits, segment.little)?;
                    row.extend(fields);
                }
                (Atom::FLOAT, Some(64)) => {
                    let number = self.is_kind(value, Kind::Number);
                    self.require(ctx, number, badarg)?;
                    let (Num::Integer(value) | Num::Float(value)) = self.number(ctx, value)?;
                    let value = self.float_of(ctx, value)?;
                    let float = self.float_term(value).expect("a float");
                    let word = self.mk(Op::FpToBits, &[float]);
                    let number = self.mk(Op::BvToInt, &[word]);
                    let fields = self.written(ctx, number, 64, segment.little)?;
                    row.extend(fields);
                }
                (Atom::BINARY, bits) => {
                    let value = self.require_bits(ctx, value, Kind::Bitstring)?;
                    let fields = self.fields(ctx, value)?;
                    let whole = length(&fields);
                    let bits = bits.unwrap_or(whole);
                    if bits > whole || (segment.size.is_none() && !whole.is_multiple_of(segment.unit.max(1) as usize)) {
                        return self.fail(ctx, badarg, Val::Nil);
                    }
                    let part = self.cut(&fields, 0, bits);
                    row.extend(part);
                }
                (Atom::UTF8, _) => {
                    let value = self.integer(ctx, value, Atom::BADARG)?;
                    let code = self.integer_term(value).expect("an integer");
                    let fields = self.encoded(ctx, code)?;
                    row.extend(fields);
                }
                _ => {
                    let what = format!("a segment of a bitstring that is built at {}", self.at(ctx));
                    return Err(Stop::Lost(what));
                }
            }
        }
        Ok(self.bits_value(row))
    }

    /// The size of a segment: each small one is a way of its own, larger ones are fixed.
    fn segment_size(&mut self, ctx: &mut Ctx, size: Val) -> Res<Val> {
        let Val::SymInt(term) = self.known(size) else { return Ok(size) };
        let zero = self.number_term(0);
        let possible = self.mk(Op::Le, &[zero, term]);
        self.require(ctx, possible, Val::Atom(Atom::BADARG))?;
        let small = self.within(term, 0, SIZES);
        let not = self.not(small);
        if self.choose(ctx, &[small, not])? == 0 {
            return self.each(ctx, term, (0, SIZES));
        }
        self.fixed_integer(ctx, size, "a large size of a segment of a bitstring")
    }

    /// A number as this many bits of its two's complement.
    fn written(&mut self, ctx: &Ctx, number: TermId, bits: usize, little: bool) -> Res<Vec<Field>> {
        if bits > WIDEST {
            return Err(Stop::Lost(format!("a segment of more than {WIDEST} bits at {}", self.at(ctx))));
        }
        if bits == 0 {
            return Ok(Vec::new());
        }
        let width = u32::try_from(bits).expect("few bits");
        let whole = BigInt::one() << width;
        let inside = self.within(number, 0, &whole - 1);
        let whole = self.number_term(whole);
        let number =
            if self.rec.facts.holds(self.rec.terms, inside) == Some(true) { number } else { self.mk(Op::IntMod, &[number, whole]) };
        if !little || bits <= 8 {
            return Ok(vec![(number, width)]);
        }
        // Least significant byte first; the last one may be shorter.
        let short = bits % 8;
        let mut row = Vec::new();
        for at in 0..bits / 8 {
            row.extend(self.cut(&[(number, width)], bits - 8 * (at + 1), 8));
        }
        row.extend(self.cut(&[(number, width)], 0, short));
        Ok(row)
    }

    /// A character in UTF-8; how many bytes it has is decided.
    fn encoded(&mut self, ctx: &mut Ctx, code: TermId) -> Res<Vec<Field>> {
        let high = [self.within(code, 0x800, 0xd7ff), self.within(code, 0xe000, 0xffff)];
        let ways = [self.within(code, 0, 0x7f), self.within(code, 0x80, 0x7ff), self.or(&high), self.within(code, 0x1_0000, 0x10_ffff)];
        let any = self.or(&ways);
        self.require(ctx, any, Val::Atom(Atom::BADARG))?;
        let count = self.choose(ctx, &ways)? + 1;
        if count == 1 {
            return Ok(vec![(code, 8)]);
        }
        let first = [0, 0, 0b110, 0b1110, 0b1_1110][count];
        let bits = u32::try_from(6 * (count - 1) + 7 - count).expect("few bits");
        let row = [(code, bits)];
        let head = 7 - count;
        let (mark, mut out) = (self.number_term(first), Vec::new());
        out.push((mark, u32::try_from(count + 1).expect("few bits")));
        out.extend(self.cut(&row, 0, head));
        for n in 0..count - 1 {
            let mark = self.number_term(0b10);
            out.push((mark, 2));
            out.extend(self.cut(&row, head + 6 * n, 6));
        }
        Ok(out)
    }
}
