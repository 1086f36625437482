//! The evaluable functors.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{FromPrimitive, One, Signed, ToPrimitive, Zero};
use xcute_term::{Op, TermId, Value};
use xcute_trace::Budget;

use super::Number;
use crate::machine::Machine;
use crate::machine::error::Stop;
use crate::syntax::Atom;

/// Functions of SWI-Prolog whose results are not known here: chance, time, rational numbers, rounding, and two that no crate has.
pub(super) const MISSING: &[(&str, u32)] =
    &[("random", 1), ("random_float", 0), ("cputime", 0), ("roundtoward", 2), ("erf", 1), ("erfc", 1), ("lgamma", 1)];
const UNARY: &[&str] = &[
    "-",
    "+",
    "abs",
    "sign",
    "float",
    "integer",
    "truncate",
    "round",
    "ceil",
    "ceiling",
    "floor",
    "sqrt",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "exp",
    "log",
    "log10",
    "\\",
    "msb",
    "lsb",
    "popcount",
    "eval",
    "numerator",
    "denominator",
    "rational",
    "rationalize",
    "float_integer_part",
    "float_fractional_part",
];
const BINARY: &[&str] = &[
    "+",
    "-",
    "*",
    "/",
    "//",
    "mod",
    "rem",
    "div",
    "min",
    "max",
    "**",
    "^",
    ">>",
    "<<",
    "/\\",
    "\\/",
    "xor",
    "gcd",
    "lcm",
    "getbit",
    "atan2",
    "atan",
    "copysign",
    "nexttoward",
    "rdiv",
];

/// Integers have at most about this many bits: what has more takes more than a moment to multiply and to write.
const MOST_BITS: u64 = 1 << 20;

/// The greatest common divisor of two integers takes more than that if both have this many.
const DIVIDED: u64 = 1 << 17;

/// Exponents that depend on the input are told apart up to this one.
const POWERS: i64 = 16;

/// Whether a functor is evaluable.
pub(super) fn evaluable(name: &str, arity: u32) -> bool {
    match arity {
        1 => UNARY.contains(&name),
        2 => BINARY.contains(&name),
        3 => name == "powm",
        _ => false,
    }
}

/// An evaluable constant.
pub(super) fn constant(name: &str) -> Option<Number> {
    Some(match name {
        "pi" => Number::Float(std::f64::consts::PI),
        "e" => Number::Float(std::f64::consts::E),
        "inf" => Number::Float(f64::INFINITY),
        "nan" => Number::Float(f64::NAN),
        "epsilon" => Number::Float(f64::EPSILON),
        _ => return None,
    })
}

/// The order of two numbers that do not depend on the input, as comparisons have it: an integer meets a float as the nearest float; `None` for NaN.
pub(super) fn compare(a: &Number, b: &Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Small(a), Number::Small(b)) => Some(a.cmp(b)),
        (Number::Float(_), _) | (_, Number::Float(_)) => to_float(a).partial_cmp(&to_float(b)),
        (a, b) => Some(a.as_integer()?.cmp(&b.as_integer()?)),
    }
}

/// The same as the standard order has it, which is exact; `None` for NaN.
pub(super) fn compare_exactly(a: &Number, b: &Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Float(_), Number::Float(_)) => compare(a, b),
        (Number::Float(a), b) => compare_float(*a, &b.as_integer()?),
        (a, Number::Float(b)) => compare_float(*b, &a.as_integer()?).map(Ordering::reverse),
        (a, b) => compare(a, b),
    }
}

/// Which of two equal numbers is the smaller or the larger one, as SWI-Prolog has it.
fn of_equals(text: &str, a: &Number, b: &Number) -> Number {
    match (a, b) {
        (Number::Float(x), Number::Float(y)) => Number::Float(if x.is_sign_negative() == (text == "min") { *x } else { *y }),
        // Of an integer and a float it is the float; but -0.0 is the smaller one.
        (Number::Float(float), integer) | (integer, Number::Float(float)) => {
            if text == "max" && *float == 0.0 && float.is_sign_negative() {
                integer.clone()
            } else {
                Number::Float(*float)
            }
        }
        _ => a.clone(),
    }
}

/// Exactly, whatever the size of the integer.
fn compare_float(a: f64, b: &BigInt) -> Option<Ordering> {
    if a.is_nan() {
        return None;
    }
    let Some(floor) = BigInt::from_f64(a.floor()) else {
        return Some(if a > 0.0 { Ordering::Greater } else { Ordering::Less });
    };
    Some(floor.cmp(b).then(if a.fract() == 0.0 { Ordering::Equal } else { Ordering::Greater }))
}

