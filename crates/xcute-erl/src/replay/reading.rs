//! Matching of bitstrings that depend on the input with segments.
//!
//! Whole bytes from the front of a bitstring of the input are conditions, so a loop over its bytes looks at one after the other. Where segments do not lie on
//! bytes, or a size depends on the input, it is decided first how long the bitstring is.

use num_bigint::BigInt;
use num_traits::One;
use xcute_term::{FloatFormat, Op, TermId};

use super::bits::WIDEST;
use super::look::Kind;
use super::value::{Field, Val, length};
use super::{Ctx, Machine, Res};
use crate::etf::Atom;
use crate::flat::{Pat, Segment};
use crate::universe::{BITS, BYTE, NO_BYTE, is, select};

impl Machine<'_> {
    /// Whether segments match a value; conditions are added. The value depends on the input, or the segments do.
    pub(super) fn match_bits(&mut self, segments: &[Segment], value: Val, conditions: &mut Vec<TermId>) -> Res<bool> {
        let ctx = self.deciding();
        let known = self.known(value);
        if let Val::Sym(term) = known {
            let test = self.is_kind(known, Kind::Bitstring);
            if let Some(sizes) = self.whole_bytes(segments) {
                if self.rec.facts.holds(self.rec.terms, test) == Some(false) {
                    return Ok(false);
                }
                conditions.push(test);
                return self.match_bytes(segments, &sizes, term, conditions);
            }
            let not = self.not(test);
            if self.choose(&ctx, &[not, test])? == 0 {
                return Ok(false);
            }
        } else if !matches!(known, Val::Bits(_) | Val::Fields(_)) {
            return Ok(false);
        }
        let fields = self.fields(&ctx, known)?;
        self.match_fields(segments, &fields, conditions)
    }

    /// The bits of each segment, `None` for the rest, if together they lie on bytes and no size depends on the input.
    fn whole_bytes(&mut self, segments: &[Segment]) -> Option<Vec<Option<usize>>> {
        let mut sizes = Vec::with_capacity(segments.len());
        for (at, segment) in segments.iter().enumerate() {
            let size = match (segment.of, segment.size) {
                (Atom::UTF8 | Atom::UTF16 | Atom::UTF32 | Atom::FLOAT, _) => return None,
                (Atom::INTEGER, None) => return None,
                (_, None) => {
                    // The rest, in bytes or in bits.
                    if at + 1 != segments.len() || !matches!(segment.unit, 1 | 8) {
                        return None;
                    }
                    None
                }
                (_, Some(size)) => {
                    let size = self.build(size);
                    let bits = self.small(size).and_then(|size| usize::try_from(size).ok())?.checked_mul(segment.unit as usize)?;
                    Some(bits).filter(|bits| *bits <= WIDEST).map(Some)?
                }
            };
            sizes.push(size);
        }
        let whole: usize = sizes.iter().flatten().sum();
        (whole.is_multiple_of(8) && whole <= WIDEST).then_some(sizes)
    }

    /// Segments of whole bytes and a bitstring of the input: nothing is decided.
    fn match_bytes(&mut self, segments: &[Segment], sizes: &[Option<usize>], term: TermId, conditions: &mut Vec<TermId>) -> Res<bool> {
        self.domain.look_at_bits(&mut self.rec, term);
        let mut rest = select(self.rec.terms, BITS, 0, term);
        let (extra, last) = (select(self.rec.terms, BITS, 1, term), select(self.rec.terms, BITS, 2, term));
        let zero = self.number_term(0);
        let even = self.mk(Op::Eq, &[extra, zero]);
        let whole: usize = sizes.iter().flatten().sum();
        let mut fields = Vec::with_capacity(whole / 8);
        for _ in 0..whole / 8 {
            conditions.push(is(self.rec.terms, BYTE, rest));
            fields.push((self.byte(rest), 8));
            rest = select(self.rec.terms, BYTE, 1, rest);
        }
        let mut at = 0;
        for (segment, size) in segments.iter().zip(sizes) {
            let value = match size {
                Some(bits) => {
                    let part = self.cut(&fields, at, *bits);
                    at += bits;
                    self.segment_value(segment, part)
                }
                None => {
                    if segment.unit == 8 {
                        conditions.push(even);
                    }
                    let tail = self.mk(Op::Construct(BITS), &[rest, extra, last]);
                    return self.bind_segment(segment, Val::Sym(tail), conditions);
                }
            };
            if !self.bind_segment(segment, value, conditions)? {
                return Ok(false);
            }
        }
        conditions.push(is(self.rec.terms, NO_BYTE, rest));
        conditions.push(even);
        Ok(true)
    }

    /// The value of an integer or binary segment.
    fn segment_value(&mut self, segment: &Segment, fields: Vec<Field>) -> Val {
        if segment.of != Atom::INTEGER {
            return self.bits_value(fields);
        }
        let number = self.segment_number(segment, &fields);
        self.integer_value(number)
    }

    fn segment_number(&mut self, segment: &Segment, fields: &[Field]) -> TermId {
        let bits = length(fields);
        let number = if segment.little {
            // Whole bytes from the least significant on; the last one may be shorter.
            let (mut bytes, last) = self.bytes_of(fields);
            let mut row: Vec<Field> = Vec::new();
            if last.1 > 0 {
                row.push(last);
            }
            bytes.reverse();
            row.extend(bytes.into_iter().map(|byte| (byte, 8)));
            self.joined(&row)
        } else {
            self.joined(fields)
        };
        if !segment.signed || bits == 0 {
            return number;
        }
        let (half, whole) = (self.number_term(BigInt::one() << (bits - 1)), self.number_term(BigInt::one() << bits));
        let (positive, below) = (self.mk(Op::Lt, &[number, half]), self.mk(Op::Sub, &[number, whole]));
        self.mk(Op::Ite, &[positive, number, below])
    }

    /// Binds the variable of a segment, or compares its value with what stands there.
    fn bind_segment(&mut self, segment: &Segment, value: Val, conditions: &mut Vec<TermId>) -> Res<bool> {
        if let Pat::Var(slot) = self.program.code.pat(segment.value) {
            self.set_slot(*slot, value);
            return Ok(true);
        }
        let wanted = self.build(segment.value);
        match self.same(wanted, value)? {
            Some(same) => {
                conditions.extend(same);
                Ok(true)
            }
            None => Ok(false),
        }
    }

    /// Segments and a bitstring of known length.
    fn match_fields(&mut self, segments: &[Segment], fields: &[Field], conditions: &mut Vec<TermId>) -> Res<bool> {
        let (mut at, end) = (0, length(fields));
        for segment in segments {
            let left = end - at;
            let bits = match (segment.of, segment.size) {
                (Atom::UTF8, _) => match self.character(fields, at)? {
                    Some((code, bits)) => {
                        if !self.bind_segment(segment, code, conditions)? {
                            return Ok(false);
                        }
                        at += bits;
                        continue;
                    }
                    None => return Ok(false),
                },
                (Atom::UTF16 | Atom::UTF32, _) => None,
                (_, None) if left.is_multiple_of(segment.unit.max(1) as usize) => Some(left),
                (_, None) => return Ok(false),
                (_, Some(size)) => {
                    let size = self.build(size);
                    match self.segment_bits(size, segment.unit, left)? {
                        Some(bits) => Some(bits),
                        None => return Ok(false),
                    }
                }
            };
            let part = bits.map(|bits| self.cut(fields, at, bits));
            let value = match (segment.of, part) {
                (Atom::FLOAT, Some(part)) if length(&part) == 64 => match self.float_segment(segment, &part)? {
                    Some(value) => value,
                    None => return Ok(false),
                },
                (Atom::INTEGER, Some(part)) if length(&part) <= WIDEST => self.segment_value(segment, part),
                (Atom::BINARY, Some(part)) => self.bits_value(part),
                (_, _) => return self.match_fixed(segments, fields, conditions),
            };
            if !self.bind_segment(segment, value, conditions)? {
                return Ok(false);
            }
            at += bits.unwrap_or(0);
        }
        Ok(at == end)
    }

    /// What no condition says: the bitstring is fixed, which is a limit.
    fn match_fixed(&mut self, segments: &[Segment], fields: &[Field], conditions: &mut Vec<TermId>) -> Res<bool> {
        let ctx = self.deciding();
        let value = self.heap.fields(fields.to_vec());
        match self.fixed(&ctx, value, "a segment of a bitstring")? {
            Val::Bits(bits) => self.match_segments(segments, bits, conditions),
            _ => Ok(false),
        }
    }

    /// The bits of a segment whose size may depend on the input; `None` if it is negative, or there are not as many.
    fn segment_bits(&mut self, size: Val, unit: u32, left: usize) -> Res<Option<usize>> {
        let ctx = self.deciding();
        let size = match self.known(size) {
            Val::SymInt(term) => {
                let most = i64::try_from(left / unit.max(1) as usize).unwrap_or(i64::MAX);
                let fits = self.within(term, 0, most);
                let not = self.not(fits);
                if self.choose(&ctx, &[not, fits])? == 0 {
                    return Ok(None);
                }
                self.each(&ctx, term, (0, most))?
            }
            value @ Val::Sym(_) => {
                let test = self.is_kind(value, Kind::Integer);
                let not = self.not(test);
                return if self.choose(&ctx, &[not, test])? == 0 { Ok(None) } else { self.segment_bits(value, unit, left) };
            }
            other => other,
        };
        let bits = self.small(size).and_then(|size| usize::try_from(size).ok()).and_then(|size| size.checked_mul(unit as usize));
        Ok(bits.filter(|&bits| bits <= left))
    }

    /// A float of 64 bits; `None` if it is none that Erlang has.
    fn float_segment(&mut self, segment: &Segment, part: &[Field]) -> Res<Option<Val>> {
        let ctx = self.deciding();
        let plain = Segment { signed: false, ..segment.clone() };
        let number = self.segment_number(&plain, part);
        let word = self.mk(Op::IntToBv(64), &[number]);
        let float = self.mk(Op::FpFromBits(FloatFormat::DOUBLE), &[word]);
        let odd = [self.mk(Op::FpIsNan, &[float]), self.mk(Op::FpIsInf, &[float])];
        let odd = self.or(&odd);
        let fine = self.not(odd);
        if self.choose(&ctx, &[odd, fine])? == 0 {
            return Ok(None);
        }
        Ok(Some(self.float_value(float)))
    }

    /// The character in UTF-8 at a bit, and how many bits it has; `None` if there is none. How many is decided.
    fn character(&mut self, fields: &[Field], at: usize) -> Res<Option<(Val, usize)>> {
        let ctx: Ctx = self.deciding();
        let left = (length(fields) - at) / 8;
        let mut bytes = Vec::new();
        for n in 0..left.min(4) {
            let part = self.cut(fields, at + 8 * n, 8);
            bytes.push(self.joined(&part));
        }
        // The lowest code, and what the first byte is at least and below.
        let shapes: [(u32, u32, u32); 4] = [(0, 0, 0x80), (0x80, 0xc0, 0xe0), (0x800, 0xe0, 0xf0), (0x1_0000, 0xf0, 0xf8)];
        let (mut ways, mut codes) = (Vec::new(), Vec::new());
        for (n, &(lowest, first, below)) in shapes.iter().enumerate().take(bytes.len()) {
            let low = self.number_term(first);
            let mut all = vec![self.within(bytes[0], first, below - 1)];
            let mut code = self.mk(Op::Sub, &[bytes[0], low]);
            for &byte in &bytes[1..=n] {
                let (low, by) = (self.number_term(0x80), self.number_term(64));
                all.push(self.within(byte, 0x80, 0xbf));
                let (scaled, part) = (self.mk(Op::Mul, &[code, by]), self.mk(Op::Sub, &[byte, low]));
                code = self.mk(Op::Add, &[scaled, part]);
            }
            all.push(self.within(code, lowest, 0x10_ffff));
            let pair = self.within(code, 0xd800, 0xdfff);
            all.push(self.not(pair));
            ways.push(self.and(&all));
            codes.push((code, 8 * (n + 1)));
        }
        let any = self.or(&ways);
        ways.push(self.not(any));
        let chosen = self.choose(&ctx, &ways)?;
        Ok(codes.get(chosen).copied().map(|(code, bits)| (self.integer_value(code), bits)))
    }
}
