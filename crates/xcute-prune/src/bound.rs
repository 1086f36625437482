//! Bounds: literals that compare a term with a constant.
//!
//! The arena writes them as `x < k`, `k <= x`, `x = k` and `not (x = k)`, signed or unsigned, of at most 64 bits here.
//!
//! **Invariant.** A bound and its literal are equivalent; a bound that is true or false of all values is not a bound but a constant.

use xcute_term::{Op, Sort, TermId, Terms};

/// Which order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Order {
    pub(crate) signed: bool,
    pub(crate) width: u32,
}

impl Order {
    /// The smallest and the largest value.
    pub(crate) fn limits(self) -> (i128, i128) {
        if self.signed { (-(1 << (self.width - 1)), (1 << (self.width - 1)) - 1) } else { (0, (1 << self.width) - 1) }
    }

    /// The number that a word stands for.
    pub(crate) fn number(self, word: u64) -> i128 {
        let value = i128::from(word);
        if self.signed && value >> (self.width - 1) & 1 == 1 { value - (1 << self.width) } else { value }
    }

    /// The constant of a number.
    fn constant(self, terms: &mut Terms, number: i128) -> TermId {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the low bits are meant")]
        terms.bv(self.width, number as u64)
    }
}

/// `low <= x <= high` in an order, where one side is the end of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bound {
    pub(crate) term: TermId,
    pub(crate) order: Order,
    pub(crate) low: i128,
    pub(crate) high: i128,
}

impl Bound {
    /// The bound that a literal is.
    pub(crate) fn of(terms: &Terms, literal: TermId) -> Option<Bound> {
        let (op, &[a, b]) = (terms.op(literal), terms.args(literal)) else { return None };
        let signed = match op {
            Op::BvSlt | Op::BvSle => true,
            Op::BvUlt | Op::BvUle => false,
            _ => return None,
        };
        let strict = i128::from(matches!(op, Op::BvSlt | Op::BvUlt));
        let order = Order { signed, width: terms.width(a) };
        if order.width > 64 {
            return None;
        }
        let (first, last) = order.limits();
        match (terms.as_u64(a), terms.as_u64(b)) {
            (None, Some(k)) => Some(Bound { term: a, order, low: first, high: order.number(k) - strict }),
            (Some(k), None) => Some(Bound { term: b, order, low: order.number(k) + strict, high: last }),
            _ => None,
        }
    }

    /// The bound that a literal is, where it says that a term is not the first or the last of an order: so the arena writes `x < last`.
    pub(crate) fn of_any(terms: &Terms, literal: TermId) -> Option<Bound> {
        let Some((term, word)) = unequal(terms, literal) else { return Bound::of(terms, literal) };
        [true, false].into_iter().find_map(|signed| {
            let order = Order { signed, width: terms.width(term) };
            let ((first, last), number) = (order.limits(), order.number(word));
            match number {
                _ if number == last => Some(Bound { term, order, low: first, high: last - 1 }),
                _ if number == first => Some(Bound { term, order, low: first + 1, high: last }),
                _ => None,
            }
        })
    }

    /// Whether the range excludes the word of a term of this bound.
    pub(crate) fn excludes(self, word: u64) -> bool {
        let number = self.order.number(word);
        number < self.low || number > self.high
    }

    /// Whether it bounds from above.
    pub(crate) fn is_upper(self) -> bool {
        self.low == self.order.limits().0
    }

    /// The literals of a range, true and false included.
    pub(crate) fn literals(self, terms: &mut Terms) -> Vec<TermId> {
        let (first, last) = self.order.limits();
        if self.low > self.high || self.low > last || self.high < first {
            return vec![terms.bool(false)];
        }
        let op = if self.order.signed { Op::BvSle } else { Op::BvUle };
        let mut literals = Vec::new();
        if self.low > first {
            let k = self.order.constant(terms, self.low);
            literals.push(terms.mk(op, &[k, self.term]));
        }
        if self.high < last {
            let k = self.order.constant(terms, self.high);
            literals.push(terms.mk(op, &[self.term, k]));
        }
        literals
    }

    /// The same, where a single value is an equation.
    pub(crate) fn equation_or_literals(self, terms: &mut Terms) -> Vec<TermId> {
        if self.low != self.high {
            return self.literals(terms);
        }
        let value = self.order.constant(terms, self.low);
        vec![terms.mk(Op::Eq, &[self.term, value])]
    }

    /// The range of `x` within which `x + k` does not wrap around and this bound holds of it, where the term is `x + k`.
    pub(crate) fn without_wrap(self, terms: &Terms) -> Option<Bound> {
        let &[x, k] = terms.args(self.term) else { return None };
        if terms.op(self.term) != Op::BvAdd {
            return None;
        }
        let k = self.order.number(terms.as_u64(k)?);
        let (first, last) = self.order.limits();
        let range =
            |added: i128| Bound { term: x, order: self.order, low: (self.low - added).max(first), high: (self.high - added).min(last) };
        if self.order.signed {
            return Some(range(k));
        }
        // Unsigned, a large constant is the subtraction of a small one.
        Some(range(if k > last / 2 { k - last - 1 } else { k }))
    }
}

/// The term and the word of `not (x = k)`, of at most 64 bits.
pub(crate) fn unequal(terms: &Terms, literal: TermId) -> Option<(TermId, u64)> {
    let (Op::Not, &[equation]) = (terms.op(literal), terms.args(literal)) else { return None };
    let (Op::Eq, &[x, k]) = (terms.op(equation), terms.args(equation)) else { return None };
    matches!(terms.sort(x), Sort::BitVec(1..=64)).then(|| terms.as_u64(k)).flatten().map(|word| (x, word))
}

#[cfg(test)]
mod tests {
    use xcute_term::eval::Evaluator;

    use super::*;

    /// All literals over `x` and `x + k` of four bits.
    fn literals(terms: &mut Terms) -> Vec<(TermId, TermId)> {
        let x = terms.var("x", Sort::BitVec(4));
        let mut all = Vec::new();
        for k in 0..16 {
            let k = terms.bv(4, k);
            let sum = terms.mk(Op::BvAdd, &[x, k]);
            for c in 0..16 {
                let c = terms.bv(4, c);
                for op in [Op::BvSlt, Op::BvSle, Op::BvUlt, Op::BvUle, Op::Eq] {
                    for args in [[sum, c], [c, sum]] {
                        let literal = terms.mk(op, &args);
                        all.extend([(x, literal), (x, terms.not(literal))]);
                    }
                }
            }
        }
        all
    }

    #[test]
    fn a_bound_is_its_literal_and_without_wrap_it_is_stronger() {
        let mut terms = Terms::new();
        let (mut bounds, mut sums) = (0, 0);
        for (x, literal) in literals(&mut terms) {
            let Some(bound) = Bound::of_any(&terms, literal) else { continue };
            bounds += 1;
            let same = bound.literals(&mut terms);
            let stronger = bound.without_wrap(&terms).map(|range| range.literals(&mut terms));
            sums += u32::from(stronger.is_some());
            for value in 0..16 {
                let mut eval = Evaluator::new();
                eval.set_word(terms.vars(x).first().expect("a variable"), value);
                let truth = eval.eval_bool(&terms, literal);
                assert_eq!(same.iter().all(|&part| eval.eval_bool(&terms, part)), truth);
                if let Some(stronger) = &stronger {
                    assert!(truth || !stronger.iter().all(|&part| eval.eval_bool(&terms, part)));
                }
            }
        }
        assert!(bounds > 500 && sums > 500, "{bounds} bounds, {sums} of sums");
    }
}
