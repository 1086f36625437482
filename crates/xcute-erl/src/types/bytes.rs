//! Bitstrings in the domain of inputs: their sizes, and what is assumed of their bytes.

use xcute_match::Recorder;
use xcute_term::{Op, TermId, Terms, Value};

use super::domain::{Domain, and, or};
use crate::universe::{BITS, BYTE, NO_BYTE, is, select};

/// Sizes of bitstrings whose unit is not a byte or a bit, at most.
const SIZES: usize = 5;

/// Bytes of bitstrings that are looked at where these are compared as wholes, at most.
const BYTES: u32 = 8;

fn number(terms: &mut Terms, value: usize) -> TermId {
    terms.value(Value::Int(value.into()))
}

impl Domain<'_> {
    /// The shape of bitstrings of this many bits, and multiples of the unit more.
    pub(super) fn bits_shape(&self, terms: &mut Terms, part: TermId, (least, unit): (usize, usize), depth: Option<u32>) -> TermId {
        let test = is(terms, BITS, part);
        let mut all = vec![test];
        match unit {
            0 => all.push(self.sized(terms, part, least)),
            1 | 8 => {
                all.push(self.at_least(terms, part, least / 8));
                let extra = select(terms, BITS, 1, part);
                let bits = number(terms, least % 8);
                if unit == 8 {
                    all.push(terms.mk(Op::Eq, &[extra, bits]));
                } else if least % 8 > 0 {
                    // One byte more, or as many bits.
                    let ways = [self.at_least(terms, part, least / 8 + 1), terms.mk(Op::Le, &[bits, extra])];
                    all.push(or(terms, &ways));
                }
            }
            _ => {
                let ways: Vec<TermId> = sizes(least, unit).map(|bits| self.sized(terms, part, bits)).collect();
                all.push(or(terms, &ways));
            }
        }
        all.extend(self.few_bytes(terms, part, depth));
        and(terms, &all)
    }

    fn sized(&self, terms: &mut Terms, part: TermId, bits: usize) -> TermId {
        let mut all = vec![self.at_least(terms, part, bits / 8)];
        let mut rest = select(terms, BITS, 0, part);
        for _ in 0..bits / 8 {
            rest = select(terms, BYTE, 1, rest);
        }
        all.push(is(terms, NO_BYTE, rest));
        let (extra, bits) = (select(terms, BITS, 1, part), number(terms, bits % 8));
        all.push(terms.mk(Op::Eq, &[extra, bits]));
        and(terms, &all)
    }

    fn at_least(&self, terms: &mut Terms, part: TermId, bytes: usize) -> TermId {
        let mut all = Vec::with_capacity(bytes);
        let mut rest = select(terms, BITS, 0, part);
        for _ in 0..bytes {
            all.push(is(terms, BYTE, rest));
            rest = select(terms, BYTE, 1, rest);
        }
        and(terms, &all)
    }

    /// A bitstring, if it is one, has no more bytes than it is deep; a part of a byte counts.
    pub(super) fn few_bytes(&self, terms: &mut Terms, part: TermId, depth: Option<u32>) -> Option<TermId> {
        let depth = depth?;
        let mut rest = select(terms, BITS, 0, part);
        for _ in 0..depth {
            rest = select(terms, BYTE, 1, rest);
        }
        let more = is(terms, BYTE, rest);
        let mut all = vec![terms.not(more)];
        // With as many bytes there are no bits after them.
        let (extra, zero) = (select(terms, BITS, 1, part), number(terms, 0));
        let even = terms.mk(Op::Eq, &[extra, zero]);
        if depth == 0 {
            all.push(even);
        } else {
            let full = self.at_least(terms, part, depth as usize);
            let short = terms.not(full);
            all.push(or(terms, &[short, even]));
        }
        Some(and(terms, &all))
    }

    /// Looks at the bits after the bytes of a part that is, or is about to be known to be, a bitstring.
    pub fn look_at_bits(&mut self, rec: &mut Recorder<'_>, part: TermId) {
        let extra = select(rec.terms, BITS, 1, part);
        if rec.terms.is_const(extra) || !self.seen.insert(extra) {
            return;
        }
        let last = select(rec.terms, BITS, 2, part);
        let zero = number(rec.terms, 0);
        let mut ways = Vec::new();
        for bits in 0..8 {
            let (count, whole) = (number(rec.terms, bits), number(rec.terms, 1 << bits));
            let all = [rec.terms.mk(Op::Eq, &[extra, count]), rec.terms.mk(Op::Le, &[zero, last]), rec.terms.mk(Op::Lt, &[last, whole])];
            ways.push(and(rec.terms, &all));
        }
        let condition = or(rec.terms, &ways);
        self.assume(rec, &[condition]);
    }

    /// Looks at a part that may be a bitstring of up to this many bytes and is compared as a whole: two that differ have different bits.
    pub(super) fn look_at_all_bits(&mut self, rec: &mut Recorder<'_>, part: TermId, bytes: u32) {
        self.look_at_bits(rec, part);
        let mut rest = select(rec.terms, BITS, 0, part);
        for _ in 0..bytes.min(BYTES) {
            self.look_at_byte(rec, rest);
            rest = select(rec.terms, BYTE, 1, rest);
        }
    }

    /// Looks at a byte: its number.
    pub fn look_at_byte(&mut self, rec: &mut Recorder<'_>, cell: TermId) -> TermId {
        let byte = select(rec.terms, BYTE, 0, cell);
        if !rec.terms.is_const(byte) && rec.terms.op(byte) == Op::Select(BYTE, 0) && self.seen.insert(byte) {
            let (zero, last) = (number(rec.terms, 0), number(rec.terms, 255));
            let conditions = [rec.terms.mk(Op::Le, &[zero, byte]), rec.terms.mk(Op::Le, &[byte, last])];
            self.assume(rec, &conditions);
        }
        byte
    }
}

/// The sizes of a type whose unit is not a byte or a bit, as far as inputs have them.
pub(super) fn sizes(least: usize, unit: usize) -> impl Iterator<Item = usize> {
    (0..SIZES).map(move |count| least + count * unit)
}
