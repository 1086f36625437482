//! Soft floats: IEEE 754 arithmetic of any format and rounding mode.
//!
//! A finite float is an integer times a power of two, so every operation is done exactly on unbounded integers (division and
//! square root with a sticky bit for what is left) and rounded once, as IEEE 754-2019, section 4.3 defines it. Slow and plainly
//! right; the host's arithmetic is preferred where it gives the same ([`super::floats`]).
//!
//! **Invariant.** Results are rounded in [`FloatFormat::round`] and nowhere else.

use num_bigint::{BigInt, BigUint, Sign};
use num_integer::Integer;
use num_traits::{One, Zero};

use crate::{Bits, FloatFormat, Op, Rounding, Sort, Value};

/// A float taken apart. The magnitude of `Finite` is `mag * 2^exp`, `mag` not zero.
#[derive(Clone, Debug)]
enum Soft {
    Nan,
    Inf(bool),
    Zero(bool),
    Finite { neg: bool, mag: BigUint, exp: i64 },
}

impl FloatFormat {
    fn unpack(self, bits: &Bits) -> Soft {
        let word = bits.to_big();
        let neg = word.bit(u64::from(self.width() - 1));
        let low = (BigUint::one() << (self.significand() - 1)) - 1u8;
        let fraction = &word & &low;
        let biased = (&word >> (self.significand() - 1)) & ((BigUint::one() << self.exponent()) - 1u8);
        let biased = i64::try_from(biased).expect("few exponent bits");
        let lowest = 1 - self.bias() - i64::from(self.significand() - 1);
        if biased == (1 << self.exponent()) - 1 {
            if fraction.is_zero() { Soft::Inf(neg) } else { Soft::Nan }
        } else if biased == 0 {
            if fraction.is_zero() { Soft::Zero(neg) } else { Soft::Finite { neg, mag: fraction, exp: lowest } }
        } else {
            Soft::Finite { neg, mag: fraction + low + 1u8, exp: lowest + biased - 1 }
        }
    }

    fn pack(self, value: Soft, rounding: Rounding) -> Bits {
        let inf = ((BigUint::one() << self.exponent()) - 1u8) << (self.significand() - 1);
        match value {
            Soft::Nan => self.signed(false, inf + (BigUint::one() << (self.significand() - 2))),
            Soft::Inf(neg) => self.signed(neg, inf),
            Soft::Zero(neg) => self.signed(neg, BigUint::zero()),
            Soft::Finite { neg, mag, exp } => self.round(rounding, neg, mag, exp, false),
        }
    }

    fn signed(self, neg: bool, magnitude: BigUint) -> Bits {
        let sign = if neg { BigUint::one() << (self.width() - 1) } else { BigUint::zero() };
        Bits::from_big(self.width(), &(magnitude + sign))
    }

    /// The float nearest (as `rounding` says) to `mag * 2^exp`, or to a little more where `sticky`: then `mag` must have at least two bits
    /// more than the significand.
    fn round(self, rounding: Rounding, neg: bool, mag: BigUint, exp: i64, sticky: bool) -> Bits {
        let length = i64::try_from(mag.bits()).expect("few bits");
        let top = (length - 1 + exp).max(1 - self.bias());
        let mut unit = top - i64::from(self.significand() - 1);
        let (kept, up) = divide_power(rounding, neg, &mag, unit - exp, sticky);
        let mut kept = if up { kept + 1u8 } else { kept };
        if kept.bits() > u64::from(self.significand()) {
            kept >>= 1u8;
            unit += 1;
        }
        if kept.bits() < u64::from(self.significand()) {
            return self.signed(neg, kept);
        }
        let biased = unit + i64::from(self.significand() - 1) + self.bias();
        if biased >= (1 << self.exponent()) - 1 {
            let to_infinity = match rounding {
                Rounding::NearestEven | Rounding::NearestAway => true,
                Rounding::Up => !neg,
                Rounding::Down => neg,
                Rounding::Zero => false,
            };
            let inf = ((BigUint::one() << self.exponent()) - 1u8) << (self.significand() - 1);
            return self.signed(neg, if to_infinity { inf } else { inf - 1u8 });
        }
        let hidden = BigUint::one() << (self.significand() - 1);
        self.signed(neg, (BigUint::from(biased.unsigned_abs()) << (self.significand() - 1)) + (kept - hidden))
    }
}

