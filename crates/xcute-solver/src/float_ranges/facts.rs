//! What constraints say of floats: literals are collected by unit propagation, and narrow the ranges of what they are about ([`values`]).
//!
//! **Invariant.** Whatever is known holds in every model of the constraints.

mod values;

use rustc_hash::FxHashMap;
use xcute_term::interval::Intervals;
use xcute_term::{CtorId, FloatFormat, Op, Sort, TermId, Terms, Value};

use super::range::Range;
use super::whole::Whole;

/// Deeper terms may have any value.
const DEEPEST: u32 = 200;

/// The knowledge of one conjunction.
#[derive(Default)]
pub(super) struct Facts {
    known: FxHashMap<TermId, bool>,
    ctors: FxHashMap<TermId, CtorId>,
    floats: FxHashMap<TermId, Range>,
    wholes: FxHashMap<TermId, Whole>,
    /// Computed from the rest, which may have grown since.
    memo: FxHashMap<TermId, Range>,
    whole_memo: FxHashMap<TermId, Whole>,
    truth_memo: FxHashMap<TermId, Option<bool>>,
    words: Intervals,
    contradiction: bool,
}

impl Facts {
    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.known.clear();
        self.ctors.clear();
        self.floats.clear();
        self.wholes.clear();
        self.words.clear();
        self.contradiction = false;
        self.renew();
    }

    /// Forgets what was computed from less than what is known now.
    pub(super) fn renew(&mut self) {
        self.memo.clear();
        self.whole_memo.clear();
        self.truth_memo.clear();
    }

    /// Assumes a constraint. Doing so again may say more, after others were assumed.
    pub(super) fn assume(&mut self, terms: &Terms, constraint: TermId) {
        self.words.assume(terms, constraint);
        self.contradiction |= !self.words.is_consistent();
        self.literal(terms, constraint, true, 0);
    }

    /// Whether nothing satisfies what was assumed.
    pub(super) fn contradict(&self) -> bool {
        self.contradiction
    }

    fn literal(&mut self, terms: &Terms, t: TermId, holds: bool, depth: u32) {
        if depth > DEEPEST || self.contradiction {
            return;
        }
        let args = terms.args(t);
        match terms.op(t) {
            Op::Not => return self.literal(terms, args[0], !holds, depth + 1),
            Op::And if holds => return args.iter().for_each(|&arg| self.literal(terms, arg, true, depth + 1)),
            Op::And => return self.one_is_false(terms, args, depth),
            _ => {}
        }
        // What is known is evaluated again: what was found since may contradict it.
        if self.known.get(&t) == Some(&!holds) || self.evaluated(terms, t, 0) == Some(!holds) {
            self.contradiction = true;
            return;
        }
        self.known.insert(t, holds);
        match (terms.op(t), args) {
            (Op::IsCtor(ctor), &[data]) if holds => {
                self.ctors.insert(data, ctor);
            }
            (Op::FpIsNan, &[x]) if holds => self.narrow(terms, x, |any| any.of(f64::NAN)),
            (Op::FpIsNan, &[x]) => self.narrow(terms, x, |any| any.or_nan(false)),
            (Op::FpIsInf, &[x]) if !holds => self.narrow(terms, x, |any| {
                let most = -any.above(f64::NEG_INFINITY);
                any.numbers(-most, most).or_nan(true)
            }),
            (Op::FpIsZero, &[x]) if holds => self.narrow(terms, x, |any| any.of(0.0)),
            (Op::FpIsZero, &[x]) => self.narrow(terms, x, Range::without_zero),
            (Op::FpLt | Op::FpLe | Op::FpEq, &[a, b]) => self.compared(terms, terms.op(t), (a, b), holds),
            (Op::Eq, &[a, b]) if holds => self.same(terms, a, b),
            (Op::Eq, &[a, b]) => self.not_all_ones(terms, a, b),
            (Op::Lt | Op::Le, &[a, b]) if terms.sort(a) == Sort::Int => self.ordered(terms, (a, b), terms.op(t) == Op::Lt, holds),
            _ => {}
        }
    }

    /// Of a conjunction that does not hold: where all other parts hold, one does not.
    fn one_is_false(&mut self, terms: &Terms, args: &[TermId], depth: u32) {
        let mut open = args.iter().filter(|&&arg| self.truth(terms, arg, 0) != Some(true)).copied().collect::<Vec<_>>();
        match (open.pop(), open.is_empty()) {
            (None, _) => self.contradiction = true,
            (Some(only), true) => self.literal(terms, only, false, depth + 1),
            _ => {}
        }
    }

    /// A float is in a range that is made from any value of its format.
    fn narrow(&mut self, terms: &Terms, x: TermId, to: impl Fn(Range) -> Range) {
        let Some(any) = format(terms, x).and_then(Range::any) else { return };
        let range = self.range(terms, x, 0).map_or(to(any), |range| range.and(to(any)));
        self.contradiction |= range.is_empty();
        self.floats.insert(x, range);
        self.memo.insert(x, range);
    }

    fn compared(&mut self, terms: &Terms, op: Op, (a, b): (TermId, TermId), holds: bool) {
        let (Some(x), Some(y)) = (self.range(terms, a, 0), self.range(terms, b, 0)) else { return };
        match (op, holds) {
            (Op::FpEq, true) => {
                self.narrow(terms, a, |any| any.numbers(y.lo, y.hi));
                self.narrow(terms, b, |any| any.numbers(x.lo, x.hi));
            }
            (Op::FpEq, false) => {
                for (here, there) in [(a, y), (b, x)] {
                    if !there.nan && there.lo == 0.0 && there.hi == 0.0 {
                        self.narrow(terms, here, Range::without_zero);
                    }
                }
            }
            (_, true) => self.below(terms, (a, x), (b, y), op == Op::FpLt),
            // Without an order there would be a NaN.
            (_, false) if !x.nan && !y.nan => self.below(terms, (b, y), (a, x), op == Op::FpLe),
            _ => {}
        }
    }

    /// Numbers are in order.
    fn below(&mut self, terms: &Terms, (a, x): (TermId, Range), (b, y): (TermId, Range), strictly: bool) {
        let (hi, lo) = if strictly { (y.below(y.hi), x.above(x.lo)) } else { (y.hi, x.lo) };
        self.narrow(terms, a, |any| any.numbers(f64::NEG_INFINITY, hi));
        self.narrow(terms, b, |any| any.numbers(lo, f64::INFINITY));
    }

    fn same(&mut self, terms: &Terms, a: TermId, b: TermId) {
        for (t, value) in [(a, terms.as_value(b)), (b, terms.as_value(a))] {
            match value {
                Some(Value::Int(n)) => self.bound(terms, t, Whole::only(n.clone())),
                Some(Value::Float(..)) => {
                    if let Some(value) = constant(terms, if t == a { b } else { a }) {
                        self.narrow(terms, t, |any| any.of(value));
                    }
                }
                _ => {}
            }
        }
    }

    /// Bits of which the exponent is not all ones are those of a finite number.
    fn not_all_ones(&mut self, terms: &Terms, a: TermId, b: TermId) {
        for (t, bits) in [(a, terms.as_u64(b)), (b, terms.as_u64(a))] {
            if let Op::Extract(high, low) = terms.op(t)
                && let Some(format) = FloatFormat::of_width(terms.width(terms.args(t)[0]))
                && (high + 2, low + 1) == (format.width(), format.significand())
                && bits == Some((1 << format.exponent()) - 1)
                && let Some(any) = Range::any(format)
            {
                let most = -any.above(f64::NEG_INFINITY);
                self.floats.insert(terms.args(t)[0], any.numbers(-most, most));
            }
        }
    }

    fn ordered(&mut self, terms: &Terms, (a, b): (TermId, TermId), strictly: bool, holds: bool) {
        // What does not come first comes last.
        let ((low, high), strictly) = if holds { ((a, b), strictly) } else { ((b, a), !strictly) };
        let (x, y) = (self.whole(terms, low, 0), self.whole(terms, high, 0));
        self.bound(terms, low, y.down(strictly));
        self.bound(terms, high, x.up(strictly));
    }

    fn bound(&mut self, terms: &Terms, t: TermId, to: Whole) {
        let whole = self.whole(terms, t, 0).and(to);
        self.contradiction |= whole.is_empty();
        self.wholes.insert(t, whole.clone());
        self.whole_memo.insert(t, whole);
    }
}

/// The format of a float; `None` for other sorts.
fn format(terms: &Terms, t: TermId) -> Option<FloatFormat> {
    match terms.sort(t) {
        Sort::Float(format) => Some(format),
        _ => None,
    }
}

/// The value of a constant float.
fn constant(terms: &Terms, t: TermId) -> Option<f64> {
    let word = terms.as_value(t)?.as_u64()?;
    match format(terms, t)? {
        FloatFormat::DOUBLE => Some(f64::from_bits(word)),
        FloatFormat::SINGLE => u32::try_from(word).ok().map(|word| f32::from_bits(word).into()),
        _ => None,
    }
}
