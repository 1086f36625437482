//! IEEE floats.
//!
//! Z3's floats know one NaN and leave conversions out of range open; here every float that is an input is a reading of bits,
//! and both are spelled out as `xcute_term::eval` has them.

use num_bigint::BigUint;
use xcute_term::{Bits, FloatFormat, Op, Rounding, Sort, TermId, Terms, Value};
use z3_sys as z3;

use super::{Translation, word};
use crate::ffi::{Ast, Context};

/// How far the bits of a float are followed through operators that only move them.
const DEPTH: u32 = 64;

impl Translation {
    /// An operator whose first argument is a float; `None` if there is no translation.
    pub(super) fn float_operator(&mut self, terms: &Terms, t: TermId, args: &[Ast]) -> Option<Ast> {
        let Sort::Float(format) = terms.sort(*terms.args(t).first()?) else { return None };
        let c = &self.context;
        match (terms.op(t), args) {
            (Op::FpToBits, _) => self.bits_of(terms, terms.args(t)[0], DEPTH),
            (op, &[a]) => unary(c, op, format, a),
            (op, &[a, b]) => binary(c, op, a, b),
            (Op::FpFma(rounding), &[a, b, d]) => c.four(z3::Z3_mk_fpa_fma, mode(c, rounding)?, a, b, d),
            _ => None,
        }
    }

    /// A conversion from a bit-vector to a float; `None` if it is none.
    pub(super) fn float_from_word(&self, op: Op, args: &[Ast]) -> Option<Ast> {
        let c = &self.context;
        match (op, args) {
            (Op::FpFromBits(to), &[a]) => c.word_to_float(a, c.float_sort(to)?),
            (Op::FpFromSbv(rounding, to), &[a]) => c.convert(z3::Z3_mk_fpa_to_fp_signed, mode(c, rounding)?, a, c.float_sort(to)?),
            (Op::FpFromUbv(rounding, to), &[a]) => c.convert(z3::Z3_mk_fpa_to_fp_unsigned, mode(c, rounding)?, a, c.float_sort(to)?),
            _ => None,
        }
    }

    /// The bits of a float term: those of the input where they are only moved, the standard NaN where they are computed.
    fn bits_of(&self, terms: &Terms, t: TermId, depth: u32) -> Option<Ast> {
        let c = &self.context;
        let Sort::Float(format) = terms.sort(t) else { return None };
        let args = terms.args(t);
        match terms.op(t) {
            Op::Var(var) => self.variable(var),
            Op::Const(_) => match terms.as_value(t)? {
                Value::Float(_, bits) => word(c, bits),
                _ => None,
            },
            Op::FpFromBits(..) => self.known(args[0]),
            Op::FpToFp(_, to) if depth > 0 && terms.sort(args[0]) == Sort::Float(to) => self.bits_of(terms, args[0], depth - 1),
            Op::FpNeg if depth > 0 => c.two(z3::Z3_mk_bvxor, self.bits_of(terms, args[0], depth - 1)?, word(c, &format.sign_bits())?),
            Op::FpAbs if depth > 0 => {
                let rest = c.one(z3::Z3_mk_bvnot, word(c, &format.sign_bits())?)?;
                c.two(z3::Z3_mk_bvand, self.bits_of(terms, args[0], depth - 1)?, rest)
            }
            Op::Ite if depth > 0 => {
                let (a, b) = (self.bits_of(terms, args[1], depth - 1)?, self.bits_of(terms, args[2], depth - 1)?);
                c.three(z3::Z3_mk_ite, self.known(args[0])?, a, b)
            }
            _ => {
                let a = self.known(t)?;
                let bits = c.one(z3::Z3_mk_fpa_to_ieee_bv, a)?;
                c.three(z3::Z3_mk_ite, c.one(z3::Z3_mk_fpa_is_nan, a)?, word(c, &format.nan_bits())?, bits)
            }
        }
    }
}

/// The float 2^power (or its negative); `None` where it is beyond the largest one.
fn power_of_two(c: &Context, format: FloatFormat, power: u32, negative: bool) -> Option<Ast> {
    let bias = format.bias().unsigned_abs();
    if u64::from(power) > bias {
        return None;
    }
    let sign = BigUint::from(u8::from(negative)) << (format.width() - 1);
    let bits = sign + (BigUint::from(bias + u64::from(power)) << (format.significand() - 1));
    c.word_to_float(word(c, &Bits::from_big(format.width(), &bits))?, c.float_sort(format)?)
}

fn zero(c: &Context, format: FloatFormat) -> Option<Ast> {
    c.word_to_float(word(c, &Bits::new(format.width(), 0))?, c.float_sort(format)?)
}

