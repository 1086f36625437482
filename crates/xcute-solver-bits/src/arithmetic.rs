//! Addition, multiplication and division of words (least significant bit first), modulo their width.

use crate::circuit::Circuit;
use crate::compare::{choose, unsigned_less};
use crate::lit::Lit;

/// `a + b + carry`: a ripple of full adders.
pub(crate) fn add(c: &mut Circuit, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
    let mut out = Vec::with_capacity(a.len());
    for (i, (&x, &y)) in a.iter().zip(b).enumerate() {
        out.push(c.xor3(x, y, carry));
        if i + 1 < a.len() {
            carry = c.majority(x, y, carry);
        }
    }
    out
}

/// `a - b`.
pub(crate) fn subtract(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    add(c, a, &complement(b), Lit::TRUE)
}

/// `-a`.
pub(crate) fn negate(c: &mut Circuit, a: &[Lit]) -> Vec<Lit> {
    add(c, &complement(a), &vec![Lit::FALSE; a.len()], Lit::TRUE)
}

/// `¬a`.
pub(crate) fn complement(a: &[Lit]) -> Vec<Lit> {
    a.iter().map(|&l| !l).collect()
}

/// `a * b`: shift and add, over the rows of the operand that has more constant bits.
pub(crate) fn multiply(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let constants = |w: &[Lit]| w.iter().filter(|l| l.is_constant()).count();
    let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
    if constants(b) == b.len() {
        return multiply_constant(c, a, b);
    }
    let width = a.len();
    let mut sum = vec![Lit::FALSE; width];
    for (i, &bit) in b.iter().enumerate().filter(|(_, l)| **l != Lit::FALSE) {
        let row: Vec<Lit> = a[..width - i].iter().map(|&x| c.and(x, bit)).collect();
        let high = add(c, &sum[i..], &row, Lit::FALSE);
        sum[i..].copy_from_slice(&high);
    }
    sum
}

/// `a * b` for a constant `b`: one addition per non-zero digit of its non-adjacent form (Reitwiesner, "Binary arithmetic", 1960),
/// the negative digits collected apart and subtracted once.
fn multiply_constant(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let width = a.len();
    let mut plus = vec![Lit::FALSE; width];
    let mut minus = plus.clone();
    let mut carry = false;
    for i in 0..width {
        let bit = b[i] == Lit::TRUE;
        if bit == carry {
            // Digit 0: carry and bit make two, or nothing.
            continue;
        }
        // Digit -1 if the next bit is set too (so that a run of ones ends in one digit), else 1.
        carry = i + 1 < width && b[i + 1] == Lit::TRUE;
        let sum = if carry { &mut minus } else { &mut plus };
        let high = add(c, &sum[i..], &a[..width - i], Lit::FALSE);
        sum[i..].copy_from_slice(&high);
    }
    subtract(c, &plus, &minus)
}

/// Quotient and remainder of unsigned `a` by `b`: restoring division. For `b = 0` every trial subtraction succeeds without
/// changing the remainder, which gives SMT-LIB's all ones and `a`.
pub(crate) fn divide(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let width = a.len();
    let mut quotient = vec![Lit::FALSE; width];
    // Holds the leading digits of `a`, reduced: never longer than the number of digits brought down so far.
    let mut rest: Vec<Lit> = Vec::with_capacity(width);
    for i in (0..width).rev() {
        rest.insert(0, a[i]);
        let (low, high) = b.split_at(rest.len());
        let borrow = unsigned_less(c, &rest, low);
        let fits = c.all(high.iter().map(|&l| !l).chain([!borrow]));
        quotient[i] = fits;
        let less = subtract(c, &rest, low);
        rest = choose(c, fits, &less, &rest);
        trim(&mut rest, b);
    }
    rest.resize(width, Lit::FALSE);
    (quotient, rest)
}

/// Drops the leading bits of the remainder that are zero because a constant divisor, other than 0, is shorter.
fn trim(rest: &mut Vec<Lit>, b: &[Lit]) {
    if b.iter().all(|l| l.is_constant())
        && let Some(top) = b.iter().rposition(|&l| l == Lit::TRUE)
    {
        rest.truncate(top + 1);
    }
}

/// `|a|` as an unsigned word, and the sign.
fn magnitude(c: &mut Circuit, a: &[Lit]) -> (Vec<Lit>, Lit) {
    let sign = a[a.len() - 1];
    (negate_if(c, sign, a), sign)
}

/// `if cond then -a else a`.
pub(crate) fn negate_if(c: &mut Circuit, cond: Lit, a: &[Lit]) -> Vec<Lit> {
    let flipped: Vec<Lit> = a.iter().map(|&l| c.xor(l, cond)).collect();
    add(c, &flipped, &vec![Lit::FALSE; a.len()], cond)
}

/// `a / b` signed, rounded towards zero.
pub(crate) fn divide_signed(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let ((x, sx), (y, sy)) = (magnitude(c, a), magnitude(c, b));
    let (quotient, _) = divide(c, &x, &y);
    let differ = c.xor(sx, sy);
    negate_if(c, differ, &quotient)
}

/// The remainder of [`divide_signed`], with the sign of `a`.
pub(crate) fn remainder_signed(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let ((x, sx), (y, _)) = (magnitude(c, a), magnitude(c, b));
    let (_, rest) = divide(c, &x, &y);
    negate_if(c, sx, &rest)
}
