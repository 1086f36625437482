//! The evaluator as a solver layer uses it: one table, many assignments.

use xcute_term::eval::{self, Evaluator};
use xcute_term::{Model, Op, Sort, Terms, Value, VarId};

fn var(terms: &Terms, name: &str) -> VarId {
    terms.find_var(name).expect("declared")
}

#[test]
fn assignments_change_and_results_follow() {
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", Sort::BitVec(8)), terms.var("y", Sort::BitVec(100)));
    let one = terms.bv(8, 1);
    let sum = terms.mk(Op::BvAdd, &[x, one]);
    let wide = terms.mk(Op::ZeroExt(100), &[sum]);
    let equal = terms.mk(Op::Eq, &[wide, y]);
    let mut evaluator = Evaluator::new();
    assert_eq!(evaluator.eval_word(&terms, sum), 1, "a variable without a value is zero");
    assert!(!evaluator.eval_bool(&terms, equal));
    evaluator.set(var(&terms, "y"), Value::bits(100, 1));
    assert!(evaluator.eval_bool(&terms, equal));
    evaluator.set_word(var(&terms, "x"), 255);
    assert_eq!(evaluator.eval(&terms, sum), Value::bits(8, 0));
    assert!(!evaluator.eval_bool(&terms, equal), "y keeps its value");
    let mut model = Model::new();
    model.set_word(var(&terms, "x"), 7);
    evaluator.load(&model);
    assert_eq!(evaluator.eval_word(&terms, sum), 8);
    assert_eq!(evaluator.eval(&terms, y), Value::bits(100, 0), "a model replaces the whole assignment");
    // Terms that are built later are evaluated by the same table.
    let later = terms.mk(Op::BvMul, &[sum, x]);
    assert_eq!(evaluator.eval_word(&terms, later), 56);
}

#[test]
fn depth_does_not_matter() {
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", Sort::BitVec(32)), terms.var("y", Sort::BitVec(32)));
    let mut t = x;
    let mut expected: u32 = 3;
    for _ in 0..200_000 {
        let product = terms.mk(Op::BvMul, &[t, y]);
        t = terms.mk(Op::BvXor, &[product, x]);
        expected = expected.wrapping_mul(5) ^ 3;
    }
    let mut evaluator = Evaluator::new();
    evaluator.set_word(var(&terms, "x"), 3);
    evaluator.set_word(var(&terms, "y"), 5);
    assert_eq!(evaluator.eval_word(&terms, t), u64::from(expected));
}

#[test]
fn smtlib_meanings() {
    let terms = Terms::new();
    let byte = |word: u64| Value::bits(8, word);
    let int = |n: i64| Value::Int(n.into());
    let text = |s: &str| Value::Str(s.into());
    let b8 = Sort::BitVec(8);
    let table: Vec<(Op, Sort, Vec<Value>, Value)> = vec![
        (Op::BvUdiv, b8, vec![byte(7), byte(0)], byte(255)),
        (Op::BvUrem, b8, vec![byte(7), byte(0)], byte(7)),
        (Op::BvSdiv, b8, vec![byte(7), byte(0)], byte(255)),
        (Op::BvSdiv, b8, vec![byte(249), byte(0)], byte(1)),
        (Op::BvSdiv, b8, vec![byte(128), byte(255)], byte(128)),
        (Op::BvSrem, b8, vec![byte(249), byte(3)], byte(255)),
        (Op::BvShl, b8, vec![byte(1), byte(8)], byte(0)),
        (Op::BvAshr, b8, vec![byte(128), byte(200)], byte(255)),
        (Op::IntDiv, Sort::Int, vec![int(-7), int(2)], int(-4)),
        (Op::IntMod, Sort::Int, vec![int(-7), int(2)], int(1)),
        (Op::IntDiv, Sort::Int, vec![int(-7), int(-2)], int(4)),
        (Op::IntMod, Sort::Int, vec![int(-7), int(-2)], int(1)),
        (Op::StrIndexOf, Sort::Int, vec![text("abcb"), text("b"), int(2)], int(3)),
        (Op::StrIndexOf, Sort::Int, vec![text("abc"), text(""), int(3)], int(3)),
        (Op::StrIndexOf, Sort::Int, vec![text("abc"), text(""), int(4)], int(-1)),
        (Op::StrReplace, Sort::Str, vec![text("abab"), text(""), text("c")], text("cabab")),
        (Op::StrReplaceAll, Sort::Str, vec![text("abab"), text("a"), text("cc")], text("ccbccb")),
        (Op::StrSubstr, Sort::Str, vec![text("héllo"), int(1), int(3)], text("éll")),
        (Op::StrToInt, Sort::Int, vec![text("007")], int(7)),
        (Op::StrToInt, Sort::Int, vec![text("-7")], int(-1)),
        (Op::StrFromCode, Sort::Str, vec![int(0x30000)], text("")),
    ];
    for (op, sort, args, expected) in table {
        assert_eq!(eval::apply(&terms, op, sort, &args), expected, "{op:?} {args:?}");
    }
}
