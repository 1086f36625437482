//! The values that terms may have, computed from the leaves up and from what is known of each.

use num_traits::{One, ToPrimitive, Zero};
use xcute_term::{Op, Rounding, Sort, TermId, Terms, Value};

use super::{DEEPEST, Facts, constant, format};
use crate::float_ranges::range::Range;
use crate::float_ranges::whole::Whole;

impl Facts {
    /// Whether a condition holds; `None` where that is not known.
    pub(super) fn truth(&mut self, terms: &Terms, t: TermId, depth: u32) -> Option<bool> {
        if let Some(&known) = self.known.get(&t) {
            return Some(known);
        }
        if depth > DEEPEST {
            return None;
        }
        if let Some(&truth) = self.truth_memo.get(&t) {
            return truth;
        }
        let truth = self.evaluated(terms, t, depth);
        self.truth_memo.insert(t, truth);
        truth
    }

    /// The same, without what is known of the condition itself.
    pub(super) fn evaluated(&mut self, terms: &Terms, t: TermId, depth: u32) -> Option<bool> {
        match (terms.op(t), terms.args(t)) {
            (Op::Const(_), _) => terms.as_value(t)?.as_bool(),
            (Op::Not, &[a]) => self.truth(terms, a, depth + 1).map(|holds| !holds),
            (Op::And, args) => {
                let truths: Vec<_> = args.iter().map(|&arg| self.truth(terms, arg, depth + 1)).collect();
                let all = truths.iter().all(|&truth| truth == Some(true));
                if truths.contains(&Some(false)) { Some(false) } else { all.then_some(true) }
            }
            (Op::IsCtor(ctor), [data]) => self.ctors.get(data).map(|&known| known == ctor),
            (Op::FpIsNan, &[x]) => {
                let x = self.range(terms, x, depth + 1)?;
                if x.nan { (!x.has_numbers()).then_some(true) } else { Some(false) }
            }
            (Op::FpIsInf, &[x]) => (!self.range(terms, x, depth + 1)?.infinite()).then_some(false),
            (Op::FpIsZero, &[x]) => (!self.range(terms, x, depth + 1)?.zero).then_some(false),
            (op @ (Op::FpLt | Op::FpLe | Op::FpEq), &[a, b]) => {
                let (x, y) = (self.range(terms, a, depth + 1)?, self.range(terms, b, depth + 1)?);
                ordered(op, x, y)
            }
            (op @ (Op::Lt | Op::Le), &[a, b]) if terms.sort(a) == Sort::Int => {
                let (x, y) = (self.whole(terms, a, depth + 1), self.whole(terms, b, depth + 1));
                x.is_below(&y, op == Op::Lt)
            }
            _ => None,
        }
    }

    /// The values that a float may have; `None` where its format is another.
    pub(super) fn range(&mut self, terms: &Terms, t: TermId, depth: u32) -> Option<Range> {
        let any = Range::any(format(terms, t)?)?;
        if let Some(&range) = self.memo.get(&t) {
            return Some(range);
        }
        if depth > DEEPEST {
            return Some(self.floats.get(&t).map_or(any, |&assumed| assumed.and(any)));
        }
        let computed = self.computed(terms, t, any, depth + 1).unwrap_or(any);
        let range = self.floats.get(&t).map_or(computed, |&assumed| assumed.and(computed));
        self.memo.insert(t, range);
        Some(range)
    }

