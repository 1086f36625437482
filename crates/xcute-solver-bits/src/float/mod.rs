//! IEEE floats as words: order, sign and classes of the packed bits, and the parts that arithmetic works on.
//!
//! Brain, Schanda & Sun, "Building better bit-blasting for floating-point problems" (SymFPU, TACAS 2019): unpack to sign, exponent
//! and normalised significand, compute exactly with a sticky bit, round and pack once. What SMT-LIB leaves open is as in
//! `xcute_term::eval`: the NaN of arithmetic is the positive quiet one, a conversion out of range gives the sign bit alone.

mod add;
mod convert;
mod multiply;
mod round;

pub(crate) use add::{add, subtract};
pub(crate) use convert::{from_integer, to_float, to_integer, to_integral};
pub(crate) use multiply::{divide, multiply, square_root};

use xcute_term::FloatFormat;

use crate::arithmetic;
use crate::circuit::Circuit;
use crate::compare::{choose, equal as same_word, unsigned_less};
use crate::lit::Lit;

/// The bits of the exponent, as a number of literals.
fn exponent_bits(format: FloatFormat) -> usize {
    format.exponent() as usize
}

/// The bits of the significand with the hidden one, as a number of literals.
fn significand_bits(format: FloatFormat) -> usize {
    format.significand() as usize
}

/// Bits that hold every unbiased exponent of a normalised number, subnormal ones included, with its sign.
fn exponent_width(format: FloatFormat) -> usize {
    exponent_bits(format).max(bit_length(significand_bits(format))) + 2
}

/// A float taken apart. Where it is a number other than zero, it is `(-1)^sign · significand · 2^(exponent - length + 1)` with the
/// top bit of the significand set.
pub(crate) struct Unpacked {
    nan: Lit,
    infinite: Lit,
    zero: Lit,
    sign: Lit,
    exponent: Vec<Lit>,
    significand: Vec<Lit>,
}

/// The classes of a packed float: not a number, infinite, zero.
pub(crate) fn classes(c: &mut Circuit, format: FloatFormat, x: &[Lit]) -> (Lit, Lit, Lit) {
    let (fraction, exponent) = x[..x.len() - 1].split_at(significand_bits(format) - 1);
    let no_fraction = c.all(fraction.iter().map(|&l| !l));
    let top = c.all(exponent.iter().copied());
    let zero = c.all(x[..x.len() - 1].iter().map(|&l| !l));
    (c.and(top, !no_fraction), c.and(top, no_fraction), zero)
}

/// Structural identity: all NaNs are one.
pub(crate) fn identical(c: &mut Circuit, format: FloatFormat, x: &[Lit], y: &[Lit]) -> Lit {
    let (nan_x, nan_y) = (classes(c, format, x).0, classes(c, format, y).0);
    let (same, both) = (same_word(c, x, y), c.and(nan_x, nan_y));
    c.or(same, both)
}

/// IEEE equality: the zeros are equal, a NaN equals nothing.
pub(crate) fn equal(c: &mut Circuit, format: FloatFormat, x: &[Lit], y: &[Lit]) -> Lit {
    let ((nan_x, _, zero_x), (nan_y, _, zero_y)) = (classes(c, format, x), classes(c, format, y));
    let (same, zeros) = (same_word(c, x, y), c.and(zero_x, zero_y));
    let either = c.or(same, zeros);
    c.all([!nan_x, !nan_y, either])
}

/// IEEE `<`.
pub(crate) fn less(c: &mut Circuit, format: FloatFormat, x: &[Lit], y: &[Lit]) -> Lit {
    let ((nan_x, _, _), (nan_y, _, _)) = (classes(c, format, x), classes(c, format, y));
    let before = comes_before(c, format, x, y, Lit::FALSE);
    c.all([!nan_x, !nan_y, before])
}

/// IEEE `<=`.
pub(crate) fn less_or_equal(c: &mut Circuit, format: FloatFormat, x: &[Lit], y: &[Lit]) -> Lit {
    let (less, equal) = (less(c, format, x, y), equal(c, format, x, y));
    c.or(less, equal)
}

/// The smaller (or, if `greatest`, the greater) of two: of the two zeros the negative one is the smaller; a NaN gives way.
pub(crate) fn extremum(c: &mut Circuit, format: FloatFormat, greatest: bool, x: &[Lit], y: &[Lit]) -> Vec<Lit> {
    let ((nan_x, _, _), (nan_y, _, _)) = (classes(c, format, x), classes(c, format, y));
    let x_first = comes_before(c, format, x, y, x[x.len() - 1]);
    let mut out = choose(c, x_first ^ greatest, x, y);
    out = choose(c, nan_y, x, &out);
    out = choose(c, nan_x, y, &out);
    let both = c.and(nan_x, nan_y);
    choose(c, both, &nan(format), &out)
}

/// Whether `x < y` as numbers; `tie` where both are zero or (only asked by [`extremum`]) the same.
fn comes_before(c: &mut Circuit, format: FloatFormat, x: &[Lit], y: &[Lit], tie: Lit) -> Lit {
    let top = x.len() - 1;
    let (sign_x, sign_y) = (x[top], y[top]);
    let (smaller, greater) = (unsigned_less(c, &x[..top], &y[..top]), unsigned_less(c, &y[..top], &x[..top]));
    let ((_, _, zero_x), (_, _, zero_y)) = (classes(c, format, x), classes(c, format, y));
    let zeros = c.and(zero_x, zero_y);
    let within = c.mux(sign_x, greater, smaller);
    let differ = c.xor(sign_x, sign_y);
    let before = c.mux(differ, sign_x, within);
    let (none, equal) = (c.or(smaller, greater), c.xor(differ, Lit::TRUE));
    let same = c.and(!none, equal);
    let tied = c.or(zeros, same);
    c.mux(tied, tie, before)
}

