//! The two layers that decide by a graph, pointers and orders, against brute force; and the cases that the paper names.

use crate::common;
use crate::common::{Brute, ask};
use fastrand::Rng;
use xcute_solver::{Answer, Chain, ChainOptions, Solver};
use xcute_term::{Model, Op, Sort, TermId, Terms, VarId};

fn answers(solver: &dyn Solver, layer: &str) -> (u64, u64, u64) {
    let mut out = (0, 0, 0);
    solver.count(&mut |c| {
        if c.layer == layer {
            out = (c.seen, c.sat, c.unsat);
        }
    });
    out
}

fn pointers_only() -> Chain {
    Chain::build(ChainOptions { pointers: true, ..ChainOptions::all(false) }, vec![Box::new(Brute)])
}

fn orders_only() -> Chain {
    Chain::build(ChainOptions { orders: true, ..ChainOptions::all(false) }, vec![Box::new(Brute)])
}

/// Pointers `p0`, `p1`, ... whose own objects are 100, 200, ...: each may also be NULL or the object of an earlier one.
fn pointers(terms: &mut Terms, n: u64) -> Vec<(TermId, VarId)> {
    (0..n)
        .map(|i| {
            let t = terms.var(&format!("p{i}"), Sort::BitVec(64));
            let v = terms.vars(t).first().expect("a variable");
            terms.set_domain(v, (0..=i + 1).map(|k| k * 100).collect());
            (t, v)
        })
        .collect()
}

/// Fig. 12, case by case: path, goal, hint, expected patch. `"=0"` is p0 = NULL, `"!01"` is p0 != p1.
#[test]
fn solve_pointer_as_in_the_paper() {
    let check = |path: &[&str], goal: &str, hint: &[u64], expect: &[(usize, u64)]| {
        let mut terms = Terms::new();
        let p = pointers(&mut terms, 3);
        let null = terms.bv(64, 0);
        let literal = |terms: &mut Terms, text: &str| {
            let node = |c: char| c.to_digit(10).map_or(null, |d| p[d as usize].0);
            let mut chars = text.chars();
            let (op, a, b) = (chars.next(), chars.next().map_or(null, node), chars.next().map_or(null, node));
            let equal = terms.mk(Op::Eq, &[a, b]);
            if op == Some('!') { terms.not(equal) } else { equal }
        };
        let path: Vec<TermId> = path.iter().map(|t| literal(&mut terms, t)).collect();
        let goal = literal(&mut terms, goal);
        let (mut model, mut patch) = (Model::new(), Model::new());
        hint.iter().zip(&p).for_each(|(&w, p)| model.set_word(p.1, w));
        expect.iter().for_each(|&(i, w)| patch.set_word(p[i].1, w));
        let mut chain = pointers_only();
        assert_eq!(ask(&mut chain, &mut terms, &path, goal, &model), Answer::Sat(patch), "{goal:?}");
        assert_eq!(answers(&chain, "pointers"), (1, 1, 0));
    };
    // x != NULL: the class gets a fresh object.
    check(&[], "!0", &[0, 0, 0], &[(0, 100)]);
    check(&["=01"], "!1", &[0, 0, 0], &[(0, 100), (1, 100)]);
    check(&["=01"], "!0", &[0, 0, 0], &[(0, 100), (1, 100)]);
    // x = NULL: the class gets NULL.
    check(&["!02"], "=1", &[100, 200, 300], &[(1, 0)]);
    check(&["=12"], "=1", &[0, 100, 100], &[(1, 0), (2, 0)]);
    // x = y: y's class gets x's value; where x's value is not allowed for it, both get one that is.
    check(&[], "=01", &[100, 200, 0], &[(1, 100)]);
    check(&["=12"], "=01", &[100, 200, 200], &[(1, 100), (2, 100)]);
    check(&["!1"], "=01", &[0, 100, 0], &[(0, 100)]);
    check(&["!1"], "=01", &[0, 200, 0], &[(0, 100), (1, 100)]);
    // x != y: y's class gets a fresh object.
    check(&[], "!01", &[0, 0, 0], &[(1, 200)]);
    check(&[], "!01", &[100, 100, 0], &[(1, 200)]);
    check(&["=1"], "!01", &[0, 0, 0], &[(0, 100)]);
}

#[test]
fn contradictions_of_pointers_have_small_cores() {
    let mut terms = Terms::new();
    let p = pointers(&mut terms, 4);
    let mut equal = |a: usize, b: usize| terms.mk(Op::Eq, &[p[a].0, p[b].0]);
    let (e01, e12, e03, e02) = (equal(0, 1), equal(1, 2), equal(0, 3), equal(0, 2));
    let (n02, n03) = (terms.not(e02), terms.not(e03));
    let mut chain = pointers_only();
    let mut hint = Model::new();
    hint.set_word(p[3].1, 400);
    let answer = ask(&mut chain, &mut terms, &[n03, e01, e12], n02, &hint);
    assert!(matches!(&answer, Answer::Unsat(core) if core.len() == 3), "{answer:?}");
    let answer = ask(&mut chain, &mut terms, &[n03, e12], e03, &hint);
    assert!(matches!(&answer, Answer::Unsat(core) if core.len() == 2), "{answer:?}");
    assert_eq!(answers(&chain, "pointers"), (2, 0, 2));
}

