//! Random queries over bit-vectors and small floats: the bit-blaster and Z3 agree, models hold, cores contradict.

use fastrand::Rng;
use xcute_solver::{Answer, Effort, Query, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_solver_z3::Z3;
use xcute_term::eval::Evaluator;
use xcute_term::{Bits, FloatFormat, Model, Op, Rounding, Sort, TermId, Terms, Value};

const COMPARE: [Op; 5] = [Op::BvUlt, Op::BvUle, Op::BvSlt, Op::BvSle, Op::Eq];

/// Makes random terms over a few variables per width.
struct Generator {
    random: Rng,
    /// Products and quotients of unknowns wider than this are left out: both solvers would only run out of effort.
    widest_product: u32,
}

impl Generator {
    fn constant(&mut self, terms: &mut Terms, width: u32) -> TermId {
        let big = match self.random.u8(0..4) {
            0 => num_bigint::BigUint::from(self.random.u8(0..4)),
            1 => num_bigint::BigUint::from(1u8) << self.random.u32(0..width),
            2 => (num_bigint::BigUint::from(1u8) << self.random.u32(0..width)) - 1u8,
            _ => num_bigint::BigUint::from(self.random.u128(..)),
        };
        terms.value(Value::Bits(Bits::from_big(width, &big)))
    }

    fn word(&mut self, terms: &mut Terms, width: u32, depth: u32) -> TermId {
        if depth == 0 || self.random.u8(0..5) == 0 {
            return match self.random.u8(0..4) {
                0 => self.constant(terms, width),
                i => terms.var(&format!("x{width}_{}", i % 2), Sort::BitVec(width)),
            };
        }
        match self.random.u8(0..12) {
            0 => {
                let a = self.word(terms, width, depth - 1);
                terms.mk(if self.random.bool() { Op::BvNot } else { Op::BvNeg }, &[a])
            }
            1 if width > 1 => {
                let cut = self.random.u32(1..width);
                let (a, b) = (self.word(terms, cut, depth - 1), self.word(terms, width - cut, depth - 1));
                terms.mk(Op::Concat, &[a, b])
            }
            2 => {
                let low = self.random.u32(0..4);
                let a = self.word(terms, width + low + 2, depth - 1);
                terms.mk(Op::Extract(width + low - 1, low), &[a])
            }
            3 if width > 1 => {
                let from = self.random.u32(1..width);
                let a = self.word(terms, from, depth - 1);
                terms.mk(if self.random.bool() { Op::ZeroExt(width) } else { Op::SignExt(width) }, &[a])
            }
            4 => {
                let c = self.condition(terms, width, depth - 1);
                let (a, b) = (self.word(terms, width, depth - 1), self.word(terms, width, depth - 1));
                terms.mk(Op::Ite, &[c, a, b])
            }
            _ => {
                let op = self.random.choice(Op::BINARY).expect("not empty");
                let heavy = matches!(op, Op::BvMul | Op::BvUdiv | Op::BvSdiv | Op::BvUrem | Op::BvSrem) && width > self.widest_product;
                let a = self.word(terms, width, depth - 1);
                let b = if heavy { self.constant(terms, width) } else { self.word(terms, width, depth - 1) };
                terms.mk(op, &[a, b])
            }
        }
    }

    fn condition(&mut self, terms: &mut Terms, width: u32, depth: u32) -> TermId {
        let (a, b) = (self.word(terms, width, depth), self.word(terms, width, depth));
        let op = self.random.choice(COMPARE).expect("not empty");
        let t = terms.mk(op, &[a, b]);
        match self.random.u8(0..6) {
            0 => terms.not(t),
            1 if depth > 0 => {
                let other = self.condition(terms, width, depth - 1);
                terms.mk(if self.random.bool() { Op::And } else { Op::Or }, &[t, other])
            }
            _ => t,
        }
    }
}

const ROUNDINGS: [Rounding; 5] = [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

impl Generator {
    fn float(&mut self, terms: &mut Terms, (e, s): (u8, u8), depth: u32) -> TermId {
        let format = FloatFormat::new(e, s);
        let sort = Sort::Float(format);
        let width = u32::from(e + s);
        if depth == 0 || self.random.u8(0..5) == 0 {
            return match self.random.u8(0..4) {
                0 => terms.value(Value::from_word(sort, self.random.u64(0..1 << width))),
                i => terms.var(&format!("f{e}_{s}_{}", i % 2), sort),
            };
        }
        let rounding = self.random.choice(ROUNDINGS).expect("not empty");
        let a = self.float(terms, (e, s), depth - 1);
        match self.random.u8(0..12) {
            0 => terms.mk(Op::FpNeg, &[a]),
            1 => terms.mk(Op::FpAbs, &[a]),
            2 => terms.mk(Op::FpSqrt(rounding), &[a]),
            3 => terms.mk(Op::FpRound(rounding), &[a]),
            4 => {
                let wider = terms.mk(Op::FpToFp(rounding, FloatFormat::new(e + 1, s + 1)), &[a]);
                terms.mk(Op::FpToFp(rounding, format), &[wider])
            }
            5 => {
                let n = terms.mk(Op::FpToSbv(rounding, 5), &[a]);
                terms.mk(Op::FpFromUbv(rounding, format), &[n])
            }
            6 => {
                let (c, b) = (self.float_condition(terms, (e, s), depth - 1), self.float(terms, (e, s), depth - 1));
                terms.mk(Op::Ite, &[c, a, b])
            }
            i => {
                let b = self.float(terms, (e, s), depth - 1);
                let ops = [Op::FpAdd(rounding), Op::FpSub(rounding), Op::FpMul(rounding), Op::FpDiv(rounding), Op::FpMin, Op::FpMax];
                terms.mk(ops[usize::from(i - 7 + self.random.u8(0..2))], &[a, b])
            }
        }
    }

    fn float_condition(&mut self, terms: &mut Terms, format: (u8, u8), depth: u32) -> TermId {
        let (a, b) = (self.float(terms, format, depth), self.float(terms, format, depth));
        let t = match self.random.u8(0..8) {
            0 => terms.mk(Op::FpIsNan, &[a]),
            1 => terms.mk(Op::Eq, &[a, b]),
            2 | 3 => terms.mk(Op::FpEq, &[a, b]),
            4 => {
                let bits = [a, b].map(|x| terms.mk(Op::FpToBits, &[x]));
                terms.mk(Op::BvUlt, &bits)
            }
            _ => terms.mk(if self.random.bool() { Op::FpLt } else { Op::FpLe }, &[a, b]),
        };
        if self.random.u8(0..3) == 0 { terms.not(t) } else { t }
    }
}

fn check_answer(name: &str, terms: &mut Terms, constraints: &[TermId], answer: &Answer) {
    match answer {
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new();
            evaluator.load(model);
            for &t in constraints {
                let shown = xcute_term::print::human(terms, t);
                assert!(evaluator.eval_bool(terms, t), "{name}: {model:?} is not a model of {shown}");
            }
        }
        Answer::Unsat(core) => assert!(core.iter().all(|t| constraints.contains(t)) && !core.is_empty(), "{name}: {core:?}"),
        Answer::Unknown(_) => {}
    }
}

fn agree(widths: &[u32], rounds: u32, seed: u64) {
    agree_on(rounds, seed, |generator, terms, round| generator.condition(terms, widths[round as usize % widths.len()], 2));
}

fn agree_on(rounds: u32, seed: u64, make: impl Fn(&mut Generator, &mut Terms, u32) -> TermId) {
    let mut generator = Generator { random: Rng::with_seed(seed), widest_product: 9 };
    let (mut terms, mut bits, mut z3) = (Terms::new(), BitBlaster::new(), Z3::new());
    let (hint, effort) = (Model::new(), Effort(20_000));
    let (mut sat, mut unsat) = (0, 0);
    for round in 0..rounds {
        let count = generator.random.usize(1..5);
        let constraints: Vec<TermId> = (0..count).map(|_| make(&mut generator, &mut terms, round)).collect();
        let (goal, path) = constraints.split_last().expect("at least one");
        let query = Query::new(path, *goal, &hint, effort);
        let answers = [("bits", bits.solve(&mut terms, &query)), ("z3", z3.solve(&mut terms, &query))];
        for (name, answer) in &answers {
            check_answer(name, &mut terms, &constraints, answer);
        }
        match (&answers[0].1, &answers[1].1) {
            (Answer::Sat(_), Answer::Sat(_)) => sat += 1,
            (Answer::Unsat(ours), Answer::Unsat(theirs)) => {
                unsat += 1;
                // Each solver finds the other's core contradictory too.
                for (core, other) in [(theirs, &mut bits as &mut dyn Solver), (ours, &mut z3)] {
                    let (goal, path) = core.split_last().expect("not empty");
                    let again = other.solve(&mut terms, &Query::new(path, *goal, &hint, effort));
                    assert!(!matches!(again, Answer::Sat(_)), "round {round}: {core:?} is not a core of {constraints:?}");
                }
            }
            (Answer::Unknown(_), _) | (_, Answer::Unknown(_)) => {}
            (ours, theirs) => panic!("round {round}: bits {ours:?}, z3 {theirs:?}"),
        }
    }
    let decided = sat + unsat;
    assert!(decided * 10 >= rounds * 9 && sat > rounds / 20 && unsat > rounds / 20, "{sat} sat, {unsat} unsat of {rounds}");
}

#[test]
fn small_widths() {
    agree(&[1, 2, 3, 4, 5, 6, 7, 8], 600, 1);
}

#[test]
fn middle_widths() {
    agree(&[9, 10, 11, 12, 13, 14, 15, 16], 240, 2);
}

#[test]
fn large_widths() {
    agree(&[33, 64, 100], 150, 3);
}

#[test]
fn floats() {
    // Z3 4.8.12 gives up on formats that are much smaller.
    agree_on(80, 4, |generator, terms, _| generator.float_condition(terms, (5, 8), 2));
}
