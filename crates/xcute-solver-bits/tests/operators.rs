//! Every operator against evaluation, exhaustively for small widths and at the edges of wide ones.

use xcute_solver::{Answer, Effort, Query, Solver, Why};
use xcute_solver_bits::{BitBlaster, Limits};
use xcute_term::eval::Evaluator;
use xcute_term::{Bits, Model, Op, Sort, TermId, Terms, Value};

/// All operators on two words of one width.
fn binary() -> impl Iterator<Item = Op> {
    Op::BINARY.into_iter().chain(Op::COMPARISONS).chain([Op::Concat])
}

fn solve(solver: &mut BitBlaster, terms: &mut Terms, path: &[TermId], goal: TermId) -> Answer {
    solver.solve(terms, &Query::new(path, goal, &Model::new(), Effort(100_000)))
}

/// Fixes the inputs and asks whether `t` can be something else than evaluation says.
fn check_point(solver: &mut BitBlaster, terms: &mut Terms, t: TermId, inputs: &[(TermId, Value)]) {
    let mut evaluator = Evaluator::new();
    let mut path = Vec::new();
    for (term, value) in inputs {
        let Some(var) = terms.vars(*term).only() else { panic!("an input is a variable") };
        evaluator.set(var, value.clone());
        let value = terms.value(value.clone());
        path.push(terms.mk(Op::Eq, &[*term, value]));
    }
    let expected = evaluator.eval(terms, t);
    let value = terms.value(expected.clone());
    let same = terms.mk(Op::Eq, &[t, value]);
    let other = terms.not(same);
    let op = terms.op(t);
    assert!(matches!(solve(solver, terms, &path, same), Answer::Sat(_)), "{op:?} of {inputs:?} can be {expected:?}");
    assert!(matches!(solve(solver, terms, &path, other), Answer::Unsat(_)), "{op:?} of {inputs:?} is only {expected:?}");
}

#[test]
fn binary_operators_exhaustively() {
    let (mut terms, mut solver) = (Terms::new(), BitBlaster::new());
    for width in 1..=3 {
        let x = terms.var(&format!("x{width}"), Sort::BitVec(width));
        let y = terms.var(&format!("y{width}"), Sort::BitVec(width));
        for op in binary() {
            let t = terms.mk(op, &[x, y]);
            for (a, b) in (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))) {
                check_point(&mut solver, &mut terms, t, &[(x, Value::bits(width, a)), (y, Value::bits(width, b))]);
            }
        }
    }
}

#[test]
fn operators_with_a_constant() {
    let (mut terms, mut solver) = (Terms::new(), BitBlaster::new());
    let width = 4;
    let x = terms.var("x", Sort::BitVec(width));
    for op in binary() {
        for constant in 0..16 {
            let y = terms.bv(width, constant);
            for t in [terms.mk(op, &[x, y]), terms.mk(op, &[y, x])] {
                for a in 0..16 {
                    check_point(&mut solver, &mut terms, t, &[(x, Value::bits(width, a))]);
                }
            }
        }
    }
}

#[test]
fn wide_operators_at_their_edges() {
    let (mut terms, mut solver) = (Terms::new(), BitBlaster::new());
    for width in [33, 64, 100] {
        let x = terms.var(&format!("x{width}"), Sort::BitVec(width));
        let y = terms.var(&format!("y{width}"), Sort::BitVec(width));
        let top = num_bigint::BigUint::from(1u8) << (width - 1);
        let edges = [0u8.into(), 1u8.into(), 7u8.into(), top.clone(), &top - 1u8, &top * 2u8 - 1u8, width.into()];
        for op in binary() {
            let t = terms.mk(op, &[x, y]);
            for (a, b) in edges.iter().flat_map(|a| edges.iter().map(move |b| (a, b))) {
                let value = |v| Value::Bits(Bits::from_big(width, v));
                check_point(&mut solver, &mut terms, t, &[(x, value(a)), (y, value(b))]);
            }
        }
    }
}

#[test]
fn unary_operators_and_choices() {
    let (mut terms, mut solver) = (Terms::new(), BitBlaster::new());
    let (width, wide) = (4, 9);
    let x = terms.var("x", Sort::BitVec(width));
    let y = terms.var("y", Sort::BitVec(width));
    let b = terms.var("b", Sort::Bool);
    let less = terms.mk(Op::BvUlt, &[x, y]);
    let not = terms.not(b);
    let mut cases = vec![terms.mk(Op::Ite, &[b, x, y]), terms.mk(Op::And, &[b, less]), terms.mk(Op::Or, &[not, less])];
    for op in [Op::BvNot, Op::BvNeg, Op::Extract(2, 1), Op::Extract(3, 3), Op::ZeroExt(wide), Op::SignExt(wide)] {
        cases.push(terms.mk(op, &[x]));
    }
    for t in cases {
        for point in 0..2u64 << (2 * width) {
            let inputs =
                [(x, Value::bits(width, point)), (y, Value::bits(width, point >> width)), (b, Value::Bool(point >> (2 * width) == 1))];
            let used: Vec<_> =
                inputs.into_iter().filter(|(input, _)| terms.vars(t).contains(terms.vars(*input).first().unwrap())).collect();
            check_point(&mut solver, &mut terms, t, &used);
        }
    }
}

