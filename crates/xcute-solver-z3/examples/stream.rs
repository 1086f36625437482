//! Streams of queries as a concolic run makes them, timed for each backend (checking its models included): `cargo run --release --example stream [paths [backend]]`.
//!
//! A path is a list of conditions that hold under a random input; for each condition, the query is its negation under all the
//! conditions before it. Stream `ints` has 32-bit inputs and sums and products of them, stream `bytes` has 8-bit inputs that are
//! concatenated and compared as a parser does, stream `hash` mixes multiplication, remainder and shifts, stream `longer` has paths of
//! 200 conditions, and stream `doubles` has sums and products of doubles.
#![allow(clippy::print_stdout, reason = "a program to look at")]

use fastrand::Rng;
use xcute_solver::{Answer, Effort, Fallback, FloatSearch, Query, Solver};
use xcute_solver_bits::BitBlaster;
use xcute_solver_z3::Z3;
use xcute_term::eval::Evaluator;
use xcute_term::{Model, Op, Rounding, Sort, TermId, Terms, Value};

struct Path {
    conditions: Vec<TermId>,
    negations: Vec<TermId>,
    hint: Model,
}

fn inputs(terms: &mut Terms, count: usize, width: u32) -> Vec<TermId> {
    (0..count).map(|i| terms.var(&format!("in{width}_{i}"), Sort::BitVec(width))).collect()
}

fn compare(terms: &mut Terms, random: &mut Rng, a: TermId, b: TermId) -> TermId {
    let op = random.choice([Op::Eq, Op::BvSlt, Op::BvSle, Op::BvUlt, Op::BvSlt]).expect("not empty");
    terms.mk(op, &[a, b])
}

fn int_condition(terms: &mut Terms, random: &mut Rng) -> TermId {
    let vars = inputs(terms, 16, 32);
    let (x, y) = (vars[random.usize(..16)], vars[random.usize(..16)]);
    let constant = terms.bv(32, random.u64(0..1000));
    let left = match random.u8(0..4) {
        0 => x,
        1 => terms.mk(Op::BvAdd, &[x, constant]),
        2 => terms.mk(Op::BvSub, &[x, y]),
        _ => {
            let factor = terms.bv(32, random.u64(2..20));
            terms.mk(Op::BvMul, &[x, factor])
        }
    };
    let right = if random.bool() { constant } else { y };
    compare(terms, random, left, right)
}

fn byte_condition(terms: &mut Terms, random: &mut Rng) -> TermId {
    let vars = inputs(terms, 24, 8);
    let at = random.usize(..20);
    match random.u8(0..4) {
        0 => {
            let low = terms.mk(Op::Concat, &[vars[at + 1], vars[at]]);
            let high = terms.mk(Op::Concat, &[vars[at + 3], vars[at + 2]]);
            let word = terms.mk(Op::Concat, &[high, low]);
            let constant = terms.bv(32, random.u64(0..1 << 32));
            compare(terms, random, word, constant)
        }
        1 => {
            let wide = terms.mk(Op::ZeroExt(32), &[vars[at]]);
            let digit = terms.bv(32, u64::from(b'0'));
            let value = terms.mk(Op::BvSub, &[wide, digit]);
            let ten = terms.bv(32, 10);
            terms.mk(Op::BvUlt, &[value, ten])
        }
        _ => {
            let constant = terms.bv(8, random.u64(0..256));
            compare(terms, random, vars[at], constant)
        }
    }
}

fn hash_condition(terms: &mut Terms, random: &mut Rng) -> TermId {
    let vars = inputs(terms, 4, 16);
    let x = vars[random.usize(..4)];
    let y = vars[random.usize(..4)];
    let constant = terms.bv(16, random.u64(1..1 << 16));
    let seven = terms.bv(16, random.u64(2..40));
    let product = terms.mk(Op::BvMul, &[x, y]);
    let rest = terms.mk(Op::BvUrem, &[product, seven]);
    let shifted = terms.mk(Op::BvShl, &[x, rest]);
    let mixed = terms.mk(Op::BvXor, &[shifted, product]);
    compare(terms, random, mixed, constant)
}

fn double_condition(terms: &mut Terms, random: &mut Rng) -> TermId {
    let vars: Vec<TermId> = (0..4).map(|i| terms.var(&format!("d{i}"), Sort::F64)).collect();
    let (x, y) = (vars[random.usize(..4)], vars[random.usize(..4)]);
    let constant = f64::from(random.i32(-400..400)) / 4.0;
    let constant = terms.value(Value::from_word(Sort::F64, constant.to_bits()));
    let nearest = Rounding::NearestEven;
    let left = match random.u8(0..4) {
        0 => x,
        1 => terms.mk(Op::FpAdd(nearest), &[x, y]),
        2 => terms.mk(Op::FpMul(nearest), &[x, constant]),
        _ => terms.mk(Op::FpMul(nearest), &[x, y]),
    };
    let op = random.choice([Op::FpEq, Op::FpLt, Op::FpLe, Op::FpLt]).expect("not empty");
    terms.mk(op, &[left, constant])
}

