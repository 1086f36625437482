//! Floats that depend on the input: IEEE arithmetic as terms, with the errors that SWI-Prolog throws where a result is not finite.
//!
//! **Invariant.** The float of an input is finite: what is not is not an input.

use xcute_term::{FloatFormat, Op, Rounding, TermId, Value};

use super::Number;
use crate::machine::Machine;
use crate::machine::cell::Cell;
use crate::machine::error::Stop;
use crate::machine::universe::Kind;

/// Integers up to this size are floats without rounding.
const EXACT: i64 = 1 << 53;

impl Machine<'_> {
    /// The float that an input is, if it is one; that is decided.
    pub(super) fn input_real(&mut self, e: TermId) -> Result<Option<Number>, Stop> {
        let Some(ctor) = self.universe.kind_ctor(Kind::Float) else { return Ok(None) };
        let is = self.rec.terms.mk(Op::IsCtor(ctor), &[e]);
        if !self.check(&[is]) {
            return Ok(None);
        }
        let bits = self.rec.terms.mk(Op::Select(ctor, 0), &[e]);
        let real = self.rec.terms.mk(Op::FpFromBits(FloatFormat::DOUBLE), &[bits]);
        if let Some(value) = self.rec.terms.as_u64(real) {
            return Ok(Some(Number::Float(f64::from_bits(value))));
        }
        let finite = self.finite(real);
        if self.trial.is_none() && !self.rec.assume(self.program.code.assumption(), &[finite]) {
            return Err(Stop::Rejected);
        }
        Ok(Some(Number::Real(real)))
    }

    fn float_term(&mut self, value: f64) -> TermId {
        let bits = self.rec.terms.value(Value::bits(64, value.to_bits()));
        self.rec.terms.mk(Op::FpFromBits(FloatFormat::DOUBLE), &[bits])
    }

    /// The condition that a float is finite.
    fn finite(&mut self, real: TermId) -> TermId {
        let odd = [Op::FpIsNan, Op::FpIsInf].map(|op| self.rec.terms.mk(op, &[real]));
        let odd = self.rec.terms.mk(Op::Or, &odd);
        self.rec.terms.not(odd)
    }

    /// A float as a cell.
    pub(super) fn real_cell(&mut self, real: TermId) -> Cell {
        if let Some(bits) = self.rec.terms.as_u64(real) {
            return Cell::Float(bits);
        }
        let ctor = self.universe.kind_ctor(Kind::Float).expect("expressions come from floats");
        let bits = self.rec.terms.mk(Op::FpToBits, &[real]);
        Cell::Sym(self.rec.terms.mk(Op::Construct(ctor), &[bits]))
    }

    /// A number as a term of sort Float; `None` for an integer that depends on the input, or is too large to be exact.
    fn real(&mut self, number: &Number) -> Option<TermId> {
        let value = match *number {
            Number::Real(term) => return Some(term),
            Number::Float(value) => value,
            Number::Small(value) if (-EXACT..=EXACT).contains(&value) => value as f64,
            _ => return None,
        };
        Some(self.float_term(value))
    }

    /// The condition that two numbers compare so, one of which is a float; `Err` with both where there is none.
    pub(super) fn real_comparison(&mut self, name: &str, a: Number, b: Number) -> Result<TermId, (Number, Number)> {
        if !matches!(a, Number::Real(_)) && !matches!(b, Number::Real(_)) {
            return Err((a, b));
        }
        let (Some(x), Some(y)) = (self.real(&a), self.real(&b)) else { return Err((a, b)) };
        let terms = &mut self.rec.terms;
        Ok(match name {
            "<" => terms.mk(Op::FpLt, &[x, y]),
            ">" => terms.mk(Op::FpLt, &[y, x]),
            "=<" => terms.mk(Op::FpLe, &[x, y]),
            ">=" => terms.mk(Op::FpLe, &[y, x]),
            "=:=" => terms.mk(Op::FpEq, &[x, y]),
            _ => {
                let same = terms.mk(Op::FpEq, &[x, y]);
                terms.not(same)
            }
        })
    }

    /// A function of a float that depends on the input; `None` where there is no term for it.
    pub(super) fn unary_real(&mut self, name: &str, x: TermId) -> Result<Option<Number>, Stop> {
        let result = match name {
            "-" => self.rec.terms.mk(Op::FpNeg, &[x]),
            "+" | "float" | "eval" => x,
            "abs" => self.rec.terms.mk(Op::FpAbs, &[x]),
            "sqrt" => {
                let zero = self.float_term(0.0);
                let negative = self.rec.terms.mk(Op::FpLt, &[x, zero]);
                if self.check(&[negative]) {
                    return Err(self.evaluation_error("undefined"));
                }
                self.rec.terms.mk(Op::FpSqrt(Rounding::NearestEven), &[x])
            }
            _ => return Ok(None),
        };
        Ok(Some(Number::Real(result)))
    }

    /// An operation on numbers of which one is a float that depends on the input; `None` where there is no term for it.
    pub(super) fn binary_real(&mut self, name: &str, a: &Number, b: &Number) -> Result<Option<Number>, Stop> {
        if !matches!(a, Number::Real(_)) && !matches!(b, Number::Real(_)) {
            return Ok(None);
        }
        let op = match name {
            "+" => Op::FpAdd(Rounding::NearestEven),
            "-" => Op::FpSub(Rounding::NearestEven),
            "*" => Op::FpMul(Rounding::NearestEven),
            "/" => Op::FpDiv(Rounding::NearestEven),
            "min" | "max" => return Ok(self.extreme_real(name == "max", a, b)),
            "//" | "mod" | "rem" | "div" | "gcd" | "lcm" | "/\\" | "\\/" | "xor" | "<<" | ">>" => {
                let culprit = if a.is_float() { a } else { b };
                let cell = self.number_cell(culprit.clone());
                return Err(self.type_error("integer", cell));
            }
            _ => return Ok(None),
        };
        let (Some(x), Some(y)) = (self.real(a), self.real(b)) else { return Ok(None) };
        if name == "/" {
            let zero = self.float_term(0.0);
            let none = self.rec.terms.mk(Op::FpEq, &[y, zero]);
            if self.check(&[none]) {
                let nothing = self.rec.terms.mk(Op::FpEq, &[x, zero]);
                let what = if self.check(&[nothing]) { "undefined" } else { "zero_divisor" };
                return Err(self.evaluation_error(what));
            }
        }
        let result = self.rec.terms.mk(op, &[x, y]);
        let finite = self.finite(result);
        if !self.check(&[finite]) {
            return Err(self.evaluation_error("float_overflow"));
        }
        Ok(Some(Number::Real(result)))
    }

    /// The larger or the smaller of two floats; of equal ones the sign decides, as SWI-Prolog has it. `None` where one is an integer.
    fn extreme_real(&mut self, max: bool, a: &Number, b: &Number) -> Option<Number> {
        let [Some(x), Some(y)] = [a, b].map(|number| if number.is_float() { self.real(number) } else { None }) else { return None };
        let terms = &mut self.rec.terms;
        let (less, more) = (terms.mk(Op::FpLt, &[x, y]), terms.mk(Op::FpLt, &[y, x]));
        let bits = terms.mk(Op::FpToBits, &[x]);
        let (sign, one) = (terms.mk(Op::Extract(63, 63), &[bits]), terms.value(Value::bits(1, 1)));
        let negative = terms.mk(Op::Eq, &[sign, one]);
        let equal = if max { terms.mk(Op::Ite, &[negative, y, x]) } else { terms.mk(Op::Ite, &[negative, x, y]) };
        let (small, large) = (if max { y } else { x }, if max { x } else { y });
        let otherwise = terms.mk(Op::Ite, &[more, large, equal]);
        Some(Number::Real(terms.mk(Op::Ite, &[less, small, otherwise])))
    }
}
