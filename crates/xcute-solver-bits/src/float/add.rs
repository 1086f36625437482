//! Addition.

use xcute_term::{FloatFormat, Rounding};

use super::round::{Exact, round};
use super::{Special, Unpacked, extend, minus_word, normalize, plus, shift_right_sticky, unpack};
use crate::arithmetic;
use crate::circuit::Circuit;
use crate::compare::{choose, unsigned_less};
use crate::lit::Lit;

/// `x - y`.
pub(crate) fn subtract(c: &mut Circuit, format: FloatFormat, rounding: Rounding, x: &[Lit], y: &[Lit]) -> Vec<Lit> {
    let mut y = y.to_vec();
    let top = y.len() - 1;
    y[top] = !y[top];
    add(c, format, rounding, x, &y)
}

/// `x + y`: align the smaller to the greater, add or subtract, normalise.
pub(crate) fn add(c: &mut Circuit, format: FloatFormat, rounding: Rounding, x: &[Lit], y: &[Lit]) -> Vec<Lit> {
    let top = x.len() - 1;
    let (a, b) = (unpack(c, format, x), unpack(c, format, y));
    let swap = unsigned_less(c, &x[..top], &y[..top]);
    let sign = c.mux(swap, b.sign, a.sign);
    let large = choose(c, swap, &b.significand, &a.significand);
    let small = choose(c, swap, &a.significand, &b.significand);
    let exponent = choose(c, swap, &b.exponent, &a.exponent);
    let lower = choose(c, swap, &a.exponent, &b.exponent);
    let width = exponent.len() + 1;
    let exponent = extend(&exponent, width);
    let distance = minus_word(c, &exponent, &extend(&lower, width));

    // Three more bits: with two to guard and one to be sticky, one place of normalisation and the rounding are exact.
    let widen = |word: &[Lit]| [&[Lit::FALSE; 3][..], word, &[Lit::FALSE]].concat();
    let (mut aligned, lost) = shift_right_sticky(c, &widen(&small), &distance[..width - 1]);
    aligned[0] = c.or(aligned[0], lost);
    let differ = c.xor(a.sign, b.sign);
    let addend: Vec<Lit> = aligned.iter().map(|&l| c.xor(l, differ)).collect();
    let sum = arithmetic::add(c, &widen(&large), &addend, differ);

    let (significand, leading) = normalize(c, &sum);
    let exponent = plus(c, &extend(&exponent, width + 1), 1);
    let exponent = minus_word(c, &exponent, &leading);
    let number = round(c, format, rounding, &Exact { sign, exponent, significand });
    let zero = c.all(sum.iter().map(|&l| !l));
    special(c, rounding, &a, &b, differ, zero).or_else(c, format, &number)
}

fn special(c: &mut Circuit, rounding: Rounding, a: &Unpacked, b: &Unpacked, differ: Lit, zero: Lit) -> Special {
    let opposite = c.all([a.infinite, b.infinite, differ]);
    Special {
        nan: c.any([a.nan, b.nan, opposite]),
        infinite: c.or(a.infinite, b.infinite),
        zero,
        sign: c.mux(a.infinite, a.sign, b.sign),
        // Numbers that cancel give the positive zero, rounding down the negative one.
        zero_sign: c.mux(differ, Lit::constant(rounding == Rounding::Down), a.sign),
    }
}
