//! Bounds: the view of a constraint as a comparison of one term with one constant.
//!
//! `x <= 5`, `not (5 < x)` and `x < 6` are three terms and one bound. Only bit-vectors of at most 64 bits have bounds here.

use xcute_term::{Op, TermId, Terms};

/// Which side of the constant the term must be on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// At most the constant.
    Upper,
    /// At least the constant.
    Lower,
    /// The constant itself.
    Equal,
    /// Anything but the constant.
    Hole,
}

/// A comparison of a term with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    /// The term, of width at most 64 and not a constant.
    pub(crate) term: TermId,
    pub(crate) side: Side,
    /// Whether `Upper` and `Lower` order the words as signed numbers.
    pub(crate) signed: bool,
    /// The constant as a key: for signed bounds the sign bit is flipped, so that keys of one signedness compare as words.
    pub(crate) key: u64,
}

impl Bound {
    /// The bound that a constraint is, if it is one.
    pub(crate) fn of(terms: &Terms, constraint: TermId) -> Option<Bound> {
        match terms.op(constraint) {
            Op::Not => Bound::view(terms, terms.args(constraint)[0], false),
            _ => Bound::view(terms, constraint, true),
        }
    }

    fn view(terms: &Terms, t: TermId, holds: bool) -> Option<Bound> {
        let op = terms.op(t);
        let signed = matches!(op, Op::BvSlt | Op::BvSle);
        if !(signed || matches!(op, Op::Eq | Op::BvUlt | Op::BvUle)) {
            return None;
        }
        let (a, b) = (terms.args(t)[0], terms.args(t)[1]);
        let width = terms.sort(a).width().filter(|&w| w <= 64 && matches!(terms.sort(a), xcute_term::Sort::BitVec(_)))?;
        let (term, word, constant_first) = match (terms.as_u64(a), terms.as_u64(b)) {
            (None, Some(word)) => (a, word, false),
            (Some(word), None) => (b, word, true),
            _ => return None,
        };
        if op == Op::Eq {
            let side = if holds { Side::Equal } else { Side::Hole };
            return Some(Bound { term, side, signed: false, key: word });
        }
        let key = if signed { word ^ sign_bit(width) } else { word };
        let strict = matches!(op, Op::BvUlt | Op::BvSlt) == holds;
        let side = if constant_first == holds { Side::Lower } else { Side::Upper };
        // A strict bound at the end of the range has no solution and no key.
        let key = match (strict, side) {
            (false, _) => key,
            (true, Side::Upper) => key.checked_sub(1)?,
            (true, _) => Some(key + 1).filter(|_| key < mask(width))?,
        };
        Some(Bound { term, side, signed, key })
    }

    /// The key that a word has among the bounds of this signedness.
    pub(crate) fn key_of(&self, terms: &Terms, word: u64) -> u64 {
        if self.signed { word ^ sign_bit(terms.width(self.term)) } else { word }
    }

    /// Whether a word of the term meets the bound.
    pub(crate) fn admits(&self, terms: &Terms, word: u64) -> bool {
        let key = self.key_of(terms, word);
        match self.side {
            Side::Upper => key <= self.key,
            Side::Lower => key >= self.key,
            Side::Equal => key == self.key,
            Side::Hole => key != self.key,
        }
    }
}

/// The mask of the low `width` bits, for widths up to 64.
pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The sign bit of a word of `width` bits.
pub(crate) fn sign_bit(width: u32) -> u64 {
    1 << (width - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use xcute_term::Sort;

    #[test]
    fn admits_exactly_what_the_comparison_says() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(4));
        let signed = |w: u64| (w as i64) << 60;
        for k in 0..16u64 {
            let c = terms.bv(4, k);
            for op in [Op::Eq, Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle] {
                for (args, swapped) in [([x, c], false), ([c, x], true)] {
                    let positive = terms.mk(op, &args);
                    let negative = terms.not(positive);
                    for (t, holds) in [(positive, true), (negative, false)] {
                        let Some(bound) = Bound::of(&terms, t) else { continue };
                        for w in 0..16u64 {
                            let (l, r) = if swapped { (k, w) } else { (w, k) };
                            let truth = match op {
                                Op::Eq => l == r,
                                Op::BvUlt => l < r,
                                Op::BvUle => l <= r,
                                Op::BvSlt => signed(l) < signed(r),
                                _ => signed(l) <= signed(r),
                            };
                            assert_eq!(bound.admits(&terms, w), truth == holds, "{op:?} {l} {r} {holds}");
                        }
                    }
                }
            }
        }
    }
}