fn path(terms: &mut Terms, random: &mut Rng, length: usize, make: fn(&mut Terms, &mut Rng) -> TermId) -> Path {
    let conditions: Vec<TermId> = (0..length).map(|_| make(terms, random)).collect();
    let mut hint = Model::new();
    let mut vars: Vec<_> = conditions.iter().flat_map(|&t| terms.vars(t)).collect();
    vars.sort_unstable();
    vars.dedup();
    for var in vars {
        let small = random.bool();
        hint.set_word(
            var,
            match terms.info(var).sort {
                Sort::BitVec(width) => random.u64(0..1 << if small { 6 } else { width }),
                _ => (f64::from(random.i32(-1000..1000)) / 8.0).to_bits(),
            },
        );
    }
    let mut evaluator = Evaluator::new();
    evaluator.load(&hint);
    let mut path = Path { conditions: Vec::new(), negations: Vec::new(), hint };
    for t in conditions {
        if terms.as_value(t).is_some() {
            continue;
        }
        let not = terms.not(t);
        let holds = evaluator.eval_bool(terms, t);
        path.conditions.push(if holds { t } else { not });
        path.negations.push(if holds { not } else { t });
    }
    path
}

fn run(name: &str, solver: &mut dyn Solver, terms: &mut Terms, paths: &[Path]) {
    let mut evaluator = Evaluator::new();
    let (mut sat, mut unsat, mut unknown, mut changed, mut core) = (0u32, 0u32, 0u32, 0usize, 0usize);
    let before_all = processor_nanoseconds();
    for path in paths {
        for (i, &goal) in path.negations.iter().enumerate() {
            let before = &path.conditions[..i];
            let answer = solver.solve(terms, &Query::new(before, goal, &path.hint, Effort(10_000)));
            match answer {
                Answer::Sat(patch) => {
                    sat += 1;
                    changed += patch.words().len();
                    evaluator.load(&path.hint.patched(&patch));
                    assert!(before.iter().chain([&goal]).all(|&t| evaluator.eval_bool(terms, t)), "{name}: a wrong model");
                }
                Answer::Unsat(terms) => {
                    unsat += 1;
                    core += terms.len();
                }
                Answer::Unknown(_) => unknown += 1,
            }
        }
    }
    let queries = sat + unsat + unknown;
    println!(
        "  {name:<16} {:>9.1} us/query   {sat} sat ({:.1} values changed)  {unsat} unsat (core {:.1})  {unknown} unknown",
        (processor_nanoseconds() - before_all) as f64 / 1000.0 / f64::from(queries),
        changed as f64 / f64::from(sat.max(1)),
        core as f64 / f64::from(unsat.max(1)),
    );
}

/// The processor time that this program has used: on a busy machine the clock on the wall says little.
fn processor_nanoseconds() -> u64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

fn main() {
    let count: usize = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100);
    let only = std::env::args().nth(2);
    type Make = fn(&mut Terms, &mut Rng) -> TermId;
    let streams: [(&str, usize, usize, Make); 5] = [
        ("ints", count, 40, int_condition),
        ("bytes", count, 40, byte_condition),
        ("hash", count / 10, 6, hash_condition),
        ("longer", count / 10, 200, int_condition),
        ("doubles", count / 10, 8, double_condition),
    ];
    for (name, count, length, make) in streams {
        let mut terms = Terms::new();
        let mut random = Rng::with_seed(42);
        let paths: Vec<Path> = (0..count).map(|_| path(&mut terms, &mut random, length, make)).collect();
        println!("{name}: {count} paths of {length} conditions, {} terms", terms.len());
        let both: Vec<Box<dyn Solver>> = vec![Box::new(FloatSearch::new()), Box::new(BitBlaster::new())];
        let backends: [(&str, &mut dyn Solver); 4] = [
            ("bits", &mut BitBlaster::new()),
            ("search", &mut FloatSearch::new()),
            ("search then bits", &mut Fallback::new(both)),
            ("z3", &mut Z3::new()),
        ];
        for (backend, solver) in backends {
            let concerned = name == "doubles" || !backend.starts_with("search");
            if concerned && only.as_ref().is_none_or(|only| only == backend) {
                run(backend, solver, &mut terms, &paths);
            }
        }
    }
}
