//! Overflows that cannot happen, and random constraints that have a model: those are never refuted.

use xcute_term::eval::Evaluator;
use xcute_term::{FloatFormat, Model, Op, Rounding, Sort, TermId, Terms, Value};

use super::FloatRanges;
use super::range::Range;
use crate::Fallback;
use crate::solver::{Answer, Effort, Query, Solver};

const NEAREST: Rounding = Rounding::NearestEven;

fn refuted(terms: &mut Terms, constraints: &[TermId]) -> bool {
    let (&goal, path) = constraints.split_last().expect("a goal");
    let hint = Model::new();
    matches!(
        FloatRanges::new(Box::new(Fallback::new(Vec::new()))).solve(terms, &Query::new(path, goal, &hint, Effort(1))),
        Answer::Unsat(_)
    )
}

fn double(terms: &mut Terms, x: f64) -> TermId {
    terms.value(Value::from_word(Sort::F64, x.to_bits()))
}

/// The condition that arithmetic gave no number.
fn overflows(terms: &mut Terms, x: TermId) -> TermId {
    let (nan, infinite) = (terms.mk(Op::FpIsNan, &[x]), terms.mk(Op::FpIsInf, &[x]));
    terms.mk(Op::Or, &[nan, infinite])
}

fn finite(terms: &mut Terms, x: TermId) -> TermId {
    let overflows = overflows(terms, x);
    terms.mk(Op::Not, &[overflows])
}

#[test]
fn a_quotient_by_a_difference_does_not_overflow() {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::F64);
    let (one, five) = (double(&mut terms, 1.0), double(&mut terms, 5.0));
    let difference = terms.mk(Op::FpSub(NEAREST), &[x, five]);
    let zero = terms.mk(Op::FpIsZero, &[difference]);
    let not_zero = terms.mk(Op::Not, &[zero]);
    let quotient = terms.mk(Op::FpDiv(NEAREST), &[one, difference]);
    let (number, overflow) = (finite(&mut terms, x), overflows(&mut terms, quotient));
    assert!(refuted(&mut terms, &[number, not_zero, overflow]));
    // Each of them is needed.
    assert!(!refuted(&mut terms, &[number, overflow]));
    assert!(!refuted(&mut terms, &[not_zero, overflow]));
    let quotient = terms.mk(Op::FpDiv(NEAREST), &[one, x]);
    let overflow = overflows(&mut terms, quotient);
    assert!(!refuted(&mut terms, &[number, overflow]));
}

#[test]
fn a_quotient_by_an_integer_does_not_overflow() {
    let mut terms = Terms::new();
    let n = terms.var("n", Sort::Int);
    let bounds = [-(1i64 << 62), 1 << 62].map(|bound| terms.value(Value::Int(bound.into())));
    let within = [terms.mk(Op::Le, &[bounds[0], n]), terms.mk(Op::Lt, &[n, bounds[1]])];
    let word = terms.mk(Op::IntToBv(64), &[n]);
    let float = terms.mk(Op::FpFromSbv(NEAREST, FloatFormat::DOUBLE), &[word]);
    let zero = terms.mk(Op::FpIsZero, &[float]);
    let not_zero = terms.mk(Op::Not, &[zero]);
    let huge = double(&mut terms, 1e300);
    let quotient = terms.mk(Op::FpDiv(NEAREST), &[huge, float]);
    let product = terms.mk(Op::FpMul(NEAREST), &[huge, float]);
    let (of_quotient, of_product) = (overflows(&mut terms, quotient), overflows(&mut terms, product));
    assert!(refuted(&mut terms, &[within[0], within[1], not_zero, of_quotient]));
    assert!(!refuted(&mut terms, &[within[0], within[1], not_zero, of_product]));
    assert!(!refuted(&mut terms, &[within[0], within[1], of_quotient]));
}

/// A double, more often than not a remarkable one.
fn number(random: &mut fastrand::Rng) -> f64 {
    let some =
        [0.0, -0.0, 1.0, -1.0, 5.0, 0.1, 3.5, -2.0, 1e300, -1e-300, f64::MIN_POSITIVE, 5e-324, f64::MAX, f64::INFINITY, f64::NAN, -7e12];
    match random.u8(0..4) {
        0 => f64::from_bits(random.u64(..)),
        1 => f64::from(random.i32(-9..9)) * 0.25,
        _ => some[random.usize(..some.len())],
    }
}

