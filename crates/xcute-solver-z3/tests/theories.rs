//! One query or more per theory; every model is evaluated.

use std::sync::Arc;

use xcute_solver::{Answer, Effort, Query, Solver, Why};
use xcute_solver_z3::Z3;
use xcute_term::eval::Evaluator;
use xcute_term::{CtorId, DataSort, DataValue, Field, FloatFormat, Model, Op, Rounding, Sort, TermId, Terms, Value};

const NEAREST: Rounding = Rounding::NearestEven;

/// Solves and, if there is a model, checks it; says whether there was one.
fn satisfiable(terms: &mut Terms, constraints: &[TermId]) -> Option<Model> {
    let (goal, path) = constraints.split_last().expect("a goal");
    let answer = Z3::new().solve(terms, &Query::new(path, *goal, &Model::new(), Effort(1_000_000)));
    match answer {
        Answer::Sat(model) => {
            let mut evaluator = Evaluator::new();
            evaluator.load(&model);
            for &t in constraints {
                assert!(evaluator.eval_bool(terms, t), "{model:?} violates {:?}", terms.op(t));
            }
            Some(model)
        }
        Answer::Unsat(core) => {
            assert!(!core.is_empty() && core.iter().all(|t| constraints.contains(t)));
            None
        }
        Answer::Unknown(why) => panic!("undecided: {why:?}"),
    }
}

fn double(terms: &mut Terms, x: f64) -> TermId {
    terms.value(Value::from_word(Sort::F64, x.to_bits()))
}

fn int(terms: &mut Terms, n: i64) -> TermId {
    terms.value(Value::Int(n.into()))
}

fn text(terms: &mut Terms, s: &str) -> TermId {
    terms.value(Value::Str(s.into()))
}

#[test]
fn floats_square_root_of_a_constant() {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::F64);
    let (square, low, high) = (double(&mut terms, 2.25), double(&mut terms, 0.5), double(&mut terms, 100.0));
    let xx = terms.mk(Op::FpMul(NEAREST), &[x, x]);
    let constraints = [terms.mk(Op::FpEq, &[xx, square]), terms.mk(Op::FpLt, &[low, x]), terms.mk(Op::FpLt, &[x, high])];
    let model = satisfiable(&mut terms, &constraints).expect("1.5");
    assert_eq!(model.word(terms.vars(x).first().expect("a variable")), Some(1.5f64.to_bits()));
}

#[test]
fn floats_bits_and_corner_cases() {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::F32);
    let bits = terms.mk(Op::FpToBits, &[x]);
    let pattern = terms.bv(32, 0x7fc1_2345);
    let is_nan = terms.mk(Op::FpIsNan, &[x]);
    let payload = terms.mk(Op::Eq, &[bits, pattern]);
    assert!(satisfiable(&mut terms, &[is_nan, payload]).is_some(), "a NaN with a payload");

    // What arithmetic makes of it is the standard NaN.
    let sum = terms.mk(Op::FpAdd(NEAREST), &[x, x]);
    let (sum_bits, standard) = (terms.mk(Op::FpToBits, &[sum]), terms.bv(32, 0x7fc0_0000));
    let same = terms.mk(Op::Eq, &[sum_bits, standard]);
    let other = terms.not(same);
    assert!(satisfiable(&mut terms, &[payload, same]).is_some());
    assert!(satisfiable(&mut terms, &[payload, other]).is_none());

    // Out of range gives the sign bit alone; in range it does not.
    let huge = terms.value(Value::from_word(Sort::F32, 3e9f32.to_bits().into()));
    let whole = terms.mk(Op::FpToSbv(Rounding::Zero, 32), &[x]);
    let indefinite = terms.bv(32, 0x8000_0000);
    let (above, is_indefinite) = (terms.mk(Op::FpLt, &[huge, x]), terms.mk(Op::Eq, &[whole, indefinite]));
    let differs = terms.not(is_indefinite);
    assert!(satisfiable(&mut terms, &[above, is_indefinite]).is_some());
    assert!(satisfiable(&mut terms, &[above, differs]).is_none());
    let seven = terms.bv(32, 7);
    let is_seven = terms.mk(Op::Eq, &[whole, seven]);
    assert!(satisfiable(&mut terms, &[is_seven]).is_some());
}

