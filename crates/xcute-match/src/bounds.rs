//! Intervals of integer terms: what the decisions of a run say about each, as far as a comparison is about one term alone.
//!
//! **Invariant.** Every input that takes the decisions so far has the term in its interval.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, Zero};
use rustc_hash::FxHashMap;
use xcute_term::{Op, Sort, TermId, Terms, Value};

/// Lower and upper bound, where there are any.
pub type Interval = (Option<BigInt>, Option<BigInt>);

/// Sums with more parts than this are not looked at.
const LARGEST: usize = 64;

/// Quotients inside of quotients are looked at so deep.
const DEEPEST: u32 = 4;

/// Intervals of terms that are not sums.
#[derive(Debug, Default)]
pub(crate) struct Bounds {
    of: FxHashMap<TermId, Interval>,
    /// Single numbers that terms are not.
    without: FxHashMap<TermId, Vec<BigInt>>,
}

/// A sum of terms with factors, and a constant.
struct Sum {
    terms: Vec<(BigInt, TermId)>,
    constant: BigInt,
}

/// `a - b` as a sum; `None` if they are not integers, or it is too large.
fn difference(terms: &Terms, a: TermId, b: TermId) -> Option<Sum> {
    sum_of(terms, vec![(BigInt::from(1), a), (BigInt::from(-1), b)])
}

fn sum_of(terms: &Terms, mut pending: Vec<(BigInt, TermId)>) -> Option<Sum> {
    if pending.iter().any(|&(_, term)| terms.sort(term) != Sort::Int) {
        return None;
    }
    let mut sum = Sum { terms: Vec::new(), constant: BigInt::zero() };
    let mut seen = 0;
    while let Some((factor, term)) = pending.pop() {
        seen += 1;
        if seen > LARGEST {
            return None;
        }
        if let Some(Value::Int(value)) = terms.as_value(term) {
            sum.constant += factor * value;
            continue;
        }
        match (terms.op(term), terms.args(term)) {
            (Op::Add, args) => pending.extend(args.iter().map(|&arg| (factor.clone(), arg))),
            (Op::Sub, &[a, b]) => pending.extend([(factor.clone(), a), (-factor, b)]),
            (Op::Neg, &[a]) => pending.push((-factor, a)),
            (Op::Mul, &[a, b]) => match (terms.as_value(a), terms.as_value(b)) {
                (Some(Value::Int(value)), _) => pending.push((factor * value, b)),
                (_, Some(Value::Int(value))) => pending.push((factor * value, a)),
                _ => sum.add(factor, term),
            },
            _ => sum.add(factor, term),
        }
    }
    sum.terms.retain(|(factor, _)| !factor.is_zero());
    Some(sum)
}

impl Sum {
    fn add(&mut self, factor: BigInt, term: TermId) {
        match self.terms.iter_mut().find(|(_, known)| *known == term) {
            Some((known, _)) => *known += factor,
            None => self.terms.push((factor, term)),
        }
    }
}

impl Bounds {
    /// The interval of a term.
    pub(crate) fn interval(&self, terms: &Terms, term: TermId) -> Interval {
        sum_of(terms, vec![(BigInt::from(1), term)]).map_or((None, None), |sum| self.range(terms, &sum, DEEPEST))
    }

    /// The interval of a term that is not a sum: what was learnt of it, and what follows for a quotient.
    fn part(&self, terms: &Terms, term: TermId, depth: u32) -> Interval {
        let (mut low, mut high) = self.of.get(&term).cloned().unwrap_or((None, None));
        if let (Op::IntDiv, &[a, by], true) = (terms.op(term), terms.args(term), depth > 0)
            && let Some(Value::Int(by)) = terms.as_value(by)
            && by.is_positive()
            && let Some(sum) = sum_of(terms, vec![(BigInt::from(1), a)])
        {
            let (least, most) = self.range(terms, &sum, depth - 1);
            let (least, most) = (least.map(|least| least.div_floor(by)), most.map(|most| most.div_floor(by)));
            low = low.into_iter().chain(least).max();
            high = high.into_iter().chain(most).min();
        }
        (low, high)
    }

    fn range(&self, terms: &Terms, sum: &Sum, depth: u32) -> Interval {
        let (mut low, mut high) = (Some(sum.constant.clone()), Some(sum.constant.clone()));
        for (factor, term) in &sum.terms {
            let (least, most) = self.part(terms, *term, depth);
            let (least, most) = if factor.is_negative() { (most, least) } else { (least, most) };
            low = low.zip(least).map(|(low, least)| low + factor * least);
            high = high.zip(most).map(|(high, most)| high + factor * most);
        }
        (low, high)
    }

    /// Whether a comparison of integers holds, if the intervals tell.
    pub(crate) fn holds(&self, terms: &Terms, op: Op, a: TermId, b: TermId) -> Option<bool> {
        if self.of.is_empty() && self.without.is_empty() {
            return None;
        }
        let sum = difference(terms, a, b)?;
        let (low, high) = self.range(terms, &sum, DEEPEST);
        let zero = BigInt::zero();
        match op {
            Op::Le if high.as_ref().is_some_and(|high| *high <= zero) => Some(true),
            Op::Le if low.as_ref().is_some_and(|low| *low > zero) => Some(false),
            Op::Lt if high.as_ref().is_some_and(|high| *high < zero) => Some(true),
            Op::Lt if low.as_ref().is_some_and(|low| *low >= zero) => Some(false),
            Op::Eq if low.as_ref().is_some_and(|low| *low > zero) || high.as_ref().is_some_and(|high| *high < zero) => Some(false),
            Op::Eq if low.as_ref() == Some(&zero) && high.as_ref() == Some(&zero) => Some(true),
            Op::Eq if self.left_out(&sum) => Some(false),
            _ => None,
        }
    }