fn term(terms: &mut Terms, random: &mut fastrand::Rng, leaves: &[TermId], depth: u32) -> TermId {
    if depth == 0 || random.u8(0..5) == 0 {
        let value = number(random);
        return if random.bool() { leaves[random.usize(..leaves.len())] } else { double(terms, value) };
    }
    let mut arg = || term(terms, random, leaves, depth - 1);
    let (a, b) = (arg(), arg());
    let single = FloatFormat::SINGLE;
    match random.u8(0..15) {
        0 | 1 => terms.mk(Op::FpAdd(NEAREST), &[a, b]),
        2 | 3 => terms.mk(Op::FpSub(NEAREST), &[a, b]),
        4 | 5 => terms.mk(Op::FpMul(NEAREST), &[a, b]),
        6 | 7 => terms.mk(Op::FpDiv(NEAREST), &[a, b]),
        8 => terms.mk(Op::FpSqrt(NEAREST), &[a]),
        9 => terms.mk(Op::FpAbs, &[a]),
        10 => terms.mk(Op::FpFmod, &[a, b]),
        11 => terms.mk(Op::FpRound(Rounding::Zero), &[a]),
        12 => {
            let (x, y) = (terms.mk(Op::FpToFp(NEAREST, single), &[a]), terms.mk(Op::FpToFp(NEAREST, single), &[b]));
            let op = [Op::FpAdd(NEAREST), Op::FpMul(NEAREST), Op::FpDiv(NEAREST)][random.usize(..3)];
            let result = terms.mk(op, &[x, y]);
            terms.mk(Op::FpToFp(NEAREST, FloatFormat::DOUBLE), &[result])
        }
        13 => terms.mk(if random.bool() { Op::FpMin } else { Op::FpMax }, &[a, b]),
        _ => {
            let less = terms.mk(Op::FpLt, &[a, b]);
            terms.mk(Op::Ite, &[less, a, b])
        }
    }
}

/// Conditions on random terms that hold for random values: no set of them is contradictory.
#[test]
fn what_has_a_model_is_not_refuted() {
    let (mut random, mut narrowed) = (fastrand::Rng::with_seed(7), 0);
    for round in 0..4000 {
        let mut terms = Terms::new();
        let (x, y, n) = (terms.var("x", Sort::F64), terms.var("y", Sort::F64), terms.var("n", Sort::BitVec(16)));
        let whole = terms.mk(Op::FpFromSbv(NEAREST, FloatFormat::DOUBLE), &[n]);
        let mut model = Model::new();
        for (name, sort, word) in [
            ("x", Sort::F64, number(&mut random).to_bits()),
            ("y", Sort::F64, number(&mut random).to_bits()),
            ("n", Sort::BitVec(16), random.u64(0..1 << 16)),
        ] {
            model.set(terms.find_var(name).expect("it was made"), Value::from_word(sort, word));
        }
        let mut eval = Evaluator::new();
        eval.load(&model);
        let constraints: Vec<TermId> = (0..random.usize(1..6))
            .map(|_| {
                let (a, b) = (term(&mut terms, &mut random, &[x, y, whole], 3), term(&mut terms, &mut random, &[x, y, whole], 2));
                let condition = match random.u8(0..6) {
                    0 => terms.mk(Op::FpIsNan, &[a]),
                    1 => terms.mk(Op::FpIsInf, &[a]),
                    2 => terms.mk(Op::FpIsZero, &[a]),
                    3 => terms.mk(Op::FpLt, &[a, b]),
                    4 => terms.mk(Op::FpEq, &[a, b]),
                    _ => terms.mk(Op::FpLe, &[a, b]),
                };
                if eval.eval_bool(&terms, condition) { condition } else { terms.mk(Op::Not, &[condition]) }
            })
            .collect();
        assert!(
            !refuted(&mut terms, &constraints),
            "round {round}: {:?}",
            constraints.iter().map(|&t| xcute_term::print::human(&terms, t)).collect::<Vec<_>>()
        );
        // The same with the last one negated is often refuted, so this test looks at something.
        let (&last, others) = constraints.split_last().expect("at least one");
        let not = terms.mk(Op::Not, &[last]);
        narrowed += u32::from(refuted(&mut terms, &[others, &[not]].concat()));
    }
    assert!(narrowed > 200, "{narrowed}");
}

/// The result of an operation on values of two ranges is in the range of the results.
#[test]
fn ranges_have_every_result() {
    let mut random = fastrand::Rng::with_seed(11);
    for _ in 0..200_000 {
        let any = Range::any(FloatFormat::DOUBLE).expect("double precision");
        let mut pick = || {
            let (a, b) = (number(&mut random), number(&mut random));
            let range = if random.bool() { any.of(a).or(any.of(b)) } else { any.of(a) };
            (range, a)
        };
        let ((x, a), (y, b)) = (pick(), pick());
        for (range, value) in [
            (x.sum(y), a + b),
            (x.sum(y.negated()), a - b),
            (x.product(y), a * b),
            (x.quotient(y), a / b),
            (x.remainder(y), a % b),
            (x.root(), a.sqrt()),
            (x.magnitude(), a.abs()),
            (x.whole(), a.trunc()),
        ] {
            assert!(!range.and(any.of(value)).is_empty(), "{x:?} {y:?}: {value} is not in {range:?}");
        }
    }
}