/// Takes a float apart.
pub(crate) fn unpack(c: &mut Circuit, format: FloatFormat, x: &[Lit]) -> Unpacked {
    let (nan, infinite, zero) = classes(c, format, x);
    let (fraction, field) = x[..x.len() - 1].split_at(significand_bits(format) - 1);
    let normal = c.any(field.iter().copied());
    let hidden: Vec<Lit> = fraction.iter().copied().chain([normal]).collect();
    let (significand, leading) = normalize(c, &hidden);
    // A subnormal number has the exponent of the smallest normal one.
    let mut exponent = field.to_vec();
    exponent[0] = c.or(exponent[0], !normal);
    let width = exponent_width(format);
    exponent.resize(width, Lit::FALSE);
    let exponent = plus(c, &exponent, -format.bias());
    let exponent = minus_word(c, &exponent, &leading);
    Unpacked { nan, infinite, zero, sign: x[x.len() - 1], exponent, significand }
}

/// The positive quiet NaN.
fn nan(format: FloatFormat) -> Vec<Lit> {
    let mut out = vec![Lit::FALSE; significand_bits(format) - 2];
    out.resize(format.width() as usize - 1, Lit::TRUE);
    out.push(Lit::FALSE);
    out
}

fn infinity(format: FloatFormat, sign: Lit) -> Vec<Lit> {
    let mut out = vec![Lit::FALSE; significand_bits(format) - 1];
    out.resize(format.width() as usize - 1, Lit::TRUE);
    out.push(sign);
    out
}

fn signed_zero(format: FloatFormat, sign: Lit) -> Vec<Lit> {
    let mut out = vec![Lit::FALSE; format.width() as usize - 1];
    out.push(sign);
    out
}

/// The special results of an operation, in order of precedence.
struct Special {
    nan: Lit,
    infinite: Lit,
    zero: Lit,
    /// Of the infinity.
    sign: Lit,
    zero_sign: Lit,
}

impl Special {
    fn or_else(self, c: &mut Circuit, format: FloatFormat, number: &[Lit]) -> Vec<Lit> {
        let out = choose(c, self.zero, &signed_zero(format, self.zero_sign), number);
        let out = choose(c, self.infinite, &infinity(format, self.sign), &out);
        choose(c, self.nan, &nan(format), &out)
    }
}

/// Shifts leading zeros out; answers by how much too, least significant bit first. Of zero, all is zero but the count.
fn normalize(c: &mut Circuit, word: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let mut out = word.to_vec();
    let stages = bit_length(word.len() - 1);
    let mut count = vec![Lit::FALSE; stages];
    for i in (0..stages).rev() {
        let step = 1 << i;
        let empty = c.all(out[out.len() - step..].iter().map(|&l| !l));
        count[i] = empty;
        out = (0..out.len()).map(|j| c.mux(empty, if j < step { Lit::FALSE } else { out[j - step] }, out[j])).collect();
    }
    (out, count)
}

/// Shifts right by an unsigned amount; answers also whether a set bit was lost.
fn shift_right_sticky(c: &mut Circuit, word: &[Lit], amount: &[Lit]) -> (Vec<Lit>, Lit) {
    let mut out = word.to_vec();
    let mut sticky = Lit::FALSE;
    let stages = bit_length(word.len()).min(amount.len());
    let beyond = c.any(amount[stages..].iter().copied());
    for (i, bit) in amount[..stages].iter().copied().chain([beyond]).enumerate() {
        let step = if i == stages { out.len() } else { (1 << i).min(out.len()) };
        let lost = c.any(out[..step].iter().copied());
        let lost = c.and(lost, bit);
        sticky = c.or(sticky, lost);
        out = (0..out.len()).map(|j| c.mux(bit, out.get(j + step).copied().unwrap_or(Lit::FALSE), out[j])).collect();
    }
    (out, sticky)
}

/// The number of bits of a number: 0 for 0.
fn bit_length(n: usize) -> usize {
    (usize::BITS - n.leading_zeros()) as usize
}

/// A constant in two's complement.
fn number(width: usize, n: i64) -> Vec<Lit> {
    (0..width).map(|i| Lit::constant(n >> i.min(63) & 1 == 1)).collect()
}

fn plus(c: &mut Circuit, word: &[Lit], n: i64) -> Vec<Lit> {
    arithmetic::add(c, word, &number(word.len(), n), Lit::FALSE)
}

/// A signed word less an unsigned one that may be shorter.
fn minus_word(c: &mut Circuit, word: &[Lit], other: &[Lit]) -> Vec<Lit> {
    let mut other = other.to_vec();
    other.resize(word.len(), Lit::FALSE);
    arithmetic::subtract(c, word, &other)
}

/// Sign extension.
fn extend(word: &[Lit], width: usize) -> Vec<Lit> {
    let mut out = word.to_vec();
    out.resize(width, word[word.len() - 1]);
    out
}
