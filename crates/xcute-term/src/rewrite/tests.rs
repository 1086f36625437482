//! Random terms of every operator: rewriting must keep the value, normal forms must be normal, negation must be an involution.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_rational::BigRational;
use proptest::prelude::*;

use super::*;
use crate::eval::Evaluator;
use crate::{CtorId, DataSort, Field, FloatFormat, Model, Rounding};

/// How many assignments every term is checked under.
const MODELS: usize = 6;

/// A term with the value it must have under each model, computed operator by operator without rewriting.
type Checked = (TermId, Vec<Value>);

struct World {
    terms: Terms,
    models: Vec<Model>,
    pool: BTreeMap<Sort, Vec<Checked>>,
    list: (CtorId, CtorId),
}

const SMALL: Sort = Sort::Float(FloatFormat::new(3, 5));

impl World {
    fn new(seed: u64, sorts: &[Sort]) -> World {
        let mut terms = Terms::new();
        let id = terms.next_data();
        let field = |name: &str, sort| Field { name: name.into(), sort };
        let cons = ("cons".into(), vec![field("head", Sort::BitVec(4)), field("tail", Sort::Data(id))]);
        terms.declare_data(DataSort { name: "list".into(), ctors: vec![("nil".into(), vec![]), cons] });
        let list = (CtorId { sort: id, index: 0 }, CtorId { sort: id, index: 1 });
        let mut world = World { terms, models: vec![Model::new(); MODELS], pool: BTreeMap::new(), list };
        let mut random = seed;
        for &sort in sorts {
            for n in 0..3 {
                let t = world.terms.var(&format!("{sort:?}{n}"), sort);
                let Op::Var(var) = world.terms.op(t) else { panic!("a variable") };
                let values: Vec<Value> = (0..MODELS).map(|_| world.random_value(sort, &mut random)).collect();
                for (model, value) in world.models.iter_mut().zip(&values) {
                    model.set(var, value.clone());
                }
                world.pool.entry(sort).or_default().push((t, values));
            }
        }
        world
    }