#[test]
fn pointers_agree_with_brute_force() {
    let mut decided = (0, 0, 0);
    for seed in 0..600 {
        let mut rng = Rng::with_seed(seed);
        let mut terms = Terms::new();
        let p = pointers(&mut terms, 4);
        let mut hint = Model::new();
        for &(_, v) in &p {
            let words = common::words(&terms, v);
            hint.set_word(v, words[rng.usize(0..words.len())]);
        }
        let mut literals = Vec::new();
        for _ in 0..rng.usize(1..8) {
            let a = p[rng.usize(0..4)];
            let word = |v: VarId| hint.word(v).unwrap_or(0);
            let (b, value) = if rng.bool() {
                let b = p[rng.usize(0..4)];
                (b.0, word(b.1))
            } else {
                let k = rng.u64(0..5) * 100;
                (terms.bv(64, k), k)
            };
            let equal = terms.mk(Op::Eq, &[a.0, b]);
            literals.push(if word(a.1) == value { equal } else { terms.not(equal) });
        }
        let last = literals.pop().expect("at least one");
        let goal = terms.not(last);
        for options in [ChainOptions { pointers: true, ..ChainOptions::all(false) }, ChainOptions::default()] {
            let mut chain = Chain::build(options, vec![Box::new(Brute)]);
            ask(&mut chain, &mut terms, &literals, goal, &hint);
            let (seen, sat, unsat) = answers(&chain, "pointers");
            decided = (decided.0 + seen, decided.1 + sat, decided.2 + unsat);
        }
    }
    assert!(decided.1 * 2 > decided.0, "most are decided here: {decided:?}");
    assert!(decided.2 > 20, "{decided:?}");
}

#[test]
fn orders_agree_with_brute_force() {
    let mut decided = (0, 0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::with_seed(seed);
        let mut terms = Terms::new();
        let signed = rng.bool();
        let vars: Vec<TermId> = (0..4).map(|i| terms.var(&format!("x{i}"), Sort::BitVec(3))).collect();
        let mut hint = Model::new();
        vars.iter().for_each(|&v| hint.set_word(terms.vars(v).first().expect("a variable"), rng.u64(0..8)));
        let mut eval = xcute_term::eval::Evaluator::new();
        eval.load(&hint);
        let mut path = Vec::new();
        for _ in 0..rng.usize(1..9) {
            let mut side = |terms: &mut Terms| match rng.u32(0..6) {
                0 => terms.bv(3, rng.u64(0..8)),
                _ => vars[rng.usize(0..4)],
            };
            let (mut a, mut b) = (side(&mut terms), side(&mut terms));
            if rng.u32(0..4) == 0 {
                let op = if signed { Op::SignExt(5) } else { Op::ZeroExt(5) };
                (a, b) = (terms.mk(op, &[a]), terms.mk(op, &[b]));
            }
            let ops = if signed { [Op::BvSlt, Op::BvSle, Op::Eq] } else { [Op::BvUlt, Op::BvUle, Op::Eq] };
            let c = terms.mk(ops[rng.usize(0..3)], &[a, b]);
            path.push(if eval.eval_bool(&terms, c) { c } else { terms.not(c) });
        }
        let last = path.pop().expect("at least one");
        let goal = terms.not(last);
        if terms.as_u64(goal).is_some() || path.iter().chain([&goal]).all(|&c| terms.vars(c).len() < 2) {
            continue;
        }
        let mut chain = orders_only();
        ask(&mut chain, &mut terms, &path, goal, &hint);
        let (seen, sat, unsat) = answers(&chain, "orders");
        decided = (decided.0 + seen, decided.1 + sat, decided.2 + unsat);
    }
    assert!((decided.1 + decided.2) * 10 > decided.0 * 8, "most are decided here: {decided:?}");
    assert!(decided.2 > 50, "{decided:?}");
}

#[test]
fn a_sorted_row_changes_little() {
    let mut terms = Terms::new();
    let x: Vec<TermId> = (0..8).map(|i| terms.var(&format!("x{i}"), Sort::BitVec(32))).collect();
    let v = |i: usize| VarId(u32::try_from(i).expect("small"));
    let mut hint = Model::new();
    (0..8).for_each(|i| hint.set_word(v(i), i as u64));
    let mut path: Vec<TermId> = x.windows(2).map(|p| terms.mk(Op::BvSlt, &[p[0], p[1]])).collect();
    let last = path.remove(4);
    let goal = terms.not(last);
    let mut chain = Chain::build(ChainOptions::default(), vec![]);
    let query = xcute_solver::Query::new(&path, goal, &hint, xcute_solver::Effort(0));
    let answer = chain.solve(&mut terms, &query);
    let mut patch = Model::new();
    patch.set_word(v(4), 5);
    assert_eq!(answer, Answer::Sat(patch), "x4 rises to x5, nothing else moves");
    // A cycle through all of them.
    let cycle = terms.mk(Op::BvSlt, &[x[7], x[0]]);
    path.insert(4, last);
    let query = xcute_solver::Query::new(&path, cycle, &hint, xcute_solver::Effort(0));
    assert!(matches!(chain.solve(&mut terms, &query), Answer::Unsat(core) if core.len() == 8));
    // And what comes out of range.
    let top = terms.bv(32, 0x7fff_fffc);
    let high = terms.mk(Op::BvSlt, &[top, x[0]]);
    let query = xcute_solver::Query::new(&path, high, &hint, xcute_solver::Effort(0));
    assert!(matches!(chain.solve(&mut terms, &query), Answer::Unsat(core) if core.len() < 9));
}
