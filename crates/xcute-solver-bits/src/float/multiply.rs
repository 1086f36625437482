//! Multiplication, division and square root.

use xcute_term::{FloatFormat, Rounding};

use super::round::{Exact, round};
use super::{Special, Unpacked, extend, infinity, minus_word, nan, signed_zero, significand_bits, unpack};
use crate::arithmetic;
use crate::circuit::Circuit;
use crate::compare::{choose, unsigned_less};
use crate::lit::Lit;

/// `x · y`.
pub(crate) fn multiply(c: &mut Circuit, format: FloatFormat, rounding: Rounding, x: &[Lit], y: &[Lit]) -> Vec<Lit> {
    let (a, b) = (unpack(c, format, x), unpack(c, format, y));
    let sign = c.xor(a.sign, b.sign);
    let width = 2 * significand_bits(format);
    let wide = |word: &[Lit]| [word, &vec![Lit::FALSE; significand_bits(format)]].concat();
    let product = arithmetic::multiply(c, &wide(&a.significand), &wide(&b.significand));
    // The product of two numbers in [1, 2) is in [1, 4).
    let carry = product[width - 1];
    let doubled = [&[Lit::FALSE][..], &product[..width - 1]].concat();
    let significand = choose(c, carry, &product, &doubled);
    let length = a.exponent.len() + 2;
    let exponent = arithmetic::add(c, &extend(&a.exponent, length), &extend(&b.exponent, length), carry);
    let number = round(c, format, rounding, &Exact { sign, exponent, significand });
    let (inf_zero, zero_inf) = (c.and(a.infinite, b.zero), c.and(a.zero, b.infinite));
    let special = Special {
        nan: c.any([a.nan, b.nan, inf_zero, zero_inf]),
        infinite: c.or(a.infinite, b.infinite),
        zero: c.or(a.zero, b.zero),
        sign,
        zero_sign: sign,
    };
    special.or_else(c, format, &number)
}

/// `x / y`: restoring division of the significands, two bits beyond the precision.
pub(crate) fn divide(c: &mut Circuit, format: FloatFormat, rounding: Rounding, x: &[Lit], y: &[Lit]) -> Vec<Lit> {
    let (a, b) = (unpack(c, format, x), unpack(c, format, y));
    let sign = c.xor(a.sign, b.sign);
    let mut rest = [&a.significand[..], &[Lit::FALSE]].concat();
    let divisor = [&b.significand[..], &[Lit::FALSE]].concat();
    // Most significant first: the quotient of two numbers in [1, 2) is in (1/2, 2).
    let mut quotient = Vec::new();
    for _ in 0..significand_bits(format) + 2 {
        let fits = !unsigned_less(c, &rest, &divisor);
        quotient.push(fits);
        let less = arithmetic::subtract(c, &rest, &divisor);
        let kept = choose(c, fits, &less, &rest);
        // The remainder is below the divisor, so its top bit is clear.
        rest = [&[Lit::FALSE][..], &kept[..kept.len() - 1]].concat();
    }
    quotient.push(c.any(rest.iter().copied()));
    quotient.reverse();
    let whole = quotient[quotient.len() - 1];
    let doubled = [&[Lit::FALSE][..], &quotient[..quotient.len() - 1]].concat();
    let significand = choose(c, whole, &quotient, &doubled);
    let length = a.exponent.len() + 2;
    let exponent = arithmetic::subtract(c, &extend(&a.exponent, length), &extend(&b.exponent, length));
    let exponent = minus_word(c, &exponent, &[!whole]);
    let number = round(c, format, rounding, &Exact { sign, exponent, significand });
    let (zeros, infinities) = (c.and(a.zero, b.zero), c.and(a.infinite, b.infinite));
    let special = Special {
        nan: c.any([a.nan, b.nan, zeros, infinities]),
        infinite: c.or(a.infinite, b.zero),
        zero: c.or(a.zero, b.infinite),
        sign,
        zero_sign: sign,
    };
    special.or_else(c, format, &number)
}

/// The square root, digit by digit.
pub(crate) fn square_root(c: &mut Circuit, format: FloatFormat, rounding: Rounding, x: &[Lit]) -> Vec<Lit> {
    let Unpacked { nan: is_nan, infinite, zero, sign, exponent, significand } = unpack(c, format, x);
    let odd = exponent[0];
    // In [1, 4) with an even exponent; its root is in [1, 2).
    let plain = [&significand[..], &[Lit::FALSE]].concat();
    let doubled = [&[Lit::FALSE][..], &significand].concat();
    let radicand = choose(c, odd, &doubled, &plain);
    let digits = significand_bits(format) + 2;
    let padding = 2 * digits - radicand.len();
    let radicand = [&vec![Lit::FALSE; padding][..], &radicand].concat();
    let (mut root, mut rest): (Vec<Lit>, Vec<Lit>) = (Vec::new(), vec![Lit::FALSE; digits + 2]);
    for i in (0..digits).rev() {
        rest = [&radicand[2 * i..2 * i + 2], &rest[..digits]].concat();
        let mut trial = [&[Lit::TRUE, Lit::FALSE][..], &root].concat();
        trial.resize(digits + 2, Lit::FALSE);
        let fits = !unsigned_less(c, &rest, &trial);
        let less = arithmetic::subtract(c, &rest, &trial);
        rest = choose(c, fits, &less, &rest);
        root.insert(0, fits);
    }
    root.insert(0, c.any(rest.iter().copied()));
    let half: Vec<Lit> = extend(&exponent[1..], exponent.len());
    let number = round(c, format, rounding, &Exact { sign: Lit::FALSE, exponent: half, significand: root });
    let out = choose(c, infinite, &infinity(format, Lit::FALSE), &number);
    let negative = c.or(is_nan, sign);
    let out = choose(c, negative, &nan(format), &out);
    choose(c, zero, &signed_zero(format, sign), &out)
}
