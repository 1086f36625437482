//! Values worth trying: the ends of the float format, and what the constants of the query suggest.

use num_bigint::BigInt;
use num_traits::{FromPrimitive as _, ToPrimitive as _};
use rustc_hash::FxHashSet;
use xcute_term::{Op, Rounding, Sort, TermId, Terms, Value, VarId, eval};

/// How many terms of a query are looked at for constants.
const TERMS: usize = 2000;
/// How many constants are combined with each other.
const CONSTANTS: usize = 8;

/// The candidates of each variable, without duplicates, in a fixed order.
pub(super) fn of(terms: &Terms, constraints: &[TermId], vars: &[(VarId, Sort)]) -> Vec<Vec<u64>> {
    let constants = constants(terms, constraints);
    vars.iter().map(|&(_, sort)| for_sort(terms, &constants, sort)).collect()
}

fn for_sort(terms: &Terms, constants: &[(Sort, u64)], sort: Sort) -> Vec<u64> {
    let own: Vec<u64> = constants.iter().filter(|c| c.0 == sort).map(|c| c.1).take(CONSTANTS).collect();
    let mut out = Vec::new();
    if let Sort::Float(format) = sort {
        for &word in &own {
            suggested(terms, sort, word, &own, &mut out);
        }
        let (infinity, sign) = (format.infinity(), format.sign());
        let one = infinity >> 1 & infinity;
        let binade = 1 << (format.significand() - 1);
        let special = [0, one, one + binade, one - binade, infinity - 1, infinity, 1, format.nan()];
        out.extend(special.iter().flat_map(|&word| [word, word | sign]));
    } else {
        let mask = u64::MAX >> (64 - sort.width().unwrap_or(1));
        out.extend(own.iter().flat_map(|&word| [word, word.wrapping_add(1) & mask, word.wrapping_sub(1) & mask]));
        out.extend([0, 1, mask, mask >> 1]);
    }
    let mut seen = FxHashSet::default();
    out.retain(|&word| seen.insert(word));
    out
}

/// A constant, its neighbours, its negation, its root, and what other constants make with it.
fn suggested(terms: &Terms, sort: Sort, word: u64, others: &[u64], out: &mut Vec<u64>) {
    const NEAREST: Rounding = Rounding::NearestEven;
    let Sort::Float(format) = sort else { return };
    let neighbours = format.place(word).into_iter().flat_map(|at| [at, at + 1, at - 1]).filter_map(|at| format.at_place(at));
    out.extend(neighbours);
    let value = |word| Value::from_word(sort, word);
    let mut apply = |op, args: &[Value]| out.extend(eval::apply(terms, op, sort, args).as_u64());
    apply(Op::FpNeg, &[value(word)]);
    apply(Op::FpSqrt(NEAREST), &[value(word)]);
    for &other in others {
        for op in [Op::FpAdd(NEAREST), Op::FpSub(NEAREST), Op::FpMul(NEAREST), Op::FpDiv(NEAREST)] {
            apply(op, &[value(word), value(other)]);
        }
    }
}

/// The constants of the constraints that are words.
fn constants(terms: &Terms, constraints: &[TermId]) -> Vec<(Sort, u64)> {
    all(terms, constraints).into_iter().filter_map(|t| terms.as_u64(t).map(|word| (terms.sort(t), word))).collect()
}

/// The constants of the constraints, in the order of a walk from the goal back.
fn all(terms: &Terms, constraints: &[TermId]) -> Vec<TermId> {
    let mut seen = FxHashSet::default();
    let mut stack: Vec<TermId> = constraints.to_vec();
    let mut out = Vec::new();
    while let Some(t) = stack.pop() {
        if seen.len() >= TERMS || !seen.insert(t) {
            continue;
        }
        if terms.as_value(t).is_some() {
            out.push(t);
        }
        stack.extend_from_slice(terms.args(t));
    }
    out
}

/// Numbers that the constants of the constraints suggest, simple ones first: integers, and doubles as such and as their bits.
pub(super) fn numbers(terms: &Terms, constraints: &[TermId]) -> Vec<(Sort, Value)> {
    let (mut doubles, mut integers) = (Vec::new(), Vec::new());
    for value in all(terms, constraints).into_iter().filter_map(|t| terms.as_value(t)) {
        match value {
            Value::Int(number) if integers.len() < CONSTANTS => integers.push(number.clone()),
            Value::Float(..) if value.sort() == Sort::F64 && doubles.len() < CONSTANTS => {
                doubles.extend(value.as_u64().map(f64::from_bits))
            }
            _ => {}
        }
    }
    let whole: Vec<BigInt> = doubles.iter().filter_map(|double| BigInt::from_f64(double.round())).collect();
    doubles.extend(integers.iter().filter_map(BigInt::to_f64));
    integers.extend(whole);
    let near = doubles.iter().flat_map(|x| [*x, x + 1.0, x - 1.0]).chain([0.0, 1.0, -1.0, 0.5]);
    let next = doubles.iter().flat_map(|x| [x.next_up(), x.next_down()]).chain([f64::MAX, f64::MIN, f64::from_bits(1), f64::MIN_POSITIVE]);
    let doubles: Vec<u64> = near.chain(next).filter(|x| x.is_finite()).map(f64::to_bits).collect();
    let integers = integers.iter().flat_map(|n| [n.clone(), n + 1, n - 1]).chain([0, 1, -1].map(BigInt::from));
    let integers = integers.map(|n| (Sort::Int, Value::Int(n)));
    let bits = doubles.iter().map(|&word| (Sort::BitVec(64), Value::bits(64, word)));
    let doubles = doubles.iter().map(|&word| (Sort::F64, Value::from_word(Sort::F64, word)));
    let mut seen = FxHashSet::default();
    integers.chain(bits).chain(doubles).filter(|number| seen.insert(number.clone())).collect()
}
