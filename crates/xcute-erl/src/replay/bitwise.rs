//! Operations on the bits of integers without bounds.
//!
//! With a constant they are arithmetic: the bits of a mask are picked by `div` and `mod`, which is exact for negative numbers as well, since both round
//! down as two's complement does. Two numbers that depend on the input meet as 64-bit words, if they fit.

use num_bigint::BigInt;
use num_traits::{One, Signed, ToPrimitive, Zero};
use xcute_term::{Op, TermId, Value};

use super::value::Val;
use super::{Ctx, Machine, Res, Stop};
use crate::calls::Bif;
use crate::etf::Atom;

/// Shifts that depend on the input are told apart up to this distance.
const SHIFTS: i64 = 64;

/// Results with more bits are not computed.
const LONGEST: u64 = 1 << 22;

/// Masks with more separate runs of bits are fixed together with what they mask.
const RUNS: usize = 16;

impl Machine<'_> {
    /// `band`, `bor` or `bxor` of integers.
    pub(super) fn bitwise(&mut self, ctx: &mut Ctx, bif: Bif, a: Val, b: Val) -> Res<Val> {
        match (a, b) {
            (Val::SymInt(x), Val::SymInt(y)) => self.words(ctx, bif, x, y),
            (Val::SymInt(x), constant) | (constant, Val::SymInt(x)) => {
                let mask = self.heap.to_big(constant);
                match self.masked(x, &mask) {
                    Some(common) => Ok(self.combined(bif, x, &mask, common)),
                    None => {
                        let y = self.integer_term(constant).expect("an integer");
                        self.words(ctx, bif, x, y)
                    }
                }
            }
            _ => {
                let (x, y) = (self.heap.to_big(a), self.heap.to_big(b));
                Ok(self.heap.integer(match bif {
                    Bif::Band => x & y,
                    Bif::Bor => x | y,
                    _ => x ^ y,
                }))
            }
        }
    }

    /// `x band mask`; `None` for masks with many runs of bits.
    fn masked(&mut self, x: TermId, mask: &BigInt) -> Option<TermId> {
        if mask.is_negative() {
            // All bits but those of the complement.
            let without = self.masked(x, &(-mask - 1))?;
            return Some(self.mk(Op::Sub, &[x, without]));
        }
        let mut runs = Vec::new();
        let (mut at, end) = (0, mask.bits());
        while at < end {
            if !mask.bit(at) {
                at += 1;
                continue;
            }
            let start = at;
            while mask.bit(at) {
                at += 1;
            }
            runs.push((start, at - start));
        }
        if runs.len() > RUNS {
            return None;
        }
        let power = |machine: &mut Self, bits: u64| machine.rec.terms.value(Value::Int(BigInt::one() << bits));
        let mut sum = self.rec.terms.value(Value::Int(BigInt::zero()));
        for (start, length) in runs {
            let (low, size) = (power(self, start), power(self, length));
            let shifted = self.mk(Op::IntDiv, &[x, low]);
            let bits = self.mk(Op::IntMod, &[shifted, size]);
            let part = self.mk(Op::Mul, &[bits, low]);
            sum = self.mk(Op::Add, &[sum, part]);
        }
        Some(sum)
    }

    /// The other operations by way of the common bits.
    fn combined(&mut self, bif: Bif, x: TermId, mask: &BigInt, common: TermId) -> Val {
        if bif == Bif::Band {
            return self.integer_value(common);
        }
        let mask = self.rec.terms.value(Value::Int(mask.clone()));
        let sum = self.mk(Op::Add, &[x, mask]);
        let once = self.mk(Op::Sub, &[sum, common]);
        let result = if bif == Bif::Bor { once } else { self.mk(Op::Sub, &[once, common]) };
        self.integer_value(result)
    }

    fn words(&mut self, ctx: &mut Ctx, bif: Bif, x: TermId, y: TermId) -> Res<Val> {
        let (a, b) = match (self.word(ctx, x)?, self.word(ctx, y)?) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(a), Err(b)) => return self.bitwise(ctx, bif, a, b),
            (Ok(_), Err(b)) => return self.bitwise(ctx, bif, Val::SymInt(x), b),
            (Err(a), Ok(_)) => return self.bitwise(ctx, bif, a, Val::SymInt(y)),
        };
        let op = match bif {
            Bif::Band => Op::BvAnd,
            Bif::Bor => Op::BvOr,
            _ => Op::BvXor,
        };
        let word = self.mk(op, &[a, b]);
        let number = self.mk(Op::BvToInt, &[word]);
        Ok(self.integer_value(number))
    }

    /// `bsl` or, with the distance negated, `bsr`.
    pub(super) fn shifted(&mut self, ctx: &mut Ctx, value: Val, distance: Val, left: bool) -> Res<Val> {
        let distance = match distance {
            Val::SymInt(term) => self.distance(ctx, term)?,
            other => other,
        };
        let steps = self.heap.to_big(distance);
        let steps = if left { steps } else { -steps };
        let zero = matches!(value, Val::Int(0));
        let Some(steps) = steps.to_i64().filter(|steps| steps.unsigned_abs() < LONGEST) else {
            // Zero stays zero; otherwise nothing is left, or the result is larger than any integer.
            return match (zero, steps.is_negative(), value) {
                (true, _, _) => Ok(value),
                (_, true, Val::SymInt(_)) => Err(Stop::Lost(format!("a shift by a huge number at {}", self.at(ctx)))),
                (_, true, _) => Ok(Val::Int(if self.heap.to_big(value).is_negative() { -1 } else { 0 })),
                _ => Err(Stop::Lost(format!("an integer of more than {LONGEST} bits at {}", self.at(ctx)))),
            };
        };
        if let Val::SymInt(term) = value {
            let power = self.rec.terms.value(Value::Int(BigInt::one() << steps.unsigned_abs()));
            let op = if steps >= 0 { Op::Mul } else { Op::IntDiv };
            let result = self.mk(op, &[term, power]);
            return Ok(self.integer_value(result));
        }
        let value = self.heap.to_big(value);
        if steps > 0 && value.bits() + steps.unsigned_abs() > LONGEST {
            return Err(Stop::Lost(format!("an integer of more than {LONGEST} bits at {}", self.at(ctx))));
        }
        Ok(self.heap.integer(if steps >= 0 { value << steps } else { value >> steps.unsigned_abs() }))
    }

    /// A distance that depends on the input: each small one is a way of its own, others are fixed.
    fn distance(&mut self, ctx: &mut Ctx, term: TermId) -> Res<Val> {
        let small = self.within(term, -SHIFTS, SHIFTS);
        let not = self.not(small);
        if self.choose(ctx, &[small, not])? == 0 {
            return self.each(ctx, term, (-SHIFTS, SHIFTS));
        }
        match self.pin(ctx, term, "a shift by a large number")? {
            Value::Int(value) => Ok(self.heap.integer(value)),
            _ => Err(Stop::Lost("an integer is none".to_owned())),
        }
    }

    /// The value of a term between two numbers, decided by halves: the decisions are the same in all runs that come here, so every value is met.
    pub(super) fn each(&mut self, ctx: &Ctx, term: TermId, (mut low, mut high): (i64, i64)) -> Res<Val> {
        while low < high {
            let middle = low + (high - low) / 2;
            let bound = self.number_term(middle);
            let below = self.mk(Op::Le, &[term, bound]);
            let above = self.not(below);
            if self.choose(ctx, &[below, above])? == 0 {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        Ok(Val::Int(low))
    }
}

/// The reason of the error that an operand that is not an integer leads to.
pub(super) const REASON: Atom = Atom::BADARITH;