fn to_float(number: &Number) -> f64 {
    match number {
        Number::Small(value) => *value as f64,
        Number::Big(value) => value.to_f64().unwrap_or(f64::INFINITY),
        Number::Float(value) => *value,
        Number::Sym(_) | Number::Real(_) => unreachable!("fixed before"),
    }
}

impl Machine<'_> {
    pub(super) fn unary(&mut self, name: Atom, a: Number) -> Result<Number, Stop> {
        let text = self.symbols.atoms.name(name).to_owned();
        if let Number::Real(x) = a {
            if let Some(result) = self.unary_real(&text, x)? {
                return Ok(result);
            }
            let a = self.fixed(a, &format!("the argument of {text}/1"));
            return self.unary(name, a);
        }
        if let Number::Sym(x) = a {
            let term = if text == "msb" { self.highest_term(x)? } else { self.unary_term(&text, x) };
            if let Some(term) = term {
                return Ok(self.known_number(term));
            }
            let a = self.fixed(a, &format!("the argument of {text}/1"));
            return self.unary(name, a);
        }
        if let Number::Float(x) = a
            && !x.is_finite()
        {
            return self.unary_infinite(&text, name, x);
        }
        if let Some(result) = self.unary_bits(&text, &a) {
            return result;
        }
        if let Some(value) = a.as_integer() {
            match text.as_str() {
                "-" => return Ok(Number::integer(-value)),
                "+" | "integer" | "truncate" | "round" | "ceil" | "ceiling" | "floor" | "eval" | "rational" | "rationalize"
                | "numerator" | "float_integer_part" => return Ok(Number::integer(value)),
                "abs" => return Ok(Number::integer(value.abs())),
                "sign" => return Ok(Number::integer(value.signum())),
                "denominator" => return Ok(Number::Small(1)),
                "float_fractional_part" => return Ok(Number::Small(0)),
                _ => {}
            }
        }
        let x = to_float(&a);
        let result = match text.as_str() {
            "-" => -x,
            "+" | "float" | "eval" => x,
            "abs" => x.abs(),
            "sign" if x == 0.0 => 0.0,
            "sign" => x.signum(),
            "integer" | "round" => return self.rounded(x.round()),
            "truncate" => return self.rounded(x.trunc()),
            "ceil" | "ceiling" => return self.rounded(x.ceil()),
            "floor" => return self.rounded(x.floor()),
            "sqrt" if x < 0.0 => return Err(self.evaluation_error("undefined")),
            "sqrt" => x.sqrt(),
            "sin" => x.sin(),
            "cos" => x.cos(),
            "tan" => x.tan(),
            "asin" => x.asin(),
            "acos" => x.acos(),
            "atan" => x.atan(),
            "sinh" => x.sinh(),
            "cosh" => x.cosh(),
            "tanh" => x.tanh(),
            "asinh" => x.asinh(),
            "acosh" => x.acosh(),
            "atanh" => x.atanh(),
            "exp" => x.exp(),
            "log" | "log10" if x < 0.0 => return Err(self.evaluation_error("undefined")),
            "log" => x.ln(),
            "log10" => x.log10(),
            "rational" | "rationalize" if x.fract() == 0.0 => return self.rounded(x),
            "rational" | "rationalize" => return Err(self.not_supported("a rational number")),
            "numerator" | "denominator" => {
                let cell = self.number_cell(a);
                return Err(self.type_error("rational", cell));
            }
            "float_integer_part" => x.trunc(),
            "float_fractional_part" => x.fract(),
            _ => return Err(self.no_function(name, 1)),
        };
        self.float(result)
    }

    fn rounded(&mut self, x: f64) -> Result<Number, Stop> {
        match BigInt::from_f64(x) {
            Some(value) => Ok(Number::integer(value)),
            None => Err(self.evaluation_error("undefined")),
        }
    }

    /// A result that must be finite.
    pub(super) fn float(&mut self, x: f64) -> Result<Number, Stop> {
        if x.is_nan() {
            return Err(self.evaluation_error("undefined"));
        }
        if x.is_infinite() { Err(self.evaluation_error("float_overflow")) } else { Ok(Number::Float(x)) }
    }

    pub(super) fn int(&mut self, value: i64) -> TermId {
        self.rec.terms.value(Value::Int(value.into()))
    }

    fn unary_term(&mut self, name: &str, x: TermId) -> Option<TermId> {
        let zero = self.int(0);
        match name {
            "-" => Some(self.rec.terms.mk(Op::Neg, &[x])),
            "+" | "integer" | "truncate" | "round" | "ceil" | "ceiling" | "floor" | "eval" | "rational" | "rationalize" | "numerator"
            | "float_integer_part" => Some(x),
            "float_fractional_part" => Some(zero),
            "denominator" => Some(self.int(1)),
            "abs" | "sign" => {
                let negative = self.rec.terms.mk(Op::Lt, &[x, zero]);
                if name == "abs" {
                    let minus = self.rec.terms.mk(Op::Neg, &[x]);
                    return Some(self.rec.terms.mk(Op::Ite, &[negative, minus, x]));
                }
                let (one, minus) = (self.int(1), self.int(-1));
                let positive = self.rec.terms.mk(Op::Lt, &[zero, x]);
                let otherwise = self.rec.terms.mk(Op::Ite, &[positive, one, zero]);
                Some(self.rec.terms.mk(Op::Ite, &[negative, minus, otherwise]))
            }
            "\\" => {
                let minus = self.rec.terms.mk(Op::Neg, &[x]);
                let one = self.int(1);
                Some(self.rec.terms.mk(Op::Sub, &[minus, one]))
            }
            _ => None,
        }
    }

    pub(super) fn binary(&mut self, name: Atom, a: Number, b: Number) -> Result<Number, Stop> {
        if let (Number::Small(x), Number::Small(y)) = (&a, &b) {
            let quick = match name {
                Atom::PLUS => x.checked_add(*y),
                Atom::MINUS => x.checked_sub(*y),
                Atom::STAR => x.checked_mul(*y),
                _ => None,
            };
            if let Some(value) = quick {
                return Ok(Number::Small(value));
            }
        }
        let text = self.symbols.atoms.name(name).to_owned();
        if a.is_open() || b.is_open() {
            if let Some(result) = self.binary_real(&text, &a, &b)? {
                return Ok(result);
            }
            if !a.is_float() && !b.is_float() {
                let (x, y) = (self.number_term(&a).expect("no float"), self.number_term(&b).expect("no float"));
                if let Some(term) = self.binary_term(&text, x, y)? {
                    return Ok(self.known_number(term));
                }
            }
            let what = format!("an argument of {text}/2");
            let (a, b) = (self.fixed(a, &what), self.fixed(b, &what));
            return self.binary(name, a, b);
        }
        if !BINARY.contains(&text.as_str()) {
            return Err(self.no_function(name, 2));
        }
        match (a.as_integer(), b.as_integer()) {
            (Some(x), Some(y)) => self.integers(&text, &x, &y),
            _ => self.floats(&text, &a, &b),
        }
    }

    fn integers(&mut self, text: &str, x: &BigInt, y: &BigInt) -> Result<Number, Stop> {
        if y.is_zero() && matches!(text, "/" | "//" | "mod" | "rem" | "div" | "rdiv") {
            return Err(self.evaluation_error("zero_divisor"));
        }
        if matches!(text, "gcd" | "lcm") && x.bits().min(y.bits()) > DIVIDED {
            return Err(Stop::Budget(Budget::Memory));
        }
        if matches!(text, "*" | "lcm") {
            self.room_for_bits(&(x.bits() + y.bits()).into())?;
        }
        Ok(Number::integer(match text {
            "+" => x + y,
            "-" => x - y,
            "*" => x * y,
            "//" => x / y,
            "rem" => x % y,
            "mod" => x.mod_floor(y),
            "div" => x.div_floor(y),
            "min" => x.min(y).clone(),
            "max" => x.max(y).clone(),
            "gcd" => x.gcd(y),
            "lcm" => x.lcm(y),
            "getbit" => return self.bit_of(x, y),
            "copysign" => {
                if y.is_negative() {
                    -x.abs()
                } else {
                    x.abs()
                }
            }
            "rdiv" if (x % y).is_zero() => x / y,
            "rdiv" => return Err(self.not_supported("a rational number")),
            "/\\" => x & y,
            "\\/" => x | y,
            "xor" => x ^ y,
            "/" if (x % y).is_zero() => x / y,
            "/" => return self.float(x.to_f64().unwrap_or(f64::NAN) / y.to_f64().unwrap_or(f64::NAN)),
            ">>" | "<<" => {
                let by = if text == ">>" { -y } else { y.clone() };
                // To make room for such a distance is tried, whatever is shifted.
                if y.to_i64().is_none() && by.is_positive() {
                    self.room_for_bits(&by)?;
                }
                if by.is_positive() && !x.is_zero() {
                    self.room_for_bits(&(&by + x.bits()))?;
                }
                match by.to_i64().filter(|_| y.to_i64().is_some()) {
                    _ if x.is_zero() => BigInt::zero(),
                    Some(by @ 0..) => x << by,
                    Some(by) => x >> by.unsigned_abs(),
                    // Of a distance that is not a machine word, SWI-Prolog says 0 of negative numbers as well.
                    None => BigInt::zero(),
                }
            }
            "**" | "^" => return self.power(x, y),
            _ => return self.floats(text, &Number::Big(x.clone()), &Number::Big(y.clone())),
        }))
    }

    fn power(&mut self, x: &BigInt, y: &BigInt) -> Result<Number, Stop> {
        // However large the exponent is.
        if x.is_one() {
            return Ok(Number::Small(1));
        }
        if (-x).is_one() {
            return Ok(Number::Small(if y.is_even() { 1 } else { -1 }));
        }
        if x.is_zero() && y.is_positive() {
            return Ok(Number::Small(0));
        }
        if y.is_negative() {
            if x.is_zero() {
                return Err(self.evaluation_error("zero_divisor"));
            }
            if y.to_i64().is_none() {
                self.room_for_bits(&-y)?;
            }
            return self.float(x.to_f64().unwrap_or(f64::NAN).powf(y.to_f64().unwrap_or(f64::NAN)));
        }
        self.room_for_bits(&(y * x.bits().saturating_sub(1)))?;
        Ok(Number::integer(x.pow(y.to_u32().expect("the result has fewer bits"))))
    }

    /// An integer of about this many bits is made.
    fn room_for_bits(&mut self, bits: &BigInt) -> Result<(), Stop> {
        if *bits > BigInt::from(MOST_BITS) { Err(self.no_room(&(bits / 64))) } else { Ok(()) }
    }

    fn floats(&mut self, text: &str, a: &Number, b: &Number) -> Result<Number, Stop> {
        let (x, y) = (to_float(a), to_float(b));
        if let Some(result) = self.binary_infinite(text, a, b) {
            return result;
        }
        let result = match text {
            "+" => x + y,
            "-" => x - y,
            "*" => x * y,
            "/" if y == 0.0 && x == 0.0 => return Err(self.evaluation_error("undefined")),
            "/" if y == 0.0 => return Err(self.evaluation_error("zero_divisor")),
            "/" => x / y,
            "min" | "max" if compare(a, b) == Some(Ordering::Equal) => return Ok(of_equals(text, a, b)),
            "min" => return Ok(if compare(a, b) == Some(Ordering::Greater) { b.clone() } else { a.clone() }),
            "max" => return Ok(if compare(a, b) == Some(Ordering::Less) { b.clone() } else { a.clone() }),
            "**" | "^" if y == 0.0 => return Ok(Number::Small(1)),
            // Powers of the integers 0 and 1 are integers, whatever the exponent is.
            "**" | "^" if x == 1.0 && !a.is_float() => return Ok(Number::Small(1)),
            "**" | "^" if x == 0.0 && y > 0.0 && !a.is_float() => return Ok(Number::Small(0)),
            "**" | "^" if x == 0.0 && y < 0.0 => return Err(self.evaluation_error("zero_divisor")),
            "**" | "^" => x.powf(y),
            "atan2" | "atan" => x.atan2(y),
            "copysign" => match a.as_integer() {
                Some(value) if y.is_sign_negative() => return Ok(Number::integer(-value.abs())),
                Some(value) => return Ok(Number::integer(value.abs())),
                None => x.copysign(y),
            },
            "nexttoward" => match x.partial_cmp(&y) {
                Some(Ordering::Less) => x.next_up(),
                Some(Ordering::Greater) => x.next_down(),
                _ => x,
            },
            _ => {
                let culprit = if matches!(a, Number::Float(_)) { a.clone() } else { b.clone() };
                let cell = self.number_cell(culprit);
                return Err(self.type_error("integer", cell));
            }
        };
        self.float(result)
    }

    /// The term of an operation on integers that depend on the input; `None` where there is none.
    fn binary_term(&mut self, name: &str, x: TermId, y: TermId) -> Result<Option<TermId>, Stop> {
        let simple = match name {
            "+" => Op::Add,
            "-" => Op::Sub,
            "*" => Op::Mul,
            _ => return self.other_term(name, x, y),
        };
        Ok(Some(self.rec.terms.mk(simple, &[x, y])))
    }

    fn other_term(&mut self, name: &str, x: TermId, y: TermId) -> Result<Option<TermId>, Stop> {
        let zero = self.int(0);
        match name {
            "min" | "max" => {
                let less = self.rec.terms.mk(Op::Le, &[x, y]);
                let (then, otherwise) = if name == "min" { (x, y) } else { (y, x) };
                Ok(Some(self.rec.terms.mk(Op::Ite, &[less, then, otherwise])))
            }
            "//" | "/" | "mod" | "rem" | "div" => {
                let none = self.rec.terms.mk(Op::Eq, &[y, zero]);
                let some = self.rec.terms.not(none);
                if !self.check(&[some]) {
                    return Err(self.evaluation_error("zero_divisor"));
                }
                // SMT-LIB's division leaves a remainder that is never negative.
                let remainder = self.rec.terms.mk(Op::IntMod, &[x, y]);
                let whole = self.rec.terms.mk(Op::Eq, &[remainder, zero]);
                if name == "/" {
                    return Ok(if self.check(&[whole]) { Some(self.rec.terms.mk(Op::IntDiv, &[x, y])) } else { None });
                }
                let floor = matches!(name, "mod" | "div");
                // Rounding down differs for a negative divisor, rounding to zero for a negative dividend.
                let differs = self.rec.terms.mk(Op::Lt, &[if floor { y } else { x }, zero]);
                let exact = self.rec.terms.not(whole);
                let differs = self.rec.terms.mk(Op::And, &[differs, exact]);
                let adjusted = if matches!(name, "mod" | "rem") {
                    let by = if floor { y } else { self.absolute(y) };
                    let op = if floor { Op::Add } else { Op::Sub };
                    let other = self.rec.terms.mk(op, &[remainder, by]);
                    self.rec.terms.mk(Op::Ite, &[differs, other, remainder])
                } else {
                    let quotient = self.rec.terms.mk(Op::IntDiv, &[x, y]);
                    let one = self.int(1);
                    let up = self.rec.terms.mk(Op::Add, &[quotient, one]);
                    let down = self.rec.terms.mk(Op::Sub, &[quotient, one]);
                    let other = if floor {
                        down
                    } else {
                        let positive = self.rec.terms.mk(Op::Lt, &[zero, y]);
                        self.rec.terms.mk(Op::Ite, &[positive, up, down])
                    };
                    self.rec.terms.mk(Op::Ite, &[differs, other, quotient])
                };
                Ok(Some(adjusted))
            }
            "**" | "^" => Ok(self.power_term(x, y)),
            ">>" | "<<" => Ok(self.shifted_term(x, y, name == "<<")),
            "/\\" | "\\/" | "xor" => Ok(self.bitwise_term(name, x, y)),
            "getbit" => self.bit_term(x, y),
            _ => Ok(None),
        }
    }

    fn absolute(&mut self, x: TermId) -> TermId {
        let (zero, minus) = (self.int(0), self.rec.terms.mk(Op::Neg, &[x]));
        let negative = self.rec.terms.mk(Op::Lt, &[x, zero]);
        self.rec.terms.mk(Op::Ite, &[negative, minus, x])
    }

    pub(super) fn small_constant(&self, term: TermId) -> Option<u32> {
        match self.rec.terms.as_value(term) {
            Some(Value::Int(value)) => value.to_u32().filter(|&value| value < 64),
            _ => None,
        }
    }

    fn power_term(&mut self, x: TermId, y: TermId) -> Option<TermId> {
        // A constant to the power of an input: each small exponent is a case of its own.
        let y = if self.rec.terms.as_value(x).is_some() { self.each(y, (0, POWERS))? } else { y };
        let most = if self.rec.terms.as_value(x).is_some() { POWERS } else { 4 };
        let exponent = self.small_constant(y).filter(|&exponent| i64::from(exponent) <= most)?;
        let one = self.int(1);
        Some((0..exponent).fold(one, |product, _| self.rec.terms.mk(Op::Mul, &[product, x])))
    }
}
