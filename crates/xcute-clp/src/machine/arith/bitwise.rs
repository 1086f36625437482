//! Operations on the bits of integers that depend on the input, which have no bounds.
//!
//! With a constant they are arithmetic: the bits of a mask are picked by `div` and `mod`, which is exact for negative numbers as well, since both round down as two's
//! complement does. Two numbers that depend on the input meet as words of 16 bits, if they fit: larger ones
//! take the solver too long. Distances of shifts and places of bits are decided.
//!
//! **Invariant.** `None` leaves the operands as they were: the caller fixes and counts them.

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use xcute_term::{Op, TermId, Value};

use crate::machine::Machine;
use crate::machine::error::Stop;
use crate::machine::number::Number;

/// Distances and places are told apart up to this one.
const BITS: i64 = 64;

/// How long words are.
const WORD: u32 = 16;

/// Masks with more separate runs of bits are words.
const RUNS: usize = 16;

impl Machine<'_> {
    /// `x /\ y`, `x \/ y` or `x xor y`.
    pub(super) fn bitwise_term(&mut self, name: &str, x: TermId, y: TermId) -> Option<TermId> {
        let constant = |machine: &Self, term| match machine.rec.terms.as_value(term) {
            Some(Value::Int(value)) => Some(value.clone()),
            _ => None,
        };
        for (input, mask) in [(x, y), (y, x)] {
            if let Some(mask) = constant(self, mask)
                && let Some(common) = self.masked(input, &mask)
            {
                return Some(self.by_common(name, input, &mask, common));
            }
        }
        self.as_words(name, x, y)
    }

    /// `x /\ mask`; `None` for masks with many runs of bits.
    fn masked(&mut self, x: TermId, mask: &BigInt) -> Option<TermId> {
        if mask.is_negative() {
            // All bits but those of the complement.
            let without = self.masked(x, &(-mask - 1))?;
            return Some(self.rec.terms.mk(Op::Sub, &[x, without]));
        }
        let runs = runs(mask);
        if runs.len() > RUNS {
            return None;
        }
        let mut sum = self.int(0);
        for (start, length) in runs {
            let (low, size) = (self.power_of_two(start), self.power_of_two(length));
            let shifted = self.rec.terms.mk(Op::IntDiv, &[x, low]);
            let bits = self.rec.terms.mk(Op::IntMod, &[shifted, size]);
            let part = self.rec.terms.mk(Op::Mul, &[bits, low]);
            sum = self.rec.terms.mk(Op::Add, &[sum, part]);
        }
        Some(sum)
    }

    /// The other operations by way of the common bits.
    fn by_common(&mut self, name: &str, x: TermId, mask: &BigInt, common: TermId) -> TermId {
        if name == "/\\" {
            return common;
        }
        let mask = self.rec.terms.value(Value::Int(mask.clone()));
        let sum = self.rec.terms.mk(Op::Add, &[x, mask]);
        let once = self.rec.terms.mk(Op::Sub, &[sum, common]);
        if name == "\\/" { once } else { self.rec.terms.mk(Op::Sub, &[once, common]) }
    }

    fn as_words(&mut self, name: &str, x: TermId, y: TermId) -> Option<TermId> {
        let (a, b) = (self.word(x)?, self.word(y)?);
        let op = match name {
            "/\\" => Op::BvAnd,
            "\\/" => Op::BvOr,
            _ => Op::BvXor,
        };
        let word = self.rec.terms.mk(op, &[a, b]);
        Some(self.rec.terms.mk(Op::BvToInt, &[word]))
    }

    /// An integer as a word; whether it fits is decided.
    fn word(&mut self, x: TermId) -> Option<TermId> {
        let (least, most) = (self.int(-1 << (WORD - 1)), self.int((1 << (WORD - 1)) - 1));
        let fits = [self.rec.terms.mk(Op::Le, &[least, x]), self.rec.terms.mk(Op::Le, &[x, most])];
        self.check(&fits).then(|| self.rec.terms.mk(Op::IntToBv(WORD), &[x]))
    }

    /// `x << by` or `x >> by`; a negative distance is one to the other side.
    pub(super) fn shifted_term(&mut self, x: TermId, by: TermId, left: bool) -> Option<TermId> {
        let by = self.each(by, (-BITS, BITS))?;
        let Some(Value::Int(by)) = self.rec.terms.as_value(by) else { return None };
        let steps = i64::try_from(by).ok().filter(|by| by.abs() <= BITS)?;
        let steps = if left { steps } else { -steps };
        let factor = self.power_of_two(steps.unsigned_abs());
        Some(self.rec.terms.mk(if steps >= 0 { Op::Mul } else { Op::IntDiv }, &[x, factor]))
    }

    /// `getbit(x, place)`.
    pub(super) fn bit_term(&mut self, x: TermId, place: TermId) -> Result<Option<TermId>, Stop> {
        if matches!(self.rec.terms.as_value(place), Some(Value::Int(known)) if known.is_positive() && i64::try_from(known).is_err()) {
            return Ok(Some(self.int(0)));
        }
        for number in [x, place] {
            self.not_less(number, 0, "not_less_than_zero")?;
        }
        let Some(place) = self.each(place, (0, BITS)) else { return Ok(None) };
        let Some(place) = self.small_constant(place) else { return Ok(None) };
        let (low, two) = (self.power_of_two(place.into()), self.int(2));
        let shifted = self.rec.terms.mk(Op::IntDiv, &[x, low]);
        Ok(Some(self.rec.terms.mk(Op::IntMod, &[shifted, two])))
    }

    /// `msb(x)`: how many bits there are below the highest one is decided.
    pub(super) fn highest_term(&mut self, x: TermId) -> Result<Option<TermId>, Stop> {
        self.not_less(x, 1, "not_less_than_one")?;
        let (mut low, mut high) = (0, BITS);
        while low < high {
            let middle = low + (high - low) / 2;
            let bound = self.power_of_two(middle.unsigned_abs() + 1);
            let below = self.rec.terms.mk(Op::Lt, &[x, bound]);
            if self.check(&[below]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok((low < BITS).then(|| self.int(low)))
    }

    /// An error unless a number is at least this; that is decided.
    fn not_less(&mut self, number: TermId, least: i64, domain: &str) -> Result<(), Stop> {
        let bound = self.int(least);
        let fits = self.rec.terms.mk(Op::Le, &[bound, number]);
        if self.check(&[fits]) {
            return Ok(());
        }
        let number = self.known_number(number);
        let culprit = self.number_cell(number);
        Err(self.domain_error(domain, culprit))
    }

    /// The value of a number between two others, decided by halves; `None` if it is not between them.
    pub(super) fn each(&mut self, number: TermId, (mut low, mut high): (i64, i64)) -> Option<TermId> {
        if self.rec.terms.as_value(number).is_some() {
            return Some(number);
        }
        let ends = [self.int(low), self.int(high)];
        let within = [self.rec.terms.mk(Op::Le, &[ends[0], number]), self.rec.terms.mk(Op::Le, &[number, ends[1]])];
        if !self.check(&within) {
            return None;
        }
        if let Number::Small(known) = self.known_number(number) {
            return Some(self.int(known));
        }
        while low < high {
            let middle = low + (high - low).div_euclid(2);
            let bound = self.int(middle);
            let below = self.rec.terms.mk(Op::Le, &[number, bound]);
            if self.check(&[below]) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Some(self.int(low))
    }

    fn power_of_two(&mut self, exponent: u64) -> TermId {
        self.rec.terms.value(Value::Int(BigInt::one() << exponent))
    }
}

/// The runs of ones in a number that is not negative: where they begin, and how long they are.
fn runs(mask: &BigInt) -> Vec<(u64, u64)> {
    let mut runs = Vec::new();
    if mask.is_zero() {
        return runs;
    }
    let (mut at, end) = (0, mask.bits());
    while at < end {
        if mask.bit(at) {
            let start = at;
            while mask.bit(at) {
                at += 1;
            }
            runs.push((start, at - start));
        } else {
            at += 1;
        }
    }
    runs
}
