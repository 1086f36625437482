//! Floats: the shortcuts agree with brute force over small formats, and find what real programs ask for.

use crate::common::{Brute, ask};
use fastrand::Rng;
use xcute_solver::{Answer, Chain, ChainOptions, Effort, Query, Solver};
use xcute_term::eval::Evaluator;
use xcute_term::{FloatFormat, Model, Op, Rounding, Sort, TermId, Terms, Value};

const TINY: FloatFormat = FloatFormat::new(2, 4);
const WIDTH: u32 = 6;

struct Gen {
    rng: Rng,
    bits: Vec<TermId>,
}

impl Gen {
    fn float(&mut self, terms: &mut Terms, depth: u32) -> TermId {
        let constant = |rng: &mut Rng, terms: &mut Terms| terms.value(Value::from_word(Sort::Float(TINY), rng.u64(0..1 << WIDTH)));
        let rounding = [Rounding::NearestEven, Rounding::Zero][self.rng.usize(0..2)];
        match self.rng.u32(0..9) {
            0 if depth > 0 => {
                let a = self.float(terms, depth - 1);
                let op = [Op::FpNeg, Op::FpAbs, Op::FpSqrt(rounding), Op::FpRound(rounding)][self.rng.usize(0..4)];
                terms.mk(op, &[a])
            }
            1..=3 if depth > 0 => {
                let a = self.float(terms, depth - 1);
                let b = if self.rng.bool() { constant(&mut self.rng, terms) } else { self.float(terms, depth - 1) };
                let ops = [Op::FpAdd(rounding), Op::FpSub(rounding), Op::FpMul(rounding), Op::FpDiv(rounding)];
                let op = ops[self.rng.usize(0..4)];
                if self.rng.bool() { terms.mk(op, &[a, b]) } else { terms.mk(op, &[b, a]) }
            }
            4 if depth > 0 => {
                let word = self.bits[self.rng.usize(0..2)];
                let op = if self.rng.bool() { Op::FpFromSbv(rounding, TINY) } else { Op::FpFromUbv(rounding, TINY) };
                terms.mk(op, &[word])
            }
            5 => constant(&mut self.rng, terms),
            _ => {
                let bits = self.bits[self.rng.usize(0..2)];
                terms.mk(Op::FpFromBits(TINY), &[bits])
            }
        }
    }

    fn condition(&mut self, terms: &mut Terms) -> TermId {
        let depth = self.rng.u32(0..3);
        let a = self.float(terms, depth);
        match self.rng.u32(0..9) {
            8 => {
                let (bits, k) = (self.bits[self.rng.usize(0..2)], terms.bv(WIDTH, self.rng.u64(0..1 << WIDTH)));
                terms.mk(Op::BvUlt, &[k, bits])
            }
            0 => terms.mk([Op::FpIsNan, Op::FpIsInf, Op::FpIsZero][self.rng.usize(0..3)], &[a]),
            1 => {
                let op = if self.rng.bool() { Op::FpToSbv(Rounding::Zero, 5) } else { Op::FpToUbv(Rounding::Zero, 5) };
                let (word, k) = (terms.mk(op, &[a]), terms.bv(5, self.rng.u64(0..32)));
                terms.mk(Op::BvSlt, &[word, k])
            }
            _ => {
                let zero = terms.value(Value::from_word(Sort::Float(TINY), 0));
                let b = if self.rng.u32(0..4) == 0 { zero } else { self.float(terms, 0) };
                let op = [Op::FpEq, Op::FpLt, Op::FpLe, Op::Eq][self.rng.usize(0..4)];
                let t = if self.rng.bool() { terms.mk(op, &[a, b]) } else { terms.mk(op, &[b, a]) };
                if self.rng.bool() { terms.not(t) } else { t }
            }
        }
    }
}

#[test]
fn small_floats_agree_with_brute_force() {
    for seed in 0..400 {
        let mut terms = Terms::new();
        let names = if seed % 2 == 0 { ["x", "x"] } else { ["x", "y"] };
        let bits = names.map(|n| terms.var(n, Sort::BitVec(WIDTH))).to_vec();
        let mut random = Gen { rng: Rng::with_seed(seed), bits };
        let options = ChainOptions { exhausted: false, cached: false, ..ChainOptions::default() };
        let mut chain = Chain::build(options, vec![Box::new(Brute)]);
        for _ in 0..4 {
            let mut hint = Model::new();
            random.bits.iter().for_each(|&b| hint.set_word(terms.vars(b).first().expect("a variable"), random.rng.u64(0..1 << WIDTH)));
            let mut eval = Evaluator::new();
            eval.load(&hint);
            let mut path = Vec::new();
            for _ in 0..random.rng.usize(0..4) {
                let c = random.condition(&mut terms);
                path.push(if eval.eval_bool(&terms, c) { c } else { terms.not(c) });
            }
            let goal = random.condition(&mut terms);
            ask(&mut chain, &mut terms, &path, goal, &hint);
        }
    }
}

/// Conditions over one double `x` that must be answered without a backend, and the double that is expected.
#[test]
fn doubles_are_solved_without_a_solver() {
    let mut terms = Terms::new();
    let bits = terms.var("x", Sort::BitVec(64));
    let x = terms.mk(Op::FpFromBits(FloatFormat::DOUBLE), &[bits]);
    let near = Rounding::NearestEven;
    let double = |terms: &mut Terms, d: f64| terms.value(Value::from_word(Sort::F64, d.to_bits()));
    let check = |path: &[TermId], goal: TermId, old: f64, expect: f64, terms: &mut Terms| {
        let mut hint = Model::new();
        hint.set_word(terms.vars(bits).first().expect("a variable"), old.to_bits());
        let mut chain = Chain::build(ChainOptions::default(), vec![]);
        match chain.solve(terms, &Query::new(path, goal, &hint, Effort(0))) {
            Answer::Sat(patch) => {
                let found = f64::from_bits(patch.word(terms.vars(bits).first().expect("a variable")).expect("x changes"));
                assert!(found == expect || (found.is_nan() && expect.is_nan()), "{found} instead of {expect}");
            }
            other => panic!("{other:?}"),
        }
    };
    let (half, five, hundred, square) =
        (double(&mut terms, 0.5), double(&mut terms, 5.0), double(&mut terms, 100.0), double(&mut terms, 2.25));
    let above = terms.mk(Op::FpLt, &[half, x]);
    let below = terms.mk(Op::FpLt, &[x, hundred]);
    let more = terms.mk(Op::FpLt, &[five, x]);
    check(&[], more, 0.0, 6.0, &mut terms);
    check(&[above], below, 200.0, 96.0, &mut terms);
    let product = terms.mk(Op::FpMul(near), &[x, x]);
    let root = terms.mk(Op::FpEq, &[product, square]);
    check(&[above, below], root, 1.0, 1.5, &mut terms);
    let sum = terms.mk(Op::FpAdd(near), &[x, half]);
    let sum = terms.mk(Op::FpMul(near), &[sum, hundred]);
    let large = double(&mut terms, 250.0);
    let exact = terms.mk(Op::FpEq, &[sum, large]);
    check(&[], exact, 1.0, 2.0, &mut terms);
    let same = terms.mk(Op::FpEq, &[x, x]);
    let odd = terms.not(same);
    check(&[], odd, 1.0, f64::NAN, &mut terms);
    let whole = terms.mk(Op::FpToSbv(Rounding::Zero, 32), &[x]);
    let seven = terms.bv(32, 7);
    let is_seven = terms.mk(Op::Eq, &[whole, seven]);
    check(&[], is_seven, 0.0, 7.0, &mut terms);
}