fn unary(c: &Context, op: Op, format: FloatFormat, a: Ast) -> Option<Ast> {
    match op {
        Op::FpSqrt(rounding) => c.two(z3::Z3_mk_fpa_sqrt, mode(c, rounding)?, a),
        Op::FpRound(rounding) => c.two(z3::Z3_mk_fpa_round_to_integral, mode(c, rounding)?, a),
        Op::FpNeg => c.one(z3::Z3_mk_fpa_neg, a),
        Op::FpAbs => c.one(z3::Z3_mk_fpa_abs, a),
        Op::FpIsNan => c.one(z3::Z3_mk_fpa_is_nan, a),
        Op::FpIsInf => c.one(z3::Z3_mk_fpa_is_infinite, a),
        Op::FpIsZero => c.one(z3::Z3_mk_fpa_is_zero, a),
        Op::FpToFp(rounding, to) => c.convert(z3::Z3_mk_fpa_to_fp_float, mode(c, rounding)?, a, c.float_sort(to)?),
        Op::FpToSbv(rounding, width) => to_integer(c, format, rounding, width, true, a),
        Op::FpToUbv(rounding, width) => to_integer(c, format, rounding, width, false, a),
        _ => None,
    }
}

fn binary(c: &Context, op: Op, a: Ast, b: Ast) -> Option<Ast> {
    let rounded = |make, rounding| c.three(make, mode(c, rounding)?, a, b);
    match op {
        Op::FpAdd(rounding) => rounded(z3::Z3_mk_fpa_add, rounding),
        Op::FpSub(rounding) => rounded(z3::Z3_mk_fpa_sub, rounding),
        Op::FpMul(rounding) => rounded(z3::Z3_mk_fpa_mul, rounding),
        Op::FpDiv(rounding) => rounded(z3::Z3_mk_fpa_div, rounding),
        Op::FpRem => c.two(z3::Z3_mk_fpa_rem, a, b),
        Op::FpEq => c.two(z3::Z3_mk_fpa_eq, a, b),
        Op::FpLt => c.two(z3::Z3_mk_fpa_lt, a, b),
        Op::FpLe => c.two(z3::Z3_mk_fpa_leq, a, b),
        Op::FpMin => pick(c, a, b, a, b),
        Op::FpMax => pick(c, a, b, b, a),
        _ => None,
    }
}

/// `first` if `a` is the smaller one (of the two zeros, the negative), else `second`; where one is not a number, the other.
fn pick(c: &Context, a: Ast, b: Ast, first: Ast, second: Ast) -> Option<Ast> {
    let less = c.two(z3::Z3_mk_fpa_lt, a, b)?;
    let equal = c.two(z3::Z3_mk_fpa_eq, a, b)?;
    let tie = c.many(z3::Z3_mk_and, &[equal, c.one(z3::Z3_mk_fpa_is_negative, a)?])?;
    let chosen = c.three(z3::Z3_mk_ite, c.many(z3::Z3_mk_or, &[less, tie])?, first, second)?;
    let without_b = c.three(z3::Z3_mk_ite, c.one(z3::Z3_mk_fpa_is_nan, b)?, a, chosen)?;
    c.three(z3::Z3_mk_ite, c.one(z3::Z3_mk_fpa_is_nan, a)?, b, without_b)
}

/// The integer of a float; the sign bit alone where it is out of range or not a number.
fn to_integer(c: &Context, format: FloatFormat, rounding: Rounding, width: u32, signed: bool, a: Ast) -> Option<Ast> {
    let mode = mode(c, rounding)?;
    // In a format with more digits than powers, the largest number has a fraction, and without it may be beyond the format.
    let (format, a) = if i64::from(format.significand()) > format.bias() + 1 {
        let wide = format.with_exponent(format.significand().ilog2() + 3);
        (wide, c.convert(z3::Z3_mk_fpa_to_fp_float, mode, a, c.float_sort(wide)?)?)
    } else {
        (format, a)
    };
    let whole = c.two(z3::Z3_mk_fpa_round_to_integral, mode, a)?;
    let infinite = c.one(z3::Z3_mk_fpa_is_infinite, a)?;
    let mut fits = vec![c.one(z3::Z3_mk_not, c.one(z3::Z3_mk_fpa_is_nan, a)?)?, c.one(z3::Z3_mk_not, infinite)?];
    if let Some(end) = power_of_two(c, format, width - u32::from(signed), false) {
        fits.push(c.two(z3::Z3_mk_fpa_lt, whole, end)?);
    }
    if !signed {
        fits.push(c.one(z3::Z3_mk_not, c.two(z3::Z3_mk_fpa_lt, whole, zero(c, format)?)?)?);
    } else if let Some(start) = power_of_two(c, format, width - 1, true) {
        fits.push(c.two(z3::Z3_mk_fpa_leq, start, whole)?);
    }
    let convert = if signed { z3::Z3_mk_fpa_to_sbv } else { z3::Z3_mk_fpa_to_ubv };
    let out = word(c, &Bits::from_big(width, &(BigUint::from(1u8) << (width - 1))))?;
    c.three(z3::Z3_mk_ite, c.many(z3::Z3_mk_and, &fits)?, c.to_word(convert, mode, a, width)?, out)
}

fn mode(c: &Context, rounding: Rounding) -> Option<Ast> {
    c.leaf(match rounding {
        Rounding::NearestEven => z3::Z3_mk_fpa_rne,
        Rounding::NearestAway => z3::Z3_mk_fpa_rna,
        Rounding::Up => z3::Z3_mk_fpa_rtp,
        Rounding::Down => z3::Z3_mk_fpa_rtn,
        Rounding::Zero => z3::Z3_mk_fpa_rtz,
    })
}