#[test]
fn floats_every_operator_has_a_translation() {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::Float(FloatFormat::new(3, 4)));
    let y = terms.var("y", Sort::Float(FloatFormat::new(3, 4)));
    let w = terms.var("w", Sort::BitVec(5));
    let mut results = Vec::new();
    for rounding in [NEAREST, Rounding::NearestAway, Rounding::Up, Rounding::Down, Rounding::Zero] {
        for op in [Op::FpAdd(rounding), Op::FpSub(rounding), Op::FpMul(rounding), Op::FpDiv(rounding)] {
            results.push(terms.mk(op, &[x, y]));
        }
        results.push(terms.mk(Op::FpFma(rounding), &[x, y, x]));
        for op in [
            Op::FpSqrt(rounding),
            Op::FpRound(rounding),
            Op::FpToFp(rounding, FloatFormat::new(4, 5)),
            Op::FpToSbv(rounding, 5),
            Op::FpToUbv(rounding, 5),
        ] {
            results.push(terms.mk(op, &[x]));
        }
        for op in [Op::FpFromSbv(rounding, FloatFormat::new(3, 4)), Op::FpFromUbv(rounding, FloatFormat::new(3, 4))] {
            results.push(terms.mk(op, &[w]));
        }
    }
    for op in [Op::FpRem, Op::FpMin, Op::FpMax, Op::FpEq, Op::FpLt, Op::FpLe] {
        results.push(terms.mk(op, &[x, y]));
    }
    for op in [Op::FpNeg, Op::FpAbs, Op::FpIsNan, Op::FpIsInf, Op::FpIsZero, Op::FpToBits] {
        results.push(terms.mk(op, &[x]));
    }
    // At random points, the operator has the value that evaluation says, and no other.
    let mut random = fastrand::Rng::with_seed(7);
    let mut evaluator = Evaluator::new();
    for t in results {
        let mut path = Vec::new();
        for input in [x, y, w] {
            let (var, sort) = (terms.vars(input).first().expect("a variable"), terms.sort(input));
            let value = Value::from_word(sort, random.u64(0..1 << sort.width().expect("words")));
            evaluator.set(var, value.clone());
            let value = terms.value(value);
            let same = match sort {
                Sort::BitVec(_) => terms.mk(Op::Eq, &[input, value]),
                _ => {
                    let (a, b) = (terms.mk(Op::FpToBits, &[input]), terms.mk(Op::FpToBits, &[value]));
                    terms.mk(Op::Eq, &[a, b])
                }
            };
            path.push(same);
        }
        let expected = evaluator.eval(&terms, t);
        let value = terms.value(expected);
        let same = terms.mk(Op::Eq, &[t, value]);
        let other = terms.not(same);
        path.push(same);
        assert!(satisfiable(&mut terms, &path).is_some(), "{:?} as evaluation has it", terms.op(t));
        path.pop();
        path.push(other);
        assert!(satisfiable(&mut terms, &path).is_none(), "{:?} only as evaluation has it", terms.op(t));
    }
    let remainder = terms.mk(Op::FpFmod, &[x, y]);
    let goal = terms.mk(Op::FpEq, &[remainder, x]);
    let answer = Z3::new().solve(&mut terms, &Query::new(&[], goal, &Model::new(), Effort(1000)));
    assert_eq!(answer, Answer::Unknown(Why::Unsupported));
}

#[test]
fn integers_linear_system_and_division() {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::Int);
    let y = terms.var("y", Sort::Int);
    let (sum, difference) = (terms.mk(Op::Add, &[x, y]), terms.mk(Op::Sub, &[x, y]));
    let (a, b) = (int(&mut terms, 1_000_000_000_000), int(&mut terms, -4));
    let system = [terms.mk(Op::Eq, &[sum, a]), terms.mk(Op::Eq, &[difference, b])];
    let model = satisfiable(&mut terms, &system).expect("has a solution");
    assert_eq!(model.value(&terms, terms.vars(x).first().expect("a variable")), Value::Int(499_999_999_998i64.into()));

    let (minus_two, three, zero) = (int(&mut terms, -2), int(&mut terms, 3), int(&mut terms, 0));
    let quotient = terms.mk(Op::IntDiv, &[x, minus_two]);
    let rest = terms.mk(Op::IntMod, &[x, minus_two]);
    let (is_three, odd) = (terms.mk(Op::Eq, &[quotient, three]), terms.mk(Op::Lt, &[zero, rest]));
    assert!(satisfiable(&mut terms, &[is_three, odd]).is_some());

    // By zero: as evaluation has it.
    let (by_y, mod_y, y_zero) = (terms.mk(Op::IntDiv, &[x, y]), terms.mk(Op::IntMod, &[x, y]), terms.mk(Op::Eq, &[y, zero]));
    let (div_zero, mod_x) = (terms.mk(Op::Eq, &[by_y, zero]), terms.mk(Op::Eq, &[mod_y, x]));
    for holds in [div_zero, mod_x] {
        let fails = terms.not(holds);
        assert!(satisfiable(&mut terms, &[y_zero, holds]).is_some());
        assert!(satisfiable(&mut terms, &[y_zero, fails]).is_none());
    }

    let wide = terms.var("wide", Sort::BitVec(70));
    for (op, n) in [(Op::BvToNat, 5), (Op::BvToInt, -5)] {
        let (value, n) = (terms.mk(op, &[wide]), int(&mut terms, n));
        let is_n = terms.mk(Op::Eq, &[value, n]);
        assert!(satisfiable(&mut terms, &[is_n]).is_some());
    }
    let (low, byte) = (terms.mk(Op::IntToBv(8), &[x]), terms.bv(8, 0xfe));
    let goal = terms.mk(Op::Eq, &[low, byte]);
    assert!(satisfiable(&mut terms, &[goal]).is_some());
}

