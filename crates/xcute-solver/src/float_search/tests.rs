//! Equations over floats, the order of floats, and what is none of its business.

use std::sync::Arc;

use xcute_term::eval::Evaluator;
use xcute_term::{CtorId, DataSort, DataSortId, DataValue, Field, FloatFormat, Model, Op, Rounding, Sort, TermId, Terms, Value};

use super::{FloatSearch, step};
use crate::solver::{Answer, Effort, Query, Solver, Why};

const NEAREST: Rounding = Rounding::NearestEven;

fn double(terms: &mut Terms, x: f64) -> TermId {
    terms.value(Value::from_word(Sort::F64, x.to_bits()))
}

fn check(terms: &mut Terms, constraints: &[TermId]) {
    let (&goal, path) = constraints.split_last().expect("a goal");
    let hint = Model::new();
    let Answer::Sat(patch) = FloatSearch::new().solve(terms, &Query::new(path, goal, &hint, Effort(100_000))) else {
        panic!("nothing found");
    };
    let mut eval = Evaluator::new();
    eval.load(&hint.patched(&patch));
    assert!(constraints.iter().all(|&t| eval.eval_bool(terms, t)), "{patch:?}");
}

#[test]
fn finds_a_root() {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::F64);
    let (low, high, square) = (double(&mut terms, 0.5), double(&mut terms, 100.0), double(&mut terms, 2.25));
    let product = terms.mk(Op::FpMul(NEAREST), &[x, x]);
    let constraints = [terms.mk(Op::FpLt, &[low, x]), terms.mk(Op::FpLt, &[x, high]), terms.mk(Op::FpEq, &[product, square])];
    check(&mut terms, &constraints);
}

#[test]
fn finds_two_values_that_add_up() {
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", Sort::F64), terms.var("y", Sort::F64));
    let (sum, limit) = (double(&mut terms, 12.75), double(&mut terms, 9.5));
    let total = terms.mk(Op::FpAdd(NEAREST), &[x, y]);
    let constraints = [terms.mk(Op::FpLt, &[x, y]), terms.mk(Op::FpLt, &[y, limit]), terms.mk(Op::FpEq, &[total, sum])];
    check(&mut terms, &constraints);
}

#[test]
fn finds_remainders_and_integers() {
    let mut terms = Terms::new();
    let (x, n) = (terms.var("x", Sort::F32), terms.var("n", Sort::BitVec(32)));
    let single = |terms: &mut Terms, x: f32| terms.value(Value::from_word(Sort::F32, x.to_bits().into()));
    let (seven, three, hundred) = (single(&mut terms, 7.0), single(&mut terms, 3.0), single(&mut terms, 100.0));
    let rest = terms.mk(Op::FpFmod, &[x, seven]);
    let constraints = [terms.mk(Op::FpLt, &[hundred, x]), terms.mk(Op::FpEq, &[rest, three])];
    check(&mut terms, &constraints);
    let whole = terms.mk(Op::FpFromSbv(NEAREST, FloatFormat::SINGLE), &[n]);
    let constraint = terms.mk(Op::FpEq, &[whole, hundred]);
    check(&mut terms, &[constraint]);
    let nan = terms.mk(Op::FpIsNan, &[x]);
    check(&mut terms, &[nan]);
}

#[test]
fn never_says_unsat_and_leaves_other_sorts_alone() {
    let mut terms = Terms::new();
    let (x, b) = (terms.var("x", Sort::F64), terms.var("b", Sort::BitVec(8)));
    let one = double(&mut terms, 1.0);
    let (below, above) = (terms.mk(Op::FpLt, &[x, one]), terms.mk(Op::FpLt, &[one, x]));
    let mut search = FloatSearch::new();
    let hint = Model::new();
    let answer = search.solve(&mut terms, &Query::new(&[below], above, &hint, Effort(1000)));
    assert_eq!(answer, Answer::Unknown(Why::Effort));
    let five = terms.bv(8, 5);
    let goal = terms.mk(Op::BvUlt, &[five, b]);
    let answer = search.solve(&mut terms, &Query::new(&[], goal, &hint, Effort(1000)));
    assert_eq!(answer, Answer::Unknown(Why::Unsupported));
}

#[test]
fn steps_end_at_infinity_and_wrap_in_words() {
    assert_eq!(step(Sort::F32, f32::INFINITY.to_bits().into(), 0, true), None);
    assert_eq!(step(Sort::BitVec(8), 255, 0, true), Some(0));
}

/// A number that is an integer or a float, as terms of Erlang and Prolog are.
fn number(terms: &mut Terms) -> Sort {
    let field = |name: &str, sort| Field { name: name.into(), sort };
    let own = Sort::Data(terms.next_data());
    let ctors = vec![
        ("none".into(), vec![]),
        ("integer".into(), vec![field("value", Sort::Int)]),
        ("float".into(), vec![field("bits", Sort::BitVec(64))]),
        ("pair".into(), vec![field("first", own), field("second", own)]),
    ];
    Sort::Data(terms.declare_data(DataSort { name: "number".into(), ctors }))
}

/// Whether a number is a float, and which.
fn float(terms: &mut Terms, sort: DataSortId, number: TermId) -> (TermId, TermId) {
    let ctor = CtorId { sort, index: 2 };
    let bits = terms.mk(Op::Select(ctor, 0), &[number]);
    (terms.mk(Op::IsCtor(ctor), &[number]), terms.mk(Op::FpFromBits(FloatFormat::DOUBLE), &[bits]))
}

#[test]
fn finds_floats_inside_of_data() {
    let mut terms = Terms::new();
    let Sort::Data(sort) = number(&mut terms) else { panic!("data") };
    let x = terms.var("x", Sort::Data(sort));
    let (is_float, value) = float(&mut terms, sort, x);
    let (seven, three) = (double(&mut terms, 7.0), double(&mut terms, 3.0));
    let less = terms.mk(Op::FpSub(NEAREST), &[value, seven]);
    let above = terms.mk(Op::FpLt, &[three, less]);
    check(&mut terms, &[is_float, above]);
}

#[test]
fn finds_floats_at_places_of_the_hint() {
    let mut terms = Terms::new();
    let Sort::Data(sort) = number(&mut terms) else { panic!("data") };
    let x = terms.var("x", Sort::Data(sort));
    let ctor = |index| CtorId { sort, index };
    let is_pair = terms.mk(Op::IsCtor(ctor(3)), &[x]);
    let second = terms.mk(Op::Select(ctor(3), 1), &[x]);
    let (is_float, value) = float(&mut terms, sort, second);
    let limit = double(&mut terms, 2.5);
    let above = terms.mk(Op::FpLt, &[limit, value]);
    let goal = terms.mk(Op::And, &[is_float, above]);
    let none = || Value::Data(Arc::new(DataValue { ctor: ctor(0), fields: vec![] }));
    let mut hint = Model::new();
    let var = terms.find_var("x").expect("it was made");
    hint.set(var, Value::Data(Arc::new(DataValue { ctor: ctor(3), fields: vec![none(), none()] })));
    let Answer::Sat(patch) = FloatSearch::new().solve(&mut terms, &Query::new(&[is_pair], goal, &hint, Effort(1000))) else {
        panic!("nothing found");
    };
    let three_and_a_half = Value::Data(Arc::new(DataValue { ctor: ctor(2), fields: vec![Value::bits(64, 3.5_f64.to_bits())] }));
    assert_eq!(patch.value(&terms, var), Value::Data(Arc::new(DataValue { ctor: ctor(3), fields: vec![none(), three_and_a_half] })));
}
