//! How long the chain takes for typical queries: `cargo run --release -p xcute-solver --example hot`.

#![allow(clippy::print_stdout, reason = "it prints a table")]

use std::time::Instant;

use xcute_solver::{Answer, Chain, ChainOptions, Effort, Query, Solver};
use xcute_term::{Model, Op, Sort, TermId, Terms};

type Case = (Vec<TermId>, TermId, Model);

/// 16 independent conditions `x_i > 10 i`, one of them negated: the paths of a decision tree.
fn independent(terms: &mut Terms, n: u64) -> Case {
    let (mut path, mut hint) = (Vec::new(), Model::new());
    for i in 0..n {
        let x = terms.var(&format!("x{i}"), Sort::BitVec(32));
        let k = terms.bv(32, 10 * i);
        path.push(terms.mk(Op::BvSlt, &[k, x]));
        hint.set_word(terms.vars(x).first().expect("a variable"), 10 * i + 1);
    }
    let last = path.remove(n as usize / 2 - 1);
    (path, terms.not(last), hint)
}

/// A sorted row of n variables, the goal exchanging two in the middle: several values must move.
fn sorted(terms: &mut Terms, n: u64) -> Case {
    let (mut path, mut hint) = (Vec::new(), Model::new());
    let x: Vec<TermId> = (0..n).map(|i| terms.var(&format!("s{i}"), Sort::BitVec(32))).collect();
    for (i, &v) in x.iter().enumerate() {
        hint.set_word(terms.vars(v).first().expect("a variable"), i as u64);
    }
    for pair in x.windows(2) {
        path.push(terms.mk(Op::BvSlt, &[pair[0], pair[1]]));
    }
    let last = path.remove(n as usize / 2);
    (path, terms.not(last), hint)
}

/// A byte that is none of n letters, and must be none of them in another way.
fn letters(terms: &mut Terms, n: u64) -> Case {
    let c = terms.var("c", Sort::BitVec(8));
    let wide = terms.mk(Op::ZeroExt(32), &[c]);
    let (mut path, hint) = (Vec::new(), Model::new());
    for i in 0..n {
        let k = terms.bv(32, 97 + i);
        let equal = terms.mk(Op::Eq, &[wide, k]);
        path.push(terms.not(equal));
    }
    let (low, high) = (terms.bv(32, 97), terms.bv(32, 122));
    let (a, b) = (terms.mk(Op::BvSle, &[low, wide]), terms.mk(Op::BvSle, &[wide, high]));
    (path, terms.mk(Op::And, &[a, b]), hint)
}

/// A word of four bytes that must be a magic number.
fn magic(terms: &mut Terms) -> Case {
    let bytes: Vec<TermId> = (0..4).map(|i| terms.var(&format!("b{i}"), Sort::BitVec(8))).collect();
    let high = terms.mk(Op::Concat, &[bytes[0], bytes[1]]);
    let low = terms.mk(Op::Concat, &[bytes[2], bytes[3]]);
    let word = terms.mk(Op::Concat, &[high, low]);
    let k = terms.bv(32, 0x7f45_4c46);
    (Vec::new(), terms.mk(Op::Eq, &[word, k]), Model::new())
}

/// A product of two unknown factors: what is left for a solver, and costs what all failing attempts cost.
fn factors(terms: &mut Terms) -> Case {
    let (x, y) = (terms.var("f0", Sort::BitVec(32)), terms.var("f1", Sort::BitVec(32)));
    let (k, one, limit) = (terms.bv(32, 0x00ff_f1b5), terms.bv(32, 1), terms.bv(32, 50_000));
    let mut path = Vec::new();
    let mut hint = Model::new();
    for v in [x, y] {
        path.push(terms.mk(Op::BvUlt, &[one, v]));
        path.push(terms.mk(Op::BvUlt, &[v, limit]));
        hint.set_word(terms.vars(v).first().expect("a variable"), 2);
    }
    let product = terms.mk(Op::BvMul, &[x, y]);
    (path, terms.mk(Op::Eq, &[product, k]), hint)
}

/// The best of this many batches is shown, so that a busy machine does not matter much.
const BATCHES: u32 = 200;

/// Queries per batch.
const ROUNDS: u32 = 100;

fn main() {
    let mut terms = Terms::new();
    let cases = [
        ("16 independent", independent(&mut terms, 16)),
        ("1000 independent", independent(&mut terms, 1000)),
        ("7 sorted", sorted(&mut terms, 7)),
        ("30 sorted", sorted(&mut terms, 30)),
        ("10 letters", letters(&mut terms, 10)),
        ("26 letters, unsat", letters(&mut terms, 26)),
        ("magic number", magic(&mut terms)),
        ("factors, unknown", factors(&mut terms)),
    ];
    for (name, (path, goal, hint)) in &cases {
        for cached in [true, false] {
            let mut chain = Chain::build(ChainOptions { cached, ..ChainOptions::default() }, Vec::new());
            let query = Query::new(path, *goal, hint, Effort(1));
            let (mut best, mut answers) = (u128::MAX, [0u32; 3]);
            for _ in 0..BATCHES {
                let start = Instant::now();
                for _ in 0..ROUNDS {
                    match chain.solve(&mut terms, &query) {
                        Answer::Sat(_) => answers[0] += 1,
                        Answer::Unsat(_) => answers[1] += 1,
                        Answer::Unknown(_) => answers[2] += 1,
                    }
                }
                best = best.min(start.elapsed().as_nanos() / u128::from(ROUNDS));
            }
            println!("{name:20} cache {cached:5} {best:7} ns   sat {} unsat {} unknown {}", answers[0], answers[1], answers[2]);
        }
    }
}