#[test]
fn reals_and_what_has_no_fraction() {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::Real);
    let real = |terms: &mut Terms, n: i64| terms.value(Value::Real(num_rational::BigRational::from_integer(n.into())));
    let (one, two, three, zero) = (real(&mut terms, 1), real(&mut terms, 2), real(&mut terms, 3), real(&mut terms, 0));
    let third = terms.mk(Op::Div, &[one, three]);
    let (sum, positive) = (terms.mk(Op::Add, &[x, third]), terms.mk(Op::Lt, &[zero, x]));
    let goal = terms.mk(Op::Eq, &[sum, one]);
    assert!(satisfiable(&mut terms, &[positive, goal]).is_some());
    let n = terms.mk(Op::ToInt, &[x]);
    let (back, seven) = (terms.mk(Op::ToReal, &[n]), real(&mut terms, 7));
    let (whole, not_whole) = (terms.mk(Op::Eq, &[back, seven]), terms.mk(Op::Lt, &[back, x]));
    assert!(satisfiable(&mut terms, &[whole, not_whole]).is_some());

    let xx = terms.mk(Op::Mul, &[x, x]);
    let goal = terms.mk(Op::Eq, &[xx, two]);
    let answer = Z3::new().solve(&mut terms, &Query::new(&[], goal, &Model::new(), Effort(100_000)));
    assert_eq!(answer, Answer::Unknown(Why::Unsupported), "the root of two is not a fraction");
}

#[test]
fn strings() {
    let mut terms = Terms::new();
    let s = terms.var("s", Sort::Str);
    let (prefix, length, six) = (text(&mut terms, "né\\\""), terms.mk(Op::StrLen, &[s]), int(&mut terms, 6));
    let (begins, is_six) = (terms.mk(Op::StrPrefixOf, &[prefix, s]), terms.mk(Op::Eq, &[length, six]));
    let model = satisfiable(&mut terms, &[begins, is_six]).expect("has a solution");
    let Value::Str(found) = model.value(&terms, terms.vars(s).first().expect("a variable")) else { panic!("a string") };
    assert!(found.starts_with("né\\\"") && found.chars().count() == 6, "{found:?}");

    let (zero, one, three) = (int(&mut terms, 0), int(&mut terms, 1), int(&mut terms, 3));
    let (at, sub) = (terms.mk(Op::StrAt, &[s, one]), terms.mk(Op::StrSubstr, &[s, one, three]));
    let (b, bcd, x) = (text(&mut terms, "b"), text(&mut terms, "bcd"), text(&mut terms, "x"));
    let (at_b, sub_bcd) = (terms.mk(Op::Eq, &[at, b]), terms.mk(Op::Eq, &[sub, bcd]));
    assert!(satisfiable(&mut terms, &[at_b, sub_bcd, is_six]).is_some());
    let (index, contains, ends) =
        (terms.mk(Op::StrIndexOf, &[s, b, zero]), terms.mk(Op::StrContains, &[s, bcd]), terms.mk(Op::StrSuffixOf, &[b, s]));
    let at_three = terms.mk(Op::Eq, &[index, three]);
    assert!(satisfiable(&mut terms, &[at_three, contains, ends]).is_some());
    let contains_not = terms.not(contains);
    assert!(satisfiable(&mut terms, &[contains, contains_not]).is_none());

    let (replaced, twice) = (terms.mk(Op::StrReplace, &[s, b, x]), terms.mk(Op::StrConcat, &[x, b]));
    let goal = terms.mk(Op::Eq, &[replaced, twice]);
    assert!(satisfiable(&mut terms, &[goal]).is_some());
    let (number, shown) = (terms.mk(Op::StrToInt, &[s]), terms.mk(Op::StrFromInt, &[three]));
    let (is_three, differs) = (terms.mk(Op::Eq, &[number, three]), terms.mk(Op::Eq, &[s, shown]));
    assert!(satisfiable(&mut terms, &[is_three, differs]).is_some());
    let (less, at_most) = (terms.mk(Op::StrLt, &[b, s]), terms.mk(Op::StrLe, &[s, bcd]));
    assert!(satisfiable(&mut terms, &[less, at_most]).is_some());
}

