//! Shifts by a word: logarithmic (barrel) shifters.

use crate::circuit::Circuit;
use crate::lit::Lit;

/// `a << amount`, zero from the width on.
pub(crate) fn left(c: &mut Circuit, a: &[Lit], amount: &[Lit]) -> Vec<Lit> {
    let mirrored: Vec<Lit> = a.iter().rev().copied().collect();
    let mut out = right(c, &mirrored, amount, Lit::FALSE);
    out.reverse();
    out
}

/// `a >> amount` with `fill` moving in from the top; all `fill` from the width on.
pub(crate) fn right(c: &mut Circuit, a: &[Lit], amount: &[Lit], fill: Lit) -> Vec<Lit> {
    let width = a.len();
    let mut out = a.to_vec();
    let mut stages = 0;
    for (i, &bit) in amount.iter().enumerate().take_while(|(i, _)| *i < 32 && 1usize << i < width) {
        let step = 1 << i;
        out = (0..width).map(|j| c.mux(bit, out.get(j + step).copied().unwrap_or(fill), out[j])).collect();
        stages = i + 1;
    }
    let beyond = c.any(amount[stages..].iter().copied());
    out.into_iter().map(|bit| c.mux(beyond, fill, bit)).collect()
}