#[test]
fn deep_terms_do_not_recurse() {
    let (mut terms, mut solver) = (Terms::new(), BitBlaster::new());
    let x = terms.var("x", Sort::BitVec(8));
    let y = terms.var("y", Sort::BitVec(8));
    let mut t = x;
    for i in 0..20_000 {
        t = terms.mk(if i % 2 == 0 { Op::BvXor } else { Op::BvAnd }, &[t, y]);
    }
    let zero = terms.bv(8, 0);
    let goal = terms.mk(Op::Eq, &[t, zero]);
    assert!(matches!(solve(&mut solver, &mut terms, &[], goal), Answer::Sat(_)));
}

#[test]
fn cores_name_only_what_contradicts() {
    let (mut terms, mut solver) = (Terms::new(), BitBlaster::new());
    let x = terms.var("x", Sort::BitVec(32));
    let y = terms.var("y", Sort::BitVec(32));
    let (five, nine) = (terms.bv(32, 5), terms.bv(32, 9));
    let irrelevant = terms.mk(Op::BvUlt, &[y, nine]);
    let small = terms.mk(Op::BvUlt, &[x, five]);
    let large = terms.mk(Op::BvUlt, &[nine, x]);
    assert_eq!(solve(&mut solver, &mut terms, &[irrelevant, small], large), Answer::Unsat(vec![small, large]));
    let no = terms.bool(false);
    assert_eq!(solve(&mut solver, &mut terms, &[irrelevant, small], no), Answer::Unsat(vec![no]));
    assert!(matches!(solve(&mut solver, &mut terms, &[irrelevant], large), Answer::Sat(_)), "a contradiction does not stay");
}

#[test]
fn the_patch_keeps_what_the_hint_has() {
    let (mut terms, mut solver) = (Terms::new(), BitBlaster::new());
    let x = terms.var("x", Sort::BitVec(32));
    let y = terms.var("y", Sort::BitVec(32));
    let (five, seven) = (terms.bv(32, 5), terms.bv(32, 7));
    let path = terms.mk(Op::Eq, &[y, seven]);
    let goal = terms.mk(Op::Eq, &[x, five]);
    let mut hint = Model::new();
    hint.set_word(terms.vars(y).first().expect("a variable"), 7);
    let Answer::Sat(patch) = solver.solve(&mut terms, &Query::new(&[path], goal, &hint, Effort(1))) else {
        panic!("satisfiable");
    };
    assert_eq!(patch.words(), &[(terms.vars(x).first().expect("a variable"), 5)]);
}

#[test]
fn effort_and_sorts_have_an_end() {
    let (mut terms, mut solver) = (Terms::new(), BitBlaster::new());
    let x = terms.var("x", Sort::BitVec(64));
    let y = terms.var("y", Sort::BitVec(64));
    let (xy, one) = (terms.mk(Op::BvMul, &[x, y]), terms.bv(64, 1));
    // The product of two primes below 2^31, with both factors below 2^32 and above 1: far more than one conflict.
    let product = terms.bv(64, 2_147_483_647 * 2_147_483_629);
    let goal = terms.mk(Op::Eq, &[xy, product]);
    let bound = terms.bv(64, 1 << 32);
    let path = [(one, x), (x, bound), (one, y), (y, bound)].map(|(a, b)| terms.mk(Op::BvUlt, &[a, b]));
    let answer = solver.solve(&mut terms, &Query::new(&path, goal, &Model::new(), Effort(5)));
    assert_eq!(answer, Answer::Unknown(Why::Effort));

    let n = terms.var("n", Sort::Int);
    let zero = terms.value(Value::Int(0.into()));
    let foreign = terms.mk(Op::Lt, &[zero, n]);
    for _ in 0..2 {
        assert_eq!(solve(&mut solver, &mut terms, &[path[0]], foreign), Answer::Unknown(Why::Unsupported));
    }
}

#[test]
fn a_full_solver_starts_afresh() {
    let mut terms = Terms::new();
    let mut solver = BitBlaster::with_limits(Limits { size: 2_000, ..Limits::default() });
    let x = terms.var("x", Sort::BitVec(32));
    for i in 1..60 {
        let constant = terms.bv(32, i * 77);
        let product = terms.mk(Op::BvMul, &[x, constant]);
        let goal = terms.mk(Op::BvUlt, &[constant, product]);
        assert!(matches!(solve(&mut solver, &mut terms, &[], goal), Answer::Sat(_)));
    }
    assert!(solver.restarts() > 0);
}