/// `mag / 2^shift` rounded down, and whether `rounding` asks for one more.
fn divide_power(rounding: Rounding, neg: bool, mag: &BigUint, shift: i64, sticky: bool) -> (BigUint, bool) {
    if shift <= 0 {
        return (mag << shift.unsigned_abs(), false);
    }
    let shift = shift.unsigned_abs();
    let kept = mag >> shift;
    let half = mag.bit(shift - 1);
    let below = sticky || (!mag.is_zero() && mag.trailing_zeros().unwrap_or(0) < shift - 1);
    let up = match rounding {
        Rounding::NearestEven => half && (below || kept.bit(0)),
        Rounding::NearestAway => half,
        Rounding::Up => !neg && (half || below),
        Rounding::Down => neg && (half || below),
        Rounding::Zero => false,
    };
    (kept, up)
}

/// Whether the bits are a NaN of the format.
pub(super) fn is_nan(format: FloatFormat, bits: &Bits) -> bool {
    matches!(format.unpack(bits), Soft::Nan)
}

/// Applies a float operator to values of any width.
pub(super) fn apply(op: Op, result: Sort, args: &[Value]) -> Value {
    let target = match result {
        Sort::Float(format) => Some(format),
        _ => None,
    };
    let float = |bits: Bits| Value::Float(target.expect("the operator gives a float"), bits);
    match (op, args) {
        (Op::FpFromBits(..), [Value::Bits(bits)]) => float(bits.clone()),
        (Op::FpFromSbv(rounding, to), [Value::Bits(bits)]) => float(to.pack(integer(&bits.to_signed()), rounding)),
        (Op::FpFromUbv(rounding, to), [Value::Bits(bits)]) => float(to.pack(integer(&bits.to_big().into()), rounding)),
        (Op::FpToBits, [Value::Float(_, bits)]) => Value::Bits(bits.clone()),
        (Op::FpToFp(_, to), [Value::Float(from, bits)]) if to == *from => float(bits.clone()),
        (Op::FpToFp(rounding, to), [Value::Float(from, bits)]) => float(to.pack(from.unpack(bits), rounding)),
        (Op::FpToSbv(rounding, width), [Value::Float(from, bits)]) => {
            let limit = BigInt::one() << (width - 1);
            to_bits(width, rounding, from.unpack(bits), &-&limit, &limit)
        }
        (Op::FpToUbv(rounding, width), [Value::Float(from, bits)]) => {
            to_bits(width, rounding, from.unpack(bits), &BigInt::zero(), &(BigInt::one() << width))
        }
        (_, [Value::Float(format, a), rest @ ..]) => {
            let bits = |value: &Value| match value {
                Value::Float(_, bits) => bits.clone(),
                _ => panic!("{op:?} takes floats"),
            };
            let rest: Vec<Bits> = rest.iter().map(bits).collect();
            arithmetic(op, *format, a, &rest).map_or_else(|| predicate(op, *format, a, rest.first()), float)
        }
        _ => panic!("{op:?} does not take {args:?}"),
    }
}

fn arithmetic(op: Op, format: FloatFormat, bits: &Bits, rest: &[Bits]) -> Option<Bits> {
    let a = format.unpack(bits);
    let arg = |i: usize| format.unpack(&rest[i]);
    Some(match op {
        Op::FpAdd(rounding) => format.pack(add(a, arg(0), rounding), rounding),
        Op::FpSub(rounding) => format.pack(add(a, negated(arg(0)), rounding), rounding),
        Op::FpMul(rounding) => format.pack(mul(a, arg(0)), rounding),
        Op::FpFma(rounding) => format.pack(add(mul(a, arg(0)), arg(1), rounding), rounding),
        Op::FpDiv(rounding) => div(format, rounding, a, arg(0)),
        Op::FpSqrt(rounding) => sqrt(format, rounding, a),
        Op::FpRem => format.pack(rem(a, arg(0), true), Rounding::NearestEven),
        Op::FpFmod => format.pack(rem(a, arg(0), false), Rounding::NearestEven),
        Op::FpRound(rounding) => format.pack(to_integral(rounding, a), rounding),
        Op::FpNeg => format.flip(bits),
        Op::FpAbs => {
            if bits.bit(format.width() - 1) {
                format.flip(bits)
            } else {
                bits.clone()
            }
        }
        Op::FpMin | Op::FpMax => match (&a, &arg(0)) {
            (Soft::Nan, Soft::Nan) => format.pack(Soft::Nan, Rounding::NearestEven),
            (Soft::Nan, _) => rest[0].clone(),
            (_, Soft::Nan) => bits.clone(),
            _ => {
                let (x, y) = (format.key(bits), format.key(&rest[0]));
                let a_first = x < y || (x == y && bits.bit(format.width() - 1));
                if a_first == (op == Op::FpMin) { bits.clone() } else { rest[0].clone() }
            }
        },
        _ => return None,
    })
}