    fn computed(&mut self, terms: &Terms, t: TermId, any: Range, depth: u32) -> Option<Range> {
        let args = terms.args(t);
        let mut arg = |at: usize| self.range(terms, args[at], depth);
        Some(match terms.op(t) {
            Op::Const(_) => any.of(constant(terms, t)?),
            Op::FpFromBits(_) => *self.floats.get(&args[0])?,
            Op::FpAdd(Rounding::NearestEven) => arg(0)?.sum(arg(1)?),
            Op::FpSub(Rounding::NearestEven) => arg(0)?.sum(arg(1)?.negated()),
            Op::FpMul(Rounding::NearestEven) => arg(0)?.product(arg(1)?),
            Op::FpDiv(Rounding::NearestEven) => arg(0)?.quotient(arg(1)?),
            Op::FpRem | Op::FpFmod => arg(0)?.remainder(arg(1)?),
            Op::FpSqrt(Rounding::NearestEven) => arg(0)?.root(),
            Op::FpRound(_) => arg(0)?.whole(),
            Op::FpNeg => arg(0)?.negated(),
            Op::FpAbs => arg(0)?.magnitude(),
            Op::FpMin | Op::FpMax => {
                let (a, b) = (arg(0)?, arg(1)?);
                a.or(b).or_nan(a.nan && b.nan)
            }
            Op::FpToFp(Rounding::NearestEven, format) => arg(0)?.rounded(format)?,
            Op::FpFromSbv(Rounding::NearestEven, _) => {
                let (lo, hi) = self.signed(terms, args[0], depth)?;
                any.integers(nearest(any, lo), nearest(any, hi))
            }
            Op::FpFromUbv(Rounding::NearestEven, _) => {
                let range = self.words.range(terms, args[0])?;
                any.integers(nearest(any, range.lo.into()), nearest(any, range.hi.into()))
            }
            Op::Ite => match self.truth(terms, args[0], depth) {
                Some(true) => self.range(terms, args[1], depth)?,
                Some(false) => self.range(terms, args[2], depth)?,
                None => self.range(terms, args[1], depth)?.or(self.range(terms, args[2], depth)?),
            },
            _ => return None,
        })
    }

    /// The least and the greatest value of a word with a sign.
    fn signed(&mut self, terms: &Terms, t: TermId, depth: u32) -> Option<(i128, i128)> {
        if let Op::IntToBv(width @ 1..=64) = terms.op(t)
            && let Some((lo, hi)) = self.whole(terms, terms.args(t)[0], depth).ends()
            && let half = 1i128 << (width - 1)
            && let (Some(lo), Some(hi)) = (lo.to_i128(), hi.to_i128())
            && -half <= lo
            && hi < half
        {
            return Some((lo, hi));
        }
        self.words.signed_range(terms, t).map(|range| (range.lo.into(), range.hi.into()))
    }

    /// The values that an integer may have.
    pub(super) fn whole(&mut self, terms: &Terms, t: TermId, depth: u32) -> Whole {
        if let Some(whole) = self.whole_memo.get(&t) {
            return whole.clone();
        }
        let assumed = self.wholes.get(&t).cloned().unwrap_or_default();
        if depth > DEEPEST {
            return assumed;
        }
        let args = terms.args(t);
        let mut arg = |at: usize| self.whole(terms, args[at], depth + 1);
        let computed = match terms.op(t) {
            Op::Const(_) => match terms.as_value(t) {
                Some(Value::Int(n)) => Whole::only(n.clone()),
                _ => Whole::default(),
            },
            Op::Add => (1..args.len()).fold(arg(0), |sum, at| sum.plus(&arg(at))),
            Op::Sub if args.len() == 2 => arg(0).plus(&arg(1).negated()),
            Op::Neg => arg(0).negated(),
            Op::BvToNat => match self.words.range(terms, args[0]) {
                Some(range) => Whole::between(range.lo.into(), range.hi.into()),
                None => Whole::default(),
            },
            Op::BvToInt => match self.words.signed_range(terms, args[0]) {
                Some(range) => Whole::between(range.lo.into(), range.hi.into()),
                None => Whole::default(),
            },
            Op::StrLen => Whole::from(Zero::zero()),
            Op::IntMod => match terms.as_value(args[1]) {
                Some(Value::Int(n)) if n >= &One::one() => Whole::between(Zero::zero(), n - 1),
                _ => Whole::default(),
            },
            _ => Whole::default(),
        };
        let whole = assumed.and(computed);
        self.whole_memo.insert(t, whole.clone());
        whole
    }
}

/// What ranges say of a comparison.
fn ordered(op: Op, x: Range, y: Range) -> Option<bool> {
    let numbers = x.has_numbers() && y.has_numbers();
    let (never, always) = match op {
        Op::FpLt => (!numbers || x.lo >= y.hi, x.hi < y.lo),
        Op::FpLe => (!numbers || x.lo > y.hi, x.hi <= y.lo),
        _ => (!numbers || x.lo > y.hi || x.hi < y.lo, x.lo == x.hi && y.lo == y.hi && x.lo == y.lo),
    };
    if never { Some(false) } else { (always && !x.nan && !y.nan).then_some(true) }
}

/// An integer rounded to the nearest float of a format.
#[allow(clippy::cast_precision_loss, reason = "this is the rounding")]
fn nearest(any: Range, n: i128) -> f64 {
    if any.is_single() { f64::from(n as f32) } else { n as f64 }
}