#[test]
fn strings_codes_and_replacing_all() {
    let mut terms = Terms::new();
    let s = terms.var("s", Sort::Str);
    let code = terms.mk(Op::StrToCode, &[s]);
    let omega = int(&mut terms, 0x3c9);
    let goal = terms.mk(Op::Eq, &[code, omega]);
    let model = satisfiable(&mut terms, &[goal]).expect("has a solution");
    assert_eq!(model.value(&terms, terms.vars(s).first().expect("a variable")), Value::Str("ω".into()));
    let (character, omega_text) = (terms.mk(Op::StrFromCode, &[omega]), text(&mut terms, "ω"));
    let same = terms.mk(Op::Eq, &[character, omega_text]);
    let goal = terms.mk(Op::Eq, &[s, character]);
    assert!(satisfiable(&mut terms, &[same, goal]).is_some());

    let (a, b, aba) = (text(&mut terms, "a"), text(&mut terms, "b"), text(&mut terms, "aba"));
    let is_aba = terms.mk(Op::Eq, &[s, aba]);
    let (all, bbb) = (terms.mk(Op::StrReplaceAll, &[s, a, b]), text(&mut terms, "bbb"));
    let goal = terms.mk(Op::Eq, &[all, bbb]);
    // Translated, but old versions of Z3 do not decide it; a wrong answer would be worse.
    let (path, hint) = ([is_aba], Model::new());
    let query = Query::new(&path, goal, &hint, Effort(10_000));
    let answer = Z3::new().solve(&mut terms, &query);
    let expected = Value::Str("aba".into());
    match answer {
        Answer::Sat(model) => assert_eq!(model.value(&terms, terms.vars(s).first().expect("a variable")), expected),
        other => assert_eq!(other, Answer::Unknown(Why::Unsupported)),
    }
}

/// Lists of 8-bit numbers: nil | cons(head, tail).
fn lists(terms: &mut Terms) -> (Sort, CtorId, CtorId) {
    let id = terms.next_data();
    let fields = vec![Field { name: "head".into(), sort: Sort::BitVec(8) }, Field { name: "tail".into(), sort: Sort::Data(id) }];
    terms.declare_data(DataSort { name: "list".into(), ctors: vec![("nil".into(), vec![]), ("cons".into(), fields)] });
    (Sort::Data(id), CtorId { sort: id, index: 0 }, CtorId { sort: id, index: 1 })
}

#[test]
fn data_the_shape_of_a_list() {
    let mut terms = Terms::new();
    let (sort, nil, cons) = lists(&mut terms);
    let l = terms.var("l", sort);
    let tail = terms.mk(Op::Select(cons, 1), &[l]);
    let (first, second) = (terms.mk(Op::Select(cons, 0), &[l]), terms.mk(Op::Select(cons, 0), &[tail]));
    let end = terms.mk(Op::Select(cons, 1), &[tail]);
    let constraints = [
        terms.mk(Op::IsCtor(cons), &[l]),
        terms.mk(Op::IsCtor(cons), &[tail]),
        terms.mk(Op::IsCtor(nil), &[end]),
        terms.mk(Op::BvUlt, &[second, first]),
    ];
    let model = satisfiable(&mut terms, &constraints).expect("has a solution");
    let Value::Data(data) = model.value(&terms, terms.vars(l).first().expect("a variable")) else { panic!("a list") };
    assert_eq!(data.ctor, cons);

    // The selector of another constructor gives the default.
    let (empty, zero) = (terms.mk(Op::IsCtor(nil), &[l]), terms.bv(8, 0));
    let head_zero = terms.mk(Op::Eq, &[first, zero]);
    let head_other = terms.not(head_zero);
    assert!(satisfiable(&mut terms, &[empty, head_zero]).is_some());
    assert!(satisfiable(&mut terms, &[empty, head_other]).is_none());

    let nil_value = Value::Data(Arc::new(DataValue { ctor: nil, fields: vec![] }));
    let one = Value::Data(Arc::new(DataValue { ctor: cons, fields: vec![Value::bits(8, 1), nil_value] }));
    let (one, x) = (terms.value(one), terms.var("x", Sort::BitVec(8)));
    let built = terms.mk(Op::Construct(cons), &[x, l]);
    let goal = terms.mk(Op::Eq, &[built, one]);
    assert!(satisfiable(&mut terms, &[goal]).is_some());
}