impl FloatFormat {
    fn flip(self, bits: &Bits) -> Bits {
        Bits::from_big(self.width(), &(bits.to_big() ^ (BigUint::one() << (self.width() - 1))))
    }

    /// Orders the floats that are not NaN; the two zeros are equal.
    fn key(self, bits: &Bits) -> BigInt {
        let neg = bits.bit(self.width() - 1);
        let magnitude = if neg { self.flip(bits).to_big() } else { bits.to_big() };
        BigInt::from_biguint(if neg { Sign::Minus } else { Sign::Plus }, magnitude)
    }
}

fn predicate(op: Op, format: FloatFormat, bits: &Bits, other: Option<&Bits>) -> Value {
    let a = format.unpack(bits);
    let ordered = |test: fn(&BigInt, &BigInt) -> bool| {
        let other = other.expect("a comparison has two arguments");
        let nan = matches!(a, Soft::Nan) || matches!(format.unpack(other), Soft::Nan);
        !nan && test(&format.key(bits), &format.key(other))
    };
    Value::Bool(match op {
        Op::FpIsNan => matches!(a, Soft::Nan),
        Op::FpIsInf => matches!(a, Soft::Inf(_)),
        Op::FpIsZero => matches!(a, Soft::Zero(_)),
        Op::FpEq => ordered(|x, y| x == y),
        Op::FpLt => ordered(|x, y| x < y),
        Op::FpLe => ordered(|x, y| x <= y),
        _ => panic!("{op:?} is not an operator on floats"),
    })
}

fn integer(value: &BigInt) -> Soft {
    if value.is_zero() {
        return Soft::Zero(false);
    }
    Soft::Finite { neg: value.sign() == Sign::Minus, mag: value.magnitude().clone(), exp: 0 }
}

fn negated(value: Soft) -> Soft {
    match value {
        Soft::Nan => Soft::Nan,
        Soft::Inf(neg) => Soft::Inf(!neg),
        Soft::Zero(neg) => Soft::Zero(!neg),
        Soft::Finite { neg, mag, exp } => Soft::Finite { neg: !neg, mag, exp },
    }
}

fn add(a: Soft, b: Soft, rounding: Rounding) -> Soft {
    let cancelled = Soft::Zero(rounding == Rounding::Down);
    match (a, b) {
        (Soft::Nan, _) | (_, Soft::Nan) => Soft::Nan,
        (Soft::Inf(x), Soft::Inf(y)) if x != y => Soft::Nan,
        (Soft::Inf(neg), _) | (_, Soft::Inf(neg)) => Soft::Inf(neg),
        (Soft::Zero(x), Soft::Zero(y)) => {
            if x == y {
                Soft::Zero(x)
            } else {
                cancelled
            }
        }
        (Soft::Zero(_), finite) | (finite, Soft::Zero(_)) => finite,
        (Soft::Finite { neg: na, mag: ma, exp: ea }, Soft::Finite { neg: nb, mag: mb, exp: eb }) => {
            let exp = ea.min(eb);
            let align = |neg, mag: BigUint, e: i64| {
                BigInt::from_biguint(if neg { Sign::Minus } else { Sign::Plus }, mag << (e - exp).unsigned_abs())
            };
            let sum = align(na, ma, ea) + align(nb, mb, eb);
            if sum.is_zero() {
                return cancelled;
            }
            Soft::Finite { neg: sum.sign() == Sign::Minus, mag: sum.magnitude().clone(), exp }
        }
    }
}

fn mul(a: Soft, b: Soft) -> Soft {
    match (a, b) {
        (Soft::Nan, _) | (_, Soft::Nan) | (Soft::Inf(_), Soft::Zero(_)) | (Soft::Zero(_), Soft::Inf(_)) => Soft::Nan,
        (Soft::Inf(x), Soft::Inf(y)) => Soft::Inf(x != y),
        (Soft::Inf(x), Soft::Finite { neg: y, .. }) | (Soft::Finite { neg: y, .. }, Soft::Inf(x)) => Soft::Inf(x != y),
        (Soft::Zero(x), Soft::Zero(y)) => Soft::Zero(x != y),
        (Soft::Zero(x), Soft::Finite { neg: y, .. }) | (Soft::Finite { neg: y, .. }, Soft::Zero(x)) => Soft::Zero(x != y),
        (Soft::Finite { neg: x, mag: ma, exp: ea }, Soft::Finite { neg: y, mag: mb, exp: eb }) => {
            Soft::Finite { neg: x != y, mag: ma * mb, exp: ea + eb }
        }
    }
}

