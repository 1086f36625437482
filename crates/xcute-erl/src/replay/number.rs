//! Numbers that depend on the input: integers without bounds, floats with their 64 bits.
//!
//! Between the two there is no arithmetic in a solver that is both exact and of use; so an integer that meets a float is decided to be one of those that 64
//! bits hold, and goes by way of bit-vectors. Others are fixed, and counted.
//!
//! **Invariant.** A float is finite, and where both zeros are the same it is never the negative one.

use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};
use xcute_term::{FloatFormat, Op, Rounding, TermId, Value};

use super::look::Kind;
use super::monotone::Test;
use super::value::Val;
use super::{Ctx, Machine, Res, Stop};
use crate::etf::Atom;
use crate::universe::{FLOAT, INTEGER, select};

const NEAREST: Rounding = Rounding::NearestEven;

/// A number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Num {
    Integer(Val),
    Float(Val),
}

impl Machine<'_> {
    /// An integer as a term; `None` if it is none.
    pub(crate) fn integer_term(&mut self, value: Val) -> Option<TermId> {
        match value {
            Val::Int(value) => Some(self.rec.terms.value(Value::Int(value.into()))),
            Val::Big(_) => {
                let value = self.heap.to_big(value);
                Some(self.rec.terms.value(Value::Int(value)))
            }
            Val::SymInt(term) => Some(term),
            _ => None,
        }
    }

    /// A float as a term; `None` if it is none.
    pub(crate) fn float_term(&mut self, value: Val) -> Option<TermId> {
        match value {
            Val::Float(value) => Some(self.float_constant(value)),
            Val::SymFloat(term) => Some(term),
            _ => None,
        }
    }

    fn float_constant(&mut self, value: f64) -> TermId {
        let bits = if self.one_zero && value == 0.0 { 0 } else { value.to_bits() };
        self.rec.terms.value(Value::Float(FloatFormat::DOUBLE, xcute_term::Bits::new(64, bits)))
    }

    /// A value as a number, or an arithmetic error.
    pub(crate) fn number(&mut self, ctx: &mut Ctx, value: Val) -> Res<Num> {
        let number = self.is_kind(value, Kind::Number);
        self.require(ctx, number, Val::Atom(Atom::BADARITH))?;
        let value = self.known(value);
        match value {
            Val::Int(_) | Val::Big(_) | Val::SymInt(_) => Ok(Num::Integer(value)),
            Val::Float(_) | Val::SymFloat(_) => Ok(Num::Float(value)),
            Val::Sym(term) => {
                // In a pure guard it may be no number at all; then the guard fails, whatever comes out.
                let ways = [self.is_kind(value, Kind::Integer), self.is_kind(value, Kind::Float)];
                if self.choose(ctx, &ways)? == 0 {
                    let number = select(self.rec.terms, INTEGER, 0, term);
                    return Ok(Num::Integer(self.integer_value(number)));
                }
                let bits = self.domain.look_at_constant(&mut self.rec, FLOAT, term);
                let float = self.mk(Op::FpFromBits(FloatFormat::DOUBLE), &[bits]);
                Ok(Num::Float(self.float_value(float)))
            }
            // A pure guard goes on with anything once it has failed.
            _ => Ok(Num::Integer(Val::Int(0))),
        }
    }

    /// A value as an integer, or an error of this reason.
    pub(crate) fn integer(&mut self, ctx: &mut Ctx, value: Val, reason: Atom) -> Res<Val> {
        let integer = self.is_kind(value, Kind::Integer);
        self.require(ctx, integer, Val::Atom(reason))?;
        let value = self.known(value);
        match value {
            Val::Int(_) | Val::Big(_) | Val::SymInt(_) => Ok(value),
            Val::Sym(term) => {
                let number = select(self.rec.terms, INTEGER, 0, term);
                Ok(self.integer_value(number))
            }
            _ => Ok(Val::Int(0)),
        }
    }

    /// An integer as a float; too large ones are arithmetic errors.
    pub(crate) fn float_of(&mut self, ctx: &mut Ctx, value: Val) -> Res<Val> {
        match value {
            Val::Float(_) | Val::SymFloat(_) => Ok(value),
            Val::SymInt(term) => {
                let value = match self.word(ctx, term)? {
                    Ok(bits) => return Ok(Val::SymFloat(self.mk(Op::FpFromSbv(NEAREST, FloatFormat::DOUBLE), &[bits]))),
                    Err(value) => value,
                };
                self.float_of(ctx, value)
            }
            _ => {
                let value = self.heap.to_big(value);
                // The nearest float, ties to even, as the emulator does.
                match value.to_f64().filter(|float| float.is_finite()) {
                    Some(float) => Ok(Val::Float(float)),
                    None => self.fail(ctx, Val::Atom(Atom::BADARITH), Val::Float(0.0)),
                }
            }
        }
    }

    /// An integer as a term.
    pub(super) fn number_term(&mut self, value: impl Into<BigInt>) -> TermId {
        self.rec.terms.value(Value::Int(value.into()))
    }

    /// The condition that an integer is between two others, or one of them.
    pub(super) fn within(&mut self, number: TermId, low: impl Into<BigInt>, high: impl Into<BigInt>) -> TermId {
        let (low, high) = (self.number_term(low), self.number_term(high));
        let both = [self.mk(Op::Le, &[low, number]), self.mk(Op::Le, &[number, high])];
        self.and(&both)
    }

    /// An integer as 64 bits; those that do not fit are fixed.
    pub(crate) fn word(&mut self, ctx: &Ctx, term: TermId) -> Res<Result<TermId, Val>> {
        let fits = self.within(term, i64::MIN, i64::MAX);
        let not = self.not(fits);
        if self.choose(ctx, &[fits, not])? == 0 {
            return Ok(Ok(self.mk(Op::IntToBv(64), &[term])));
        }
        match self.pin(ctx, term, "an integer beyond 64 bits meets a float or bits")? {
            Value::Int(value) => Ok(Err(self.heap.integer(value))),
            _ => Err(Stop::Lost("an integer is none".to_owned())),
        }
    }

    /// A result of floating-point arithmetic: what is not finite is an error, and there is one zero where Erlang has one.
    pub(crate) fn finite(&mut self, ctx: &mut Ctx, float: TermId) -> Res<Val> {
        if !self.is_finite_chain(float) {
            let odd = [self.mk(Op::FpIsNan, &[float]), self.mk(Op::FpIsInf, &[float])];
            let odd = self.or(&odd);
            let fine = self.not(odd);
            self.require(ctx, fine, Val::Atom(Atom::BADARITH))?;
        }
        if !self.one_zero {
            return Ok(self.float_value(float));
        }
        let (zero, plus) = (self.mk(Op::FpIsZero, &[float]), self.float_constant(0.0));
        let float = self.mk(Op::Ite, &[zero, plus, float]);
        Ok(self.float_value(float))
    }

    /// The condition that two numbers are equal by value.
    pub(crate) fn numbers_equal(&mut self, ctx: &mut Ctx, a: Val, b: Val) -> Res<TermId> {
        if let (Some(x), Some(y)) = (self.integer_term(a), self.integer_term(b)) {
            return Ok(self.mk(Op::Eq, &[x, y]));
        }
        if let (Some(x), Some(y)) = (self.float_term(a), self.float_term(b)) {
            return Ok(self.tested_chain(Test::Equal, x, y).unwrap_or_else(|| self.mk(Op::FpEq, &[x, y])));
        }
        match (a, b) {
            (Val::SymInt(term), Val::Float(float)) | (Val::Float(float), Val::SymInt(term)) => {
                if float.fract() != 0.0 {
                    return Ok(self.no());
                }
                let whole = self.rec.terms.value(Value::Int(whole(float)));
                Ok(self.mk(Op::Eq, &[term, whole]))
            }
            (Val::SymFloat(term), integer) | (integer, Val::SymFloat(term)) if !matches!(integer, Val::SymInt(_)) => {
                let integer = self.heap.to_big(integer);
                let (below, exact) = floor_float(&integer);
                if !exact {
                    return Ok(self.no());
                }
                let constant = self.float_constant(below);
                Ok(self.mk(Op::FpEq, &[term, constant]))
            }
            (Val::SymInt(integer), Val::SymFloat(float)) | (Val::SymFloat(float), Val::SymInt(integer)) => {
                match self.exact_float(ctx, integer)? {
                    Ok(term) => Ok(self.mk(Op::FpEq, &[term, float])),
                    Err(value) => self.numbers_equal(ctx, value, Val::SymFloat(float)),
                }
            }
            _ => {
                let equal = self.heap.compare(a, b, self.atoms).is_eq();
                Ok(self.rec.terms.bool(equal))
            }
        }
    }

    /// The condition that a number is less than another one.
    pub(crate) fn numbers_less(&mut self, ctx: &mut Ctx, a: Val, b: Val) -> Res<TermId> {
        if let (Some(x), Some(y)) = (self.integer_term(a), self.integer_term(b)) {
            return Ok(self.mk(Op::Lt, &[x, y]));
        }
        if let (Some(x), Some(y)) = (self.float_term(a), self.float_term(b)) {
            return Ok(self.tested_chain(Test::Less, x, y).unwrap_or_else(|| self.mk(Op::FpLt, &[x, y])));
        }
        match (a, b) {
            (Val::SymInt(term), Val::Float(float)) => {
                let bound = self.rec.terms.value(Value::Int(whole(float.ceil())));
                Ok(self.mk(Op::Lt, &[term, bound]))
            }
            (Val::Float(float), Val::SymInt(term)) => {
                let bound = self.rec.terms.value(Value::Int(whole(float.floor())));
                Ok(self.mk(Op::Lt, &[bound, term]))
            }
            (Val::SymInt(integer), Val::SymFloat(float)) => match self.exact_float(ctx, integer)? {
                Ok(term) => Ok(self.mk(Op::FpLt, &[term, float])),
                Err(value) => self.numbers_less(ctx, value, Val::SymFloat(float)),
            },
            (Val::SymFloat(float), Val::SymInt(integer)) => match self.exact_float(ctx, integer)? {
                Ok(term) => Ok(self.mk(Op::FpLt, &[float, term])),
                Err(value) => self.numbers_less(ctx, Val::SymFloat(float), value),
            },
            (Val::SymFloat(term), integer) => {
                let (below, exact) = floor_float(&self.heap.to_big(integer));
                let constant = self.float_constant(below);
                Ok(if exact { self.mk(Op::FpLt, &[term, constant]) } else { self.mk(Op::FpLe, &[term, constant]) })
            }
            (integer, Val::SymFloat(term)) => {
                let (below, _) = floor_float(&self.heap.to_big(integer));
                let constant = self.float_constant(below);
                Ok(self.mk(Op::FpLt, &[constant, term]))
            }
            _ => {
                let less = self.heap.compare(a, b, self.atoms).is_lt();
                Ok(self.rec.terms.bool(less))
            }
        }
    }

    /// An integer as a float without rounding; those for which there is none, and larger ones, are fixed.
    fn exact_float(&mut self, ctx: &Ctx, term: TermId) -> Res<Result<TermId, Val>> {
        let largest = 1i64 << 53;
        let fits = self.within(term, -largest, largest);
        let not = self.not(fits);
        if self.choose(ctx, &[fits, not])? == 0 {
            let bits = self.mk(Op::IntToBv(64), &[term]);
            return Ok(Ok(self.mk(Op::FpFromSbv(NEAREST, FloatFormat::DOUBLE), &[bits])));
        }
        match self.pin(ctx, term, "a large integer is compared with a float")? {
            Value::Int(value) => Ok(Err(self.heap.integer(value))),
            _ => Err(Stop::Lost("an integer is none".to_owned())),
        }
    }

    /// A float as an integer, rounded in this way; those beyond 62 bits are fixed.
    pub(crate) fn integer_of(&mut self, ctx: &mut Ctx, value: Val, rounding: Rounding) -> Res<Val> {
        let Val::SymFloat(term) = value else {
            let Val::Float(float) = value else { return Ok(value) };
            let rounded = match rounding {
                Rounding::Up => float.ceil(),
                Rounding::Down => float.floor(),
                Rounding::Zero => float.trunc(),
                Rounding::NearestAway => float.round(),
                Rounding::NearestEven => float.round_ties_even(),
            };
            return Ok(self.heap.integer(whole(rounded)));
        };
        let size = self.mk(Op::FpAbs, &[term]);
        let bound = self.float_constant(2f64.powi(62));
        let fits = self.mk(Op::FpLt, &[size, bound]);
        let not = self.not(fits);
        if self.choose(ctx, &[fits, not])? == 0 {
            let bits = self.mk(Op::FpToSbv(rounding, 64), &[term]);
            let number = self.mk(Op::BvToInt, &[bits]);
            return Ok(self.integer_value(number));
        }
        match self.pin(ctx, term, "a large float becomes an integer")? {
            Value::Float(_, bits) => self.integer_of(ctx, Val::Float(f64::from_bits(bits.as_u64().unwrap_or(0))), rounding),
            _ => Err(Stop::Lost("a float is none".to_owned())),
        }
    }
}

