//! Conversions: between formats, from and to integers, and to a float without a fraction.

use xcute_term::{FloatFormat, Rounding};

use super::round::{Exact, away, round};
use super::{Special, Unpacked, bit_length, extend, minus_word, normalize, number, shift_right_sticky, significand_bits, unpack};
use crate::arithmetic;
use crate::circuit::Circuit;
use crate::compare::{choose, signed_less, unsigned_less};
use crate::lit::Lit;

/// A float in another format.
pub(crate) fn to_float(c: &mut Circuit, from: FloatFormat, to: FloatFormat, rounding: Rounding, x: &[Lit]) -> Vec<Lit> {
    let Unpacked { nan, infinite, zero, sign, exponent, significand } = unpack(c, from, x);
    let number = round(c, to, rounding, &Exact { sign, exponent, significand });
    Special { nan, infinite, zero, sign, zero_sign: sign }.or_else(c, to, &number)
}

/// An integer as a float.
pub(crate) fn from_integer(c: &mut Circuit, to: FloatFormat, rounding: Rounding, signed: bool, x: &[Lit]) -> Vec<Lit> {
    let sign = if signed { x[x.len() - 1] } else { Lit::FALSE };
    let magnitude = arithmetic::negate_if(c, sign, x);
    let zero = c.all(magnitude.iter().map(|&l| !l));
    // One more bit, so that there is something to normalise even in a single one.
    let magnitude = [&magnitude[..], &[Lit::FALSE]].concat();
    let (significand, leading) = normalize(c, &magnitude);
    let width = bit_length(magnitude.len()) + 1;
    let top = i64::try_from(magnitude.len() - 1).expect("a width");
    let exponent = minus_word(c, &number(width, top), &leading);
    let rounded = round(c, to, rounding, &Exact { sign, exponent, significand });
    let special = Special { nan: Lit::FALSE, infinite: Lit::FALSE, zero, sign, zero_sign: Lit::FALSE };
    special.or_else(c, to, &rounded)
}

/// The magnitude of a float as an integer of this many bits, rounded, and whether it has that many.
fn magnitude(c: &mut Circuit, rounding: Rounding, x: &Unpacked, bits: usize) -> (Vec<Lit>, Lit) {
    // Put the leading bit at the top of the integer, then shift right by how far the exponent is below it.
    let places = x.significand.len().saturating_sub(bits) + 1;
    let mut word = vec![Lit::FALSE; bits + places - x.significand.len()];
    word.extend_from_slice(&x.significand);
    let width = x.exponent.len().max(bit_length(bits)) + 2;
    let top = i64::try_from(bits - 1).expect("a width");
    let exponent = extend(&x.exponent, width);
    let too_large = signed_less(c, &number(width, top), &exponent);
    let distance = arithmetic::subtract(c, &number(width, top), &exponent);
    let (shifted, lost) = shift_right_sticky(c, &word, &distance[..width - 1]);
    let rest = c.any(shifted[..places - 1].iter().copied());
    let sticky = c.or(rest, lost);
    let up = away(c, rounding, x.sign, shifted[places], shifted[places - 1], sticky);
    let mut whole = shifted[places..].to_vec();
    whole.push(Lit::FALSE);
    let whole = arithmetic::add(c, &whole, &vec![Lit::FALSE; bits + 1], up);
    (whole, !too_large)
}

/// A float as an integer of a width; the sign bit alone where it is not a number or out of range.
pub(crate) fn to_integer(c: &mut Circuit, from: FloatFormat, rounding: Rounding, signed: bool, width: usize, x: &[Lit]) -> Vec<Lit> {
    let x = unpack(c, from, x);
    let (whole, small) = magnitude(c, rounding, &x, width);
    // Positive: below 2^width, or 2^(width-1) if signed. Negative: nothing but zero, or up to 2^(width-1).
    let bound = |power: usize| (0..=width).map(|i| Lit::constant(i == power)).collect::<Vec<Lit>>();
    let (positive, negative) = if signed {
        let below = unsigned_less(c, &whole, &bound(width - 1));
        (below, !unsigned_less(c, &bound(width - 1), &whole))
    } else {
        (!whole[width], c.all(whole.iter().map(|&l| !l)))
    };
    let in_range = c.mux(x.sign, negative, positive);
    let fits = c.all([in_range, small, !x.nan, !x.infinite]);
    let value = arithmetic::negate_if(c, x.sign, &whole[..width]);
    let indefinite: Vec<Lit> = (1..=width).map(|i| Lit::constant(i == width)).collect();
    let out = choose(c, fits, &value, &indefinite);
    choose(c, x.zero, &vec![Lit::FALSE; width], &out)
}

/// A float rounded to one without a fraction.
pub(crate) fn to_integral(c: &mut Circuit, format: FloatFormat, rounding: Rounding, x: &[Lit]) -> Vec<Lit> {
    let parts = unpack(c, format, x);
    let bits = significand_bits(format);
    // From this exponent on there is no fraction.
    let (whole, has_fraction) = magnitude(c, rounding, &parts, bits);
    let (significand, leading) = normalize(c, &whole);
    let width = bit_length(whole.len()) + 1;
    let exponent = minus_word(c, &number(width, i64::try_from(bits).expect("a width")), &leading);
    // Exact: the significand has at most one bit more than the format, and then its last is zero.
    let rounded = round(c, format, rounding, &Exact { sign: parts.sign, exponent, significand });
    let nothing = c.all(whole.iter().map(|&l| !l));
    let zero = c.any([parts.zero, nothing]);
    let special = Special { nan: Lit::FALSE, infinite: Lit::FALSE, zero, sign: parts.sign, zero_sign: parts.sign };
    let small = special.or_else(c, format, &rounded);
    let out = choose(c, has_fraction, &small, x);
    let out = choose(c, parts.infinite, x, &out);
    choose(c, parts.nan, &super::nan(format), &out)
}
