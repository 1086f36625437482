//! The conformance suite beyond words: floats, unbounded integers, strings and algebraic data, a few known queries each.

use xcute_term::{CtorId, DataSort, DataValue, Field, Op, Rounding, Sort, TermId, Terms, Value, VarId};

use super::Exam;
use crate::solver::Solver;

/// IEEE doubles: order, arithmetic, what is not a number.
pub fn floats(solver: &mut dyn Solver, claimed: bool) {
    let mut exam = Exam::new(solver, claimed);
    let terms = &mut exam.terms;
    let x = terms.var("x", Sort::F64);
    let double = |terms: &mut Terms, d: f64| terms.value(Value::from_word(Sort::F64, d.to_bits()));
    let (half, limit, square) = (double(terms, 0.5), double(terms, 100.0), double(terms, 2.25));
    let above = terms.mk(Op::FpLt, &[half, x]);
    let below = terms.mk(Op::FpLt, &[x, limit]);
    let product = terms.mk(Op::FpMul(Rounding::NearestEven), &[x, x]);
    let root = terms.mk(Op::FpEq, &[product, square]);
    let reversed = terms.mk(Op::FpLt, &[x, half]);
    let same = terms.mk(Op::FpEq, &[x, x]);
    let odd = terms.not(same);
    let nan = terms.mk(Op::FpIsNan, &[x]);
    let number = terms.not(nan);
    exam.expect(&[below, above], true);
    exam.hint.set(VarId(0), Value::from_word(Sort::F64, 1f64.to_bits()));
    exam.expect(&[above, below, root], true);
    exam.expect(&[above, reversed], false);
    exam.expect(&[odd], true);
    exam.expect(&[number, odd], false);
}

/// Unbounded integers: linear constraints, division and remainder.
pub fn integers(solver: &mut dyn Solver, claimed: bool) {
    let mut exam = Exam::new(solver, claimed);
    let terms = &mut exam.terms;
    let (x, y) = (terms.var("x", Sort::Int), terms.var("y", Sort::Int));
    let int = |terms: &mut Terms, n: i64| terms.value(Value::Int(n.into()));
    let (two, ten) = (int(terms, 2), int(terms, 10));
    let double = terms.mk(Op::Mul, &[two, x]);
    let even = terms.mk(Op::Eq, &[double, y]);
    let large = terms.mk(Op::Lt, &[ten, y]);
    let rest = terms.mk(Op::IntMod, &[y, two]);
    let one = int(terms, 1);
    let odd = terms.mk(Op::Eq, &[rest, one]);
    let less = terms.mk(Op::Lt, &[x, y]);
    let more = terms.mk(Op::Le, &[y, x]);
    exam.expect(&[even, large], true);
    exam.expect(&[even, odd], false);
    exam.hint.set(VarId(1), Value::Int(1.into()));
    exam.expect(&[less, more], false);
}

/// Strings: length, parts, order of concatenation.
pub fn strings(solver: &mut dyn Solver, claimed: bool) {
    let mut exam = Exam::new(solver, claimed);
    let terms = &mut exam.terms;
    let s = terms.var("s", Sort::Str);
    let text = |terms: &mut Terms, t: &str| terms.value(Value::Str(t.into()));
    let (prefix, other) = (text(terms, "ab"), text(terms, "b"));
    let starts = terms.mk(Op::StrPrefixOf, &[prefix, s]);
    let length = terms.mk(Op::StrLen, &[s]);
    let four = terms.value(Value::Int(4.into()));
    let long = terms.mk(Op::Eq, &[length, four]);
    let wrong = terms.mk(Op::StrPrefixOf, &[other, s]);
    exam.hint.set(VarId(0), Value::Str("ab".into()));
    exam.expect(&[starts, long], true);
    exam.expect(&[starts, wrong], false);
}

/// Algebraic data: a list, its constructors and selectors.
pub fn algebraic_data(solver: &mut dyn Solver, claimed: bool) {
    let mut exam = Exam::new(solver, claimed);
    let terms = &mut exam.terms;
    let id = terms.next_data();
    let field = |name: &str, sort| Field { name: name.to_owned(), sort };
    let cons = vec![field("head", Sort::BitVec(8)), field("tail", Sort::Data(id))];
    terms.declare_data(DataSort { name: "list".to_owned(), ctors: vec![("nil".to_owned(), vec![]), ("cons".to_owned(), cons)] });
    let (nil, cons) = (CtorId { sort: id, index: 0 }, CtorId { sort: id, index: 1 });
    let list = terms.var("l", Sort::Data(id));
    let full = terms.mk(Op::IsCtor(cons), &[list]);
    let empty = terms.mk(Op::IsCtor(nil), &[list]);
    let head: TermId = terms.mk(Op::Select(cons, 0), &[list]);
    let seven = terms.bv(8, 7);
    let lucky = terms.mk(Op::Eq, &[head, seven]);
    exam.expect(&[full], true);
    let nothing = exam.terms.default_value(Sort::Data(id));
    let one = DataValue { ctor: cons, fields: vec![Value::bits(8, 0), nothing] };
    exam.hint.set(VarId(0), Value::Data(one.into()));
    exam.expect(&[full, empty], false);
    exam.expect(&[full, lucky], true);
}