/// The integer that a float without fraction is.
pub(super) fn whole(float: f64) -> BigInt {
    BigInt::from_f64(float).unwrap_or_default()
}

/// The largest float that is not above an integer, and whether it is equal. For integers beyond all floats: an end of the line, never equal.
fn floor_float(integer: &BigInt) -> (f64, bool) {
    let nearest = integer.to_f64().unwrap_or(f64::NAN);
    if !nearest.is_finite() {
        return (if integer.sign() == num_bigint::Sign::Minus { -f64::INFINITY } else { f64::MAX }, false);
    }
    match whole(nearest).cmp(integer) {
        std::cmp::Ordering::Equal => (nearest, true),
        std::cmp::Ordering::Less => (nearest, false),
        std::cmp::Ordering::Greater => (nearest.next_down(), false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_below_integers() {
        let big = |text: &str| text.parse::<BigInt>().expect("digits");
        assert_eq!(floor_float(&big("3")), (3.0, true));
        assert_eq!(floor_float(&big("9007199254740993")), (9_007_199_254_740_992.0, false));
        assert_eq!(floor_float(&big("9007199254740995")), (9_007_199_254_740_994.0, false));
        assert_eq!(floor_float(&(BigInt::from(1) << 2000u32)), (f64::MAX, false));
        assert_eq!(floor_float(&-(BigInt::from(1) << 2000u32)), (-f64::INFINITY, false));
    }
}
