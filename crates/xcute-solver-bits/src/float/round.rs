//! Rounding: from an exact result, or one with a sticky last bit, to a packed float.

use xcute_term::{FloatFormat, Rounding};

use super::{bit_length, exponent_bits, extend, minus_word, number, plus, shift_right_sticky, significand_bits};
use crate::arithmetic;
use crate::circuit::Circuit;
use crate::compare::{choose, signed_less, unsigned_less};
use crate::lit::Lit;

/// A number to be rounded: `significand · 2^(exponent - length + 1)` with the top bit of the significand set, and the last one set
/// if anything smaller was lost.
pub(super) struct Exact {
    pub(super) sign: Lit,
    pub(super) exponent: Vec<Lit>,
    pub(super) significand: Vec<Lit>,
}

/// Whether to round away from zero, by what is cut off: its first bit, and whether anything follows.
pub(super) fn away(c: &mut Circuit, rounding: Rounding, sign: Lit, last: Lit, guard: Lit, sticky: Lit) -> Lit {
    let inexact = c.or(guard, sticky);
    match rounding {
        Rounding::NearestEven => {
            let up = c.or(sticky, last);
            c.and(guard, up)
        }
        Rounding::NearestAway => guard,
        Rounding::Up => c.and(!sign, inexact),
        Rounding::Down => c.and(sign, inexact),
        Rounding::Zero => Lit::FALSE,
    }
}

/// Rounds and packs.
pub(super) fn round(c: &mut Circuit, format: FloatFormat, rounding: Rounding, exact: &Exact) -> Vec<Lit> {
    // At least one bit to guard and one to be sticky.
    let missing = (significand_bits(format) + 2).saturating_sub(exact.significand.len());
    let significand: Vec<Lit> = [&vec![Lit::FALSE; missing][..], &exact.significand].concat();
    let width = exact.exponent.len().max(exponent_bits(format)).max(bit_length(significand.len())) + 2;
    let biased = plus(c, &extend(&exact.exponent, width), format.bias());

    // A number below the smallest normal one is shifted to its exponent, whose field is then 0.
    let subnormal = signed_less(c, &biased, &number(width, 1));
    let distance = minus_word(c, &number(width, 1), &biased);
    let distance: Vec<Lit> = distance.iter().map(|&l| c.and(l, subnormal)).collect();
    let (shifted, lost) = shift_right_sticky(c, &significand, &distance[..width - 1]);
    let field: Vec<Lit> = biased.iter().map(|&l| c.and(l, !subnormal)).collect();

    let cut = shifted.len() - significand_bits(format);
    let rest = c.any(shifted[..cut - 1].iter().copied());
    let sticky = c.or(rest, lost);
    let up = away(c, rounding, exact.sign, shifted[cut], shifted[cut - 1], sticky);
    // Rounding up carries from the fraction into the exponent: to the first normal number, the next power of two, or beyond all.
    let packed: Vec<Lit> = shifted[cut..shifted.len() - 1].iter().chain(&field).copied().collect();
    let packed = arithmetic::add(c, &packed, &vec![Lit::FALSE; packed.len()], up);
    let (fraction, field) = packed.split_at(significand_bits(format) - 1);
    let fits = unsigned_less(c, field, &number(width, (1 << exponent_bits(format)) - 1));
    let overflow = beyond(format, rounding, exact.sign);
    let fitting: Vec<Lit> = fraction.iter().chain(&field[..exponent_bits(format)]).copied().collect();
    let mut out = choose(c, fits, &fitting, &overflow);
    out.push(exact.sign);
    out
}

/// What a number too large becomes, without its sign: the infinity, or the largest number.
fn beyond(format: FloatFormat, rounding: Rounding, sign: Lit) -> Vec<Lit> {
    let infinite = match rounding {
        Rounding::NearestEven | Rounding::NearestAway => Lit::TRUE,
        Rounding::Up => !sign,
        Rounding::Down => sign,
        Rounding::Zero => Lit::FALSE,
    };
    // The largest number is the one just before the infinity.
    let mut out = vec![!infinite; significand_bits(format) - 1];
    out.push(infinite);
    out.resize(format.width() as usize - 1, Lit::TRUE);
    out
}