    fn left_out(&self, sum: &Sum) -> bool {
        let [(factor, term)] = &sum.terms[..] else { return false };
        let value = -&sum.constant;
        !value.is_multiple_of(factor) || self.without.get(term).is_some_and(|without| without.contains(&(value / factor)))
    }

    /// Takes note of a comparison of integers.
    pub(crate) fn learn(&mut self, terms: &Terms, op: Op, a: TermId, b: TermId, holds: bool) {
        let Some(mut sum) = difference(terms, a, b) else { return };
        let ([(factor, term)], true) = (&sum.terms[..], matches!(op, Op::Le | Op::Lt | Op::Eq)) else { return };
        let (factor, term) = (factor.clone(), *term);
        match (op, holds) {
            // factor·x + constant = 0.
            (Op::Eq, true) => {
                if sum.constant.is_multiple_of(&factor) {
                    let value = -&sum.constant / &factor;
                    self.narrow(term, Some(value.clone()), Some(value));
                }
            }
            (Op::Eq, false) => {
                if sum.constant.is_multiple_of(&factor) {
                    self.without.entry(term).or_default().push(-&sum.constant / &factor);
                    self.narrow(term, None, None);
                }
            }
            _ => {
                // factor·x + constant ≤ 0, or its negation.
                let mut factor = factor;
                if op == Op::Lt {
                    sum.constant += 1;
                }
                if !holds {
                    factor = -factor;
                    sum.constant = 1 - &sum.constant;
                }
                let most = -&sum.constant;
                if factor.is_positive() {
                    self.narrow(term, None, Some(most.div_floor(&factor)));
                } else {
                    self.narrow(term, Some(-most.div_floor(&-factor)), None);
                }
            }
        }
    }

    fn narrow(&mut self, term: TermId, low: Option<BigInt>, high: Option<BigInt>) {
        let (known_low, known_high) = self.of.entry(term).or_insert((None, None));
        if let Some(low) = low {
            *known_low = Some(known_low.take().map_or(low.clone(), |known| known.max(low)));
        }
        if let Some(high) = high {
            *known_high = Some(known_high.take().map_or(high.clone(), |known| known.min(high)));
        }
        let Some(without) = self.without.get(&term) else { return };
        while let Some(low) = known_low.as_mut()
            && without.contains(low)
        {
            *low += 1;
        }
        while let Some(high) = known_high.as_mut()
            && without.contains(high)
        {
            *high -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(terms: &mut Terms, value: i64) -> TermId {
        terms.value(Value::Int(value.into()))
    }

    #[test]
    fn comparisons_of_one_term_bound_it() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::Int);
        let [zero, three, ten] = [0, 3, 10].map(|value| number(&mut terms, value));
        let scaled = terms.mk(Op::Mul, &[three, x]);
        let sum = terms.mk(Op::Add, &[scaled, ten]);
        let mut bounds = Bounds::default();
        // 0 ≤ 3x + 10, so -3 ≤ x; not 10 ≤ x, so x ≤ 9; x is neither -3 nor -2.
        bounds.learn(&terms, Op::Le, zero, sum, true);
        bounds.learn(&terms, Op::Le, ten, x, false);
        for value in [-2, -3] {
            let value = number(&mut terms, value);
            bounds.learn(&terms, Op::Eq, x, value, false);
        }
        let of = |value: i64| Some(BigInt::from(value));
        assert_eq!(bounds.interval(&terms, x), (of(-1), of(9)));
        assert_eq!(bounds.interval(&terms, sum), (of(7), of(37)));
        assert_eq!(bounds.holds(&terms, Op::Lt, x, ten), Some(true));
        assert_eq!(bounds.holds(&terms, Op::Eq, x, ten), Some(false));
        assert_eq!(bounds.holds(&terms, Op::Eq, scaled, ten), Some(false), "ten is not a multiple of three");
        assert_eq!(bounds.holds(&terms, Op::Le, x, three), None);
        let y = terms.var("y", Sort::Int);
        assert_eq!(bounds.interval(&terms, y), (None, None));
    }

    /// Whatever comparisons are learnt of a number, the intervals contain it, and what they tell of it is so.
    #[test]
    fn intervals_contain_the_number() {
        let mut random = 7u64;
        let mut next = |below: i64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            i64::try_from(random >> 33).expect("31 bits") % below
        };
        for _ in 0..500 {
            let mut terms = Terms::new();
            let x = terms.var("x", Sort::Int);
            let value = next(21) - 10;
            let mut bounds = Bounds::default();
            for _ in 0..6 {
                let (factor, constant, other) = (next(7) - 3, next(11) - 5, next(31) - 15);
                let [f, c, b] = [factor, constant, other].map(|value| number(&mut terms, value));
                let product = terms.mk(Op::Mul, &[f, x]);
                let a = terms.mk(Op::Add, &[product, c]);
                let (op, holds) = match next(3) {
                    0 => (Op::Le, factor * value + constant <= other),
                    1 => (Op::Lt, factor * value + constant < other),
                    _ => (Op::Eq, factor * value + constant == other),
                };
                if let Some(told) = bounds.holds(&terms, op, a, b) {
                    assert_eq!(told, holds);
                }
                bounds.learn(&terms, op, a, b, holds);
                let (low, high) = bounds.interval(&terms, x);
                assert!(low.is_none_or(|low| low <= value.into()) && high.is_none_or(|high| high >= value.into()));
            }
        }
    }
}
