//! Every float operator against evaluation, in small formats at random points and corners, and in C's formats.

use fastrand::Rng;
use xcute_solver::{Answer, Effort, Query, Solver, Why};
use xcute_solver_bits::BitBlaster;
use xcute_term::eval::Evaluator;
use xcute_term::{FloatFormat, Model, Op, Rounding, Sort, TermId, Terms, Value};

const ROUNDINGS: [Rounding; 5] = [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

/// With the inputs fixed bit by bit, the term has the bits that evaluation says and no others.
fn check_point(solver: &mut BitBlaster, terms: &mut Terms, t: TermId, inputs: &[TermId], words: &[u64]) {
    let mut hint = Model::new();
    let mut path = Vec::new();
    for (&input, &word) in inputs.iter().zip(words) {
        hint.set_word(terms.vars(input).first().expect("a variable"), word);
        let bits = if matches!(terms.sort(input), Sort::Float(..)) { terms.mk(Op::FpToBits, &[input]) } else { input };
        let value = terms.bv(terms.width(input), word);
        path.push(terms.mk(Op::Eq, &[bits, value]));
    }
    let mut evaluator = Evaluator::new();
    evaluator.load(&hint);
    let expected = evaluator.eval(terms, t);
    let bits = if matches!(terms.sort(t), Sort::Float(..)) { terms.mk(Op::FpToBits, &[t]) } else { t };
    let value = match &expected {
        Value::Float(_, bits) => Value::Bits(bits.clone()),
        other => other.clone(),
    };
    let value = terms.value(value);
    let same = terms.mk(Op::Eq, &[bits, value]);
    let goal = terms.not(same);
    let answer = solver.solve(terms, &Query::new(&path, goal, &hint, Effort(1000)));
    assert!(matches!(answer, Answer::Unsat(_)), "{:?} of {words:x?} is {expected:x?}, but {answer:?}", terms.op(t));
}

/// Random words, and often ones with an extreme exponent or fraction.
fn interesting(random: &mut Rng, sort: Sort) -> u64 {
    let width = sort.width().expect("words");
    let any = random.u64(..) >> (64 - width);
    let Sort::Float(format) = sort else { return any };
    let fraction = (1u64 << (format.significand() - 1)) - 1;
    match random.u8(..8) {
        0 => any & !fraction,
        1 => any | fraction,
        2 => any & fraction,
        3 => any & (1 << (width - 1)),
        4 => any | (((1u64 << (width - 1)) - 1) & !fraction),
        _ => any,
    }
}

fn check_operators(formats: &[(u8, u8)], integers: &[u32], points: usize, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let (mut terms, mut solver) = (Terms::new(), BitBlaster::new());
    for &(e, s) in formats {
        let format = FloatFormat::new(e, s);
        let sort = Sort::Float(format);
        let x = terms.var(&format!("x{e}_{s}"), sort);
        let y = terms.var(&format!("y{e}_{s}"), sort);
        let mut cases: Vec<(TermId, Vec<TermId>)> = Vec::new();
        for rounding in ROUNDINGS {
            for op in [Op::FpAdd(rounding), Op::FpSub(rounding), Op::FpMul(rounding), Op::FpDiv(rounding)] {
                cases.push((terms.mk(op, &[x, y]), vec![x, y]));
            }
            for op in [Op::FpSqrt(rounding), Op::FpRound(rounding)] {
                cases.push((terms.mk(op, &[x]), vec![x]));
            }
            for &(e2, s2) in formats {
                cases.push((terms.mk(Op::FpToFp(rounding, FloatFormat::new(e2, s2)), &[x]), vec![x]));
            }
            for &width in integers {
                let n = terms.var(&format!("n{width}"), Sort::BitVec(width));
                for op in [Op::FpToSbv(rounding, width), Op::FpToUbv(rounding, width)] {
                    cases.push((terms.mk(op, &[x]), vec![x]));
                }
                for op in [Op::FpFromSbv(rounding, format), Op::FpFromUbv(rounding, format)] {
                    cases.push((terms.mk(op, &[n]), vec![n]));
                }
            }
        }
        for op in [Op::FpMin, Op::FpMax, Op::FpEq, Op::FpLt, Op::FpLe, Op::Eq] {
            cases.push((terms.mk(op, &[x, y]), vec![x, y]));
        }
        for op in [Op::FpNeg, Op::FpAbs, Op::FpIsNan, Op::FpIsInf, Op::FpIsZero] {
            cases.push((terms.mk(op, &[x]), vec![x]));
        }
        for (t, inputs) in cases {
            for _ in 0..points {
                let words: Vec<u64> = inputs.iter().map(|&input| interesting(&mut random, terms.sort(input))).collect();
                check_point(&mut solver, &mut terms, t, &inputs, &words);
            }
        }
    }
}

#[test]
fn tiny_formats() {
    check_operators(&[(2, 3), (3, 4), (4, 3), (3, 7)], &[1, 3, 8], 150, 1);
}

#[test]
fn formats_of_c() {
    check_operators(&[(8, 24), (11, 53)], &[8, 32, 64], 12, 2);
}

fn double(terms: &mut Terms, x: f64) -> TermId {
    terms.value(Value::from_word(Sort::F64, x.to_bits()))
}

#[test]
fn equations_are_solved() {
    let (mut terms, mut solver) = (Terms::new(), BitBlaster::new());
    let x = terms.var("x", Sort::F64);
    let y = terms.var("y", Sort::F64);
    let (third, limit, sum) = (double(&mut terms, 1.0 / 3.0), double(&mut terms, 100.0), double(&mut terms, 12.75));
    let total = terms.mk(Op::FpAdd(Rounding::NearestEven), &[x, y]);
    let constraints =
        [terms.mk(Op::FpLt, &[third, x]), terms.mk(Op::FpLt, &[x, y]), terms.mk(Op::FpLt, &[y, limit]), terms.mk(Op::FpEq, &[total, sum])];
    let (goal, path) = constraints.split_last().expect("a goal");
    let mut ask = |path: &[TermId], goal| solver.solve(&mut terms, &Query::new(path, goal, &Model::new(), Effort(100_000)));
    let Answer::Sat(model) = ask(path, *goal) else { panic!("has a solution") };
    let (found_x, found_y) = (ask_word(&model, 0), ask_word(&model, 1));
    assert!(1.0 / 3.0 < found_x && found_x < found_y && found_y < 100.0 && found_x + found_y == 12.75, "{found_x} + {found_y}");
    // x + y = 12.75 with both above 100 is impossible.
    let above = [terms.mk(Op::FpLt, &[limit, x]), terms.mk(Op::FpLt, &[limit, y])];
    let answer = solver.solve(&mut terms, &Query::new(&above, *goal, &Model::new(), Effort(100_000)));
    assert!(matches!(answer, Answer::Unsat(_)), "{answer:?}");
}

fn ask_word(model: &Model, var: u32) -> f64 {
    f64::from_bits(model.word(xcute_term::VarId(var)).unwrap_or(0))
}

#[test]
fn what_has_no_circuit_is_unsupported() {
    let (mut terms, mut solver) = (Terms::new(), BitBlaster::new());
    let x = terms.var("x", Sort::F32);
    let y = terms.var("y", Sort::F32);
    for t in [terms.mk(Op::FpRem, &[x, y]), terms.mk(Op::FpFmod, &[x, y]), terms.mk(Op::FpFma(Rounding::NearestEven), &[x, y, x])] {
        let goal = terms.mk(Op::FpLt, &[t, y]);
        let answer = solver.solve(&mut terms, &Query::new(&[], goal, &Model::new(), Effort(1000)));
        assert_eq!(answer, Answer::Unknown(Why::Unsupported));
    }
}