#[test]
fn data_types_that_mention_each_other_and_floats() {
    let mut terms = Terms::new();
    let tree = terms.next_data();
    let forest = xcute_term::DataSortId(tree.0 + 1);
    let field = |name: &str, sort| Field { name: name.into(), sort };
    terms.declare_data(DataSort {
        name: "tree".into(),
        ctors: vec![("node".into(), vec![field("weight", Sort::F64), field("children", Sort::Data(forest))])],
    });
    terms.declare_data(DataSort {
        name: "forest".into(),
        ctors: vec![("none".into(), vec![]), ("more".into(), vec![field("first", Sort::Data(tree)), field("rest", Sort::Data(forest))])],
    });
    let (node, more) = (CtorId { sort: tree, index: 0 }, CtorId { sort: forest, index: 1 });
    let t = terms.var("t", Sort::Data(tree));
    let children = terms.mk(Op::Select(node, 1), &[t]);
    let has_child = terms.mk(Op::IsCtor(more), &[children]);
    let first = terms.mk(Op::Select(more, 0), &[children]);
    let weights = [t, first].map(|t| terms.mk(Op::Select(node, 0), &[t]));
    let heavier = terms.mk(Op::FpLt, &weights);
    assert!(satisfiable(&mut terms, &[has_child, heavier]).is_some());
}

#[test]
fn effort_ends_and_the_solver_goes_on() {
    let (mut terms, mut solver) = (Terms::new(), Z3::new());
    let x = terms.var("x", Sort::BitVec(64));
    let y = terms.var("y", Sort::BitVec(64));
    let (xy, one) = (terms.mk(Op::BvMul, &[x, y]), terms.bv(64, 1));
    let product = terms.bv(64, 2_147_483_647 * 2_147_483_629);
    let hard = terms.mk(Op::Eq, &[xy, product]);
    let bound = terms.bv(64, 1 << 32);
    let path = [(one, x), (x, bound), (one, y), (y, bound)].map(|(a, b)| terms.mk(Op::BvUlt, &[a, b]));
    let mut ask = |goal, effort| solver.solve(&mut terms, &Query::new(&path, goal, &Model::new(), Effort(effort)));
    assert_eq!(ask(hard, 100), Answer::Unknown(Why::Effort));
    assert!(matches!(ask(path[0], 10_000), Answer::Sat(_)), "an easy question after a hard one, with a goal that is in the path");
}

#[test]
fn scopes_follow_the_path() {
    let (mut terms, mut solver) = (Terms::new(), Z3::with_limit(200));
    let x = terms.var("x", Sort::BitVec(16));
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..200 {
        let mut bounds = Vec::new();
        let (mut low, mut high) = (0u64, 0xffff);
        for _ in 0..random.usize(1..6) {
            let n = random.u64(0..0x1_0000);
            let constant = terms.bv(16, n);
            if random.bool() {
                bounds.push(terms.mk(Op::BvUle, &[constant, x]));
                low = low.max(n);
            } else {
                bounds.push(terms.mk(Op::BvUle, &[x, constant]));
                high = high.min(n);
            }
        }
        let (goal, path) = bounds.split_last().expect("at least one");
        match solver.solve(&mut terms, &Query::new(path, *goal, &Model::new(), Effort(10_000))) {
            Answer::Sat(patch) => assert!((low..=high).contains(&patch.word(terms.vars(x).first().expect("a variable")).unwrap_or(0))),
            Answer::Unsat(core) => {
                assert!(low > high && core.iter().all(|t| bounds.contains(t)));
                // The core is as contradictory as the query.
                let (goal, path) = core.split_last().expect("not empty");
                let again = Z3::new().solve(&mut terms, &Query::new(path, *goal, &Model::new(), Effort(10_000)));
                assert!(matches!(again, Answer::Unsat(_)));
            }
            Answer::Unknown(why) => panic!("{why:?}"),
        }
    }
    assert!(solver.restarts() > 0, "the limit was reached");
}