    fn random_value(&self, sort: Sort, random: &mut u64) -> Value {
        *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let word = *random >> 13;
        let special = [0, 1, u64::MAX, 1 << (sort.width().unwrap_or(8) - 1).min(63), 2, 7];
        let word = if word & 1 == 0 { special[(word >> 1) as usize % special.len()] } else { word >> 1 };
        match sort {
            Sort::Bool => Value::Bool(word & 1 == 1),
            Sort::BitVec(w) => Value::Bits(crate::Bits::from_big(w, &(num_bigint::BigUint::from(word) * 0x1_0000_0001u64))),
            Sort::Float(..) => Value::from_word(sort, word.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
            Sort::Int => Value::Int(BigInt::from(word as i64 % 9)),
            Sort::Real => Value::Real(BigRational::new(BigInt::from(word as i64 % 7), BigInt::from(word % 3 + 1))),
            Sort::Str => Value::Str(["", "a", "ab", "b1", "12", "aab"][word as usize % 6].into()),
            Sort::Data(_) => {
                let nil = self.terms.default_value(sort);
                if word & 1 == 0 {
                    return nil;
                }
                let fields = vec![Value::bits(4, word >> 1), nil];
                Value::Data(std::sync::Arc::new(crate::DataValue { ctor: self.list.1, fields }))
            }
        }
    }

    /// Some term of a sort; a constant now and then.
    fn pick(&mut self, sort: Sort, choice: u16) -> Checked {
        if choice.is_multiple_of(4) || !self.pool.contains_key(&sort) {
            let value = self.random_value(sort, &mut u64::from(choice).wrapping_mul(0x9E37_79B9));
            return (self.terms.value(value.clone()), vec![value; MODELS]);
        }
        let pool = &self.pool[&sort];
        // The youngest are the most interesting.
        let back = usize::from(choice / 4) % pool.len();
        pool[pool.len() - 1 - back.min(usize::from(choice / 512))].clone()
    }

    /// Builds a term and its reference values, and checks one against the other.
    fn build(&mut self, op: Op, args: &[Checked]) -> Result<(), TestCaseError> {
        let ids: Vec<TermId> = args.iter().map(|a| a.0).collect();
        let sort = result_sort(&self.terms, op, &ids);
        let t = self.terms.mk(op, &ids);
        let mut values = vec![];
        for (i, model) in self.models.iter().enumerate() {
            let arguments: Vec<Value> = args.iter().map(|a| a.1[i].clone()).collect();
            let expected = eval::apply(&self.terms, op, sort, &arguments);
            let mut evaluator = Evaluator::new();
            evaluator.load(model);
            let found = evaluator.eval(&self.terms, t);
            prop_assert_eq!(&found, &expected, "{:?} of {:?}\nrewritten to {}", op, &arguments, crate::print::human(&self.terms, t));
            values.push(expected);
        }
        prop_assert_eq!(self.terms.sort(t), sort);
        self.pool.entry(sort).or_default().push((t, values));
        Ok(())
    }

    /// Every node is in normal form, and negation is an involution.
    fn check_forms(&mut self) -> Result<(), TestCaseError> {
        for i in 0..self.terms.len() {
            let t = self.terms.nth(i);
            let (op, sort, args) = (self.terms.op(t), self.terms.sort(t), self.terms.args(t).to_vec());
            if !matches!(op, Op::Var(_) | Op::Const(_)) {
                let again = fold(&mut self.terms, op, sort, &args).or_else(|| simplify(&mut self.terms, op, sort, &args));
                let text = |r: TermId| crate::print::human(&self.terms, r);
                prop_assert!(again.is_none_or(|r| r == t), "{} is not normal: {}", text(t), again.map_or(String::new(), text));
            }
            if sort == Sort::Bool {
                let not = self.terms.not(t);
                prop_assert_ne!(not, t);
                prop_assert_eq!(self.terms.not(not), t, "not is not an involution on {:?}", op);
            }
        }
        Ok(())
    }
}

const ROUNDINGS: [Rounding; 5] = [Rounding::NearestEven, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero];

fn bits_step(world: &mut World, [which, x, y, z, k]: [u16; 5], widths: &[u32]) -> Result<(), TestCaseError> {
    use Op::*;
    let width = widths[usize::from(k) % widths.len()];
    let sort = Sort::BitVec(width);
    let binary = [
        BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvShl, BvLshr, BvAshr, BvAnd, BvOr, BvXor, BvUlt, BvUle, BvSlt, BvSle, Eq, Eq,
        Eq, BvUlt, BvSlt, BvUle, BvSle, BvAdd, BvAnd, BvOr,
    ];
    let (a, b) = (world.pick(sort, x), world.pick(sort, y));
    match usize::from(which) % 40 {
        i if i < binary.len() => world.build(binary[i], &[a, b]),
        27 => world.build(BvNot, &[a]),
        28 => world.build(BvNeg, &[a]),
        29 | 30 => {
            let (hi, lo) = (u32::from(y) % width, u32::from(z) % width);
            world.build(Extract(hi.max(lo), hi.min(lo)), &[a])
        }
        31 | 32 => {
            let to = widths.iter().copied().filter(|&w| w >= width).nth(usize::from(y) % 2).unwrap_or(width);
            world.build(if z % 2 == 0 { ZeroExt(to) } else { SignExt(to) }, &[a])
        }
        33 => {
            let low = world.pick(Sort::BitVec(widths[usize::from(z) % widths.len()]), y);
            world.build(Concat, &[a, low])
        }
        34 => {
            let c = world.pick(Sort::Bool, z);
            world.build(Ite, &[c, a, b])
        }
        n => bool_step(world, n, x, y, z),
    }
}

fn bool_step(world: &mut World, n: usize, x: u16, y: u16, z: u16) -> Result<(), TestCaseError> {
    let (p, q, r) = (world.pick(Sort::Bool, x), world.pick(Sort::Bool, y), world.pick(Sort::Bool, z));
    match n % 5 {
        0 => world.build(Op::Not, &[p]),
        1 => world.build(Op::And, &[p, q, r]),
        2 => world.build(Op::Or, &[p, q]),
        3 => world.build(Op::Ite, &[p, q, r]),
        _ => world.build(Op::Eq, &[p, q]),
    }
}

fn float_step(world: &mut World, [which, x, y, z, k]: [u16; 5]) -> Result<(), TestCaseError> {
    use Op::*;
    let formats = [Sort::F32, Sort::F64, SMALL];
    let sort = formats[usize::from(k) % 3];
    let rounding = ROUNDINGS[usize::from(k / 3) % 9 % 5];
    let Sort::Float(to) = formats[usize::from(z) % 3] else { panic!("a float") };
    let Sort::Float(format) = sort else { panic!("a float") };
    let (a, b, c) = (world.pick(sort, x), world.pick(sort, y), world.pick(sort, z));
    let width = [4, 8, 32, 70][usize::from(y) % 4];
    let bits = world.pick(Sort::BitVec(width), x);
    match usize::from(which) % 30 {
        0 => world.build(FpAdd(rounding), &[a, b]),
        1 => world.build(FpSub(rounding), &[a, b]),
        2 => world.build(FpMul(rounding), &[a, b]),
        3 => world.build(FpDiv(rounding), &[a, b]),
        4 => world.build(FpRem, &[a, b]),
        5 => world.build(FpFmod, &[a, b]),
        6 => world.build(FpSqrt(rounding), &[a]),
        7 => world.build(FpFma(rounding), &[a, b, c]),
        8 => world.build(FpRound(rounding), &[a]),
        9 => world.build(FpNeg, &[a]),
        10 => world.build(FpAbs, &[a]),
        11 => world.build(FpMin, &[a, b]),
        12 => world.build(FpMax, &[a, b]),
        13 | 14 => world.build(FpEq, &[a, b]),
        15 | 16 => world.build(FpLt, &[a, b]),
        17 | 18 => world.build(FpLe, &[a, b]),
        19 => world.build(FpIsNan, &[a]),
        20 => world.build(if y % 2 == 0 { FpIsInf } else { FpIsZero }, &[a]),
        21 | 22 => world.build(FpToFp(rounding, to), &[a]),
        23 => world.build(FpFromSbv(rounding, format), &[bits]),
        24 => world.build(FpFromUbv(rounding, format), &[bits]),
        25 => world.build(FpToSbv(rounding, width), &[a]),
        26 => world.build(FpToUbv(rounding, width), &[a]),
        27 => world.build(FpToBits, &[a]),
        28 => {
            let pattern = world.pick(Sort::BitVec(sort.width().unwrap_or(1)), x);
            world.build(FpFromBits(format), &[pattern])
        }
        _ => world.build(Eq, &[a, b]),
    }
}

fn other_step(world: &mut World, [which, x, y, z, k]: [u16; 5]) -> Result<(), TestCaseError> {
    use Op::*;
    let (nil, cons) = world.list;
    let number = if k % 3 == 0 { Sort::Real } else { Sort::Int };
    let (a, b) = (world.pick(number, x), world.pick(number, y));
    let (i, j) = (world.pick(Sort::Int, x), world.pick(Sort::Int, y));
    let (s, t, u) = (world.pick(Sort::Str, x), world.pick(Sort::Str, y), world.pick(Sort::Str, z));
    let (d, e) = (world.pick(Sort::Data(nil.sort), x), world.pick(Sort::Data(nil.sort), y));
    let bits = world.pick(Sort::BitVec(4), x);
    match usize::from(which) % 40 {
        n @ 0..=8 => world.build([Add, Sub, Mul, Lt, Le, Eq, Add, Sub, Lt][n], &[a, b]),
        9 => world.build(Neg, &[a]),
        10 => world.build(if k % 2 == 0 { IntDiv } else { IntMod }, &[i, j]),
        11 => world.build(ToReal, &[i]),
        12 => {
            let (r, q) = (world.pick(Sort::Real, x), world.pick(Sort::Real, y));
            if k % 2 == 0 { world.build(ToInt, &[r]) } else { world.build(Div, &[r, q]) }
        }
        13 => world.build(if k % 2 == 0 { BvToNat } else { BvToInt }, &[bits]),
        14 => world.build(IntToBv([3, 4, 70][usize::from(k) % 3]), &[i]),
        15 | 16 => world.build(StrConcat, &[s, t]),
        17 => world.build(StrLen, &[s]),
        18 => world.build(StrAt, &[s, j]),
        19 => world.build(StrSubstr, &[s, i, j]),
        20 => world.build([StrContains, StrPrefixOf, StrSuffixOf][usize::from(k) % 3], &[s, t]),
        21 => world.build(StrIndexOf, &[s, t, j]),
        22 => world.build(if k % 2 == 0 { StrReplace } else { StrReplaceAll }, &[s, t, u]),
        23 => world.build(if k % 2 == 0 { StrLt } else { StrLe }, &[s, t]),
        24 => world.build(if k % 2 == 0 { StrToInt } else { StrToCode }, &[s]),
        25 => world.build(if k % 2 == 0 { StrFromInt } else { StrFromCode }, &[i]),
        26 | 27 => world.build(Construct(cons), &[bits, d]),
        28 => world.build(Construct(nil), &[]),
        29 => world.build(Select(cons, 0), &[d]),
        30 => world.build(Select(cons, 1), &[d]),
        31 => world.build(IsCtor(if k % 2 == 0 { nil } else { cons }), &[d]),
        32 | 33 => world.build(Eq, &[d, e]),
        34 | 35 => world.build(Eq, &[s, t]),
        36 => {
            let c = world.pick(Sort::Bool, z);
            match k % 4 {
                0 => world.build(Ite, &[c, s, t]),
                1 => world.build(Ite, &[c, d, e]),
                _ => world.build(Ite, &[c, a, b]),
            }
        }
        n => bool_step(world, n, x, y, z),
    }
}

fn steps() -> impl Strategy<Value = Vec<[u16; 5]>> {
    proptest::collection::vec(any::<[u16; 5]>(), 1..40)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn bit_vectors_keep_their_value(seed: u64, steps in steps()) {
        let widths = [1, 3, 4, 8];
        let mut world = World::new(seed, &[Sort::Bool, Sort::BitVec(1), Sort::BitVec(3), Sort::BitVec(4), Sort::BitVec(8)]);
        for step in steps {
            bits_step(&mut world, step, &widths)?;
        }
        world.check_forms()?;
    }

    #[test]
    fn wide_bit_vectors_keep_their_value(seed: u64, steps in steps()) {
        let widths = [1, 8, 32, 64, 70, 128];
        let mut world = World::new(seed, &[Sort::Bool, Sort::BitVec(8), Sort::BitVec(32), Sort::BitVec(64), Sort::BitVec(70)]);
        for step in steps {
            bits_step(&mut world, step, &widths)?;
        }
        world.check_forms()?;
    }

    #[test]
    fn floats_keep_their_value(seed: u64, steps in steps()) {
        let mut world = World::new(seed, &[Sort::Bool, Sort::BitVec(8), Sort::BitVec(32), Sort::F32, Sort::F64, SMALL]);
        for step in steps {
            float_step(&mut world, step)?;
        }
        world.check_forms()?;
    }

    #[test]
    fn numbers_strings_and_data_keep_their_value(seed: u64, steps in steps()) {
        let mut world = World::new(seed, &[Sort::Bool, Sort::BitVec(4), Sort::Int, Sort::Real, Sort::Str]);
        for step in steps {
            other_step(&mut world, step)?;
        }
        world.check_forms()?;
    }
}

#[test]
fn bits_of_data_are_compared() {
    let mut terms = Terms::new();
    let field = crate::Field { name: "bits".into(), sort: Sort::BitVec(64) };
    let id = terms.declare_data(crate::DataSort { name: "box".into(), ctors: vec![("box".into(), vec![field])] });
    let ctor = crate::CtorId { sort: id, index: 0 };
    let bits = ["a", "b"].map(|name| {
        let data = terms.var(name, Sort::Data(id));
        terms.mk(Op::Select(ctor, 0), &[data])
    });
    let same = terms.mk(Op::Eq, &bits);
    assert_eq!(terms.op(same), Op::Eq);
}

#[test]
fn what_constants_do_to_floats_needs_no_arithmetic() {
    const NEAREST: Rounding = Rounding::NearestEven;
    let corners = [0.0, -0.0, 1.0, -3.5, f64::MAX, f64::MIN, f64::MIN_POSITIVE, 5e-324, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
    let half = 2_f64.powi(970);
    let constants =
        [0.0, 0.5, -1.0, 7.0, 1e300, half, half.next_down(), -half, -half.next_down(), f64::MAX, 1.0_f64.next_up(), 1.0_f64.next_down()];
    let mut spared = 0;
    for c in constants {
        for op in [Op::FpAdd(NEAREST), Op::FpSub(NEAREST), Op::FpMul(NEAREST), Op::FpDiv(NEAREST)] {
            for (asked, swapped) in [(Op::FpIsNan, false), (Op::FpIsInf, false), (Op::FpIsNan, true), (Op::FpIsInf, true)] {
                let mut terms = Terms::new();
                let x = terms.var("x", Sort::F64);
                let constant = terms.value(Value::from_word(Sort::F64, c.to_bits()));
                let made = terms.mk(op, &if swapped { [constant, x] } else { [x, constant] });
                let goal = terms.mk(asked, &[made]);
                spared += usize::from(terms.args(goal) == [x]);
                let var = terms.find_var("x").expect("it was made");
                for corner in corners {
                    let mut eval = Evaluator::new();
                    eval.load(&Model::from_words(vec![(var, corner.to_bits())]));
                    let (a, b) = if swapped { (c, corner) } else { (corner, c) };
                    let value = match op {
                        Op::FpAdd(_) => a + b,
                        Op::FpSub(_) => a - b,
                        Op::FpMul(_) => a * b,
                        _ => a / b,
                    };
                    let expected = if asked == Op::FpIsNan { value.is_nan() } else { value.is_infinite() };
                    assert_eq!(eval.eval_bool(&terms, goal), expected, "{asked:?} of {op:?} of {a:e} and {b:e}");
                }
            }
        }
    }
    assert!(spared > 100, "only {spared}");
}
