//! Comparisons and choices of words (least significant bit first).

use crate::circuit::Circuit;
use crate::lit::Lit;

/// `a = b`.
pub(crate) fn equal(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    // Known to differ in one bit: say so before any gate is made.
    if a.iter().zip(b).any(|(&x, &y)| x == !y) {
        return Lit::FALSE;
    }
    let same: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| !c.xor(x, y)).collect();
    c.all(same)
}

/// `a < b`, unsigned: the borrow of `a - b`.
pub(crate) fn unsigned_less(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    a.iter().zip(b).fold(Lit::FALSE, |borrow, (&x, &y)| c.majority(!x, y, borrow))
}

/// `a < b`, signed: unsigned with the sign bits swapped.
pub(crate) fn signed_less(c: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    let top = a.len() - 1;
    let borrow = unsigned_less(c, &a[..top], &b[..top]);
    c.majority(a[top], !b[top], borrow)
}

/// `if cond then t else e`, bit by bit.
pub(crate) fn choose(c: &mut Circuit, cond: Lit, t: &[Lit], e: &[Lit]) -> Vec<Lit> {
    t.iter().zip(e).map(|(&t, &e)| c.mux(cond, t, e)).collect()
}