fn div(format: FloatFormat, rounding: Rounding, a: Soft, b: Soft) -> Bits {
    let special = match (a, b) {
        (Soft::Nan, _) | (_, Soft::Nan) | (Soft::Inf(_), Soft::Inf(_)) | (Soft::Zero(_), Soft::Zero(_)) => Soft::Nan,
        (Soft::Inf(x), Soft::Zero(y) | Soft::Finite { neg: y, .. }) | (Soft::Finite { neg: x, .. }, Soft::Zero(y)) => Soft::Inf(x != y),
        (Soft::Zero(x), Soft::Inf(y) | Soft::Finite { neg: y, .. }) | (Soft::Finite { neg: x, .. }, Soft::Inf(y)) => Soft::Zero(x != y),
        (Soft::Finite { neg: x, mag: ma, exp: ea }, Soft::Finite { neg: y, mag: mb, exp: eb }) => {
            let shift = (u64::from(format.significand()) + 3 + mb.bits()).saturating_sub(ma.bits());
            let (quotient, rest) = (ma << shift).div_rem(&mb);
            let exp = ea - eb - i64::try_from(shift).expect("few bits");
            return format.round(rounding, x != y, quotient, exp, !rest.is_zero());
        }
    };
    format.pack(special, rounding)
}

fn sqrt(format: FloatFormat, rounding: Rounding, a: Soft) -> Bits {
    let special = match a {
        Soft::Nan | Soft::Inf(true) | Soft::Finite { neg: true, .. } => Soft::Nan,
        Soft::Inf(false) => Soft::Inf(false),
        Soft::Zero(neg) => Soft::Zero(neg),
        Soft::Finite { mag, exp, .. } => {
            let enough = (2 * u64::from(format.significand()) + 6).saturating_sub(mag.bits());
            let shift = i64::try_from(enough).expect("few bits");
            let shift = shift + (exp - shift).rem_euclid(2);
            let mag = mag << shift.unsigned_abs();
            let root = mag.sqrt();
            let sticky = &root * &root != mag;
            return format.round(rounding, false, root, (exp - shift) / 2, sticky);
        }
    };
    format.pack(special, rounding)
}

/// `a - b * n`, where `n` is `a / b` rounded to nearest even (IEEE remainder) or to zero (`fmod`).
fn rem(a: Soft, b: Soft, nearest: bool) -> Soft {
    match (a, b) {
        (Soft::Nan | Soft::Inf(_), _) | (_, Soft::Nan | Soft::Zero(_)) => Soft::Nan,
        (a, Soft::Inf(_)) => a,
        (Soft::Zero(neg), _) => Soft::Zero(neg),
        (Soft::Finite { neg, mag: ma, exp: ea }, Soft::Finite { mag: mb, exp: eb, .. }) => {
            let exp = ea.min(eb);
            let (x, y) = (ma << (ea - exp).unsigned_abs(), mb << (eb - exp).unsigned_abs());
            let (quotient, rest) = x.div_rem(&y);
            let twice = &rest << 1u8;
            let up = nearest && (twice > y || (twice == y && quotient.bit(0)));
            let (neg, mag) = if up { (!neg, y - rest) } else { (neg, rest) };
            // A zero remainder has the sign of the dividend; `up` never gives zero.
            if mag.is_zero() { Soft::Zero(neg) } else { Soft::Finite { neg, mag, exp } }
        }
    }
}

fn to_integral(rounding: Rounding, a: Soft) -> Soft {
    match a {
        Soft::Finite { neg, mag, exp } if exp < 0 => {
            let (kept, up) = divide_power(rounding, neg, &mag, -exp, false);
            let mag = if up { kept + 1u8 } else { kept };
            if mag.is_zero() { Soft::Zero(neg) } else { Soft::Finite { neg, mag, exp: 0 } }
        }
        other => other,
    }
}

fn to_bits(width: u32, rounding: Rounding, a: Soft, low: &BigInt, high: &BigInt) -> Value {
    let value = match to_integral(rounding, a) {
        Soft::Zero(_) => Some(BigInt::zero()),
        // A float beyond the width of the target is out of range; shifting it out would only cost time.
        Soft::Finite { neg, mag, exp } if exp <= i64::from(width) => {
            Some(BigInt::from_biguint(if neg { Sign::Minus } else { Sign::Plus }, mag << exp.unsigned_abs()))
        }
        _ => None,
    };
    match value {
        Some(value) if value >= *low && value < *high => Value::from_signed(width, &value),
        _ => Value::from_signed(width, &(BigInt::one() << (width - 1))),
    }
}
