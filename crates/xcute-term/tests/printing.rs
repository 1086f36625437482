//! SMT-LIB and human output, small exactly and large in size.

use xcute_term::{CtorId, DataSort, Field, Op, Sort, Terms, Value, print};

#[test]
fn a_query_is_a_whole_script() {
    let mut terms = Terms::new();
    let list = terms.next_data();
    let field = |name: &str, sort| Field { name: name.into(), sort };
    let cons = ("cons".into(), vec![field("head", Sort::Int), field("tail", Sort::Data(list))]);
    terms.declare_data(DataSort { name: "list".into(), ctors: vec![("nil".into(), vec![]), cons] });
    let l = terms.var("l", Sort::Data(list));
    let head = terms.mk(Op::Select(CtorId { sort: list, index: 1 }, 0), &[l]);
    let minus_three = terms.value(Value::Int((-3).into()));
    let equal = terms.mk(Op::Eq, &[head, minus_three]);
    let (x, y) = (terms.var("main:x", Sort::BitVec(32)), terms.var("y", Sort::BitVec(32)));
    terms.set_domain(terms.find_var("y").expect("declared"), vec![16, 0]);
    let product = terms.mk(Op::BvMul, &[x, y]);
    let square = terms.mk(Op::BvMul, &[product, product]);
    let below = terms.mk(Op::BvUlt, &[square, x]);
    let s = terms.var("s", Sort::Str);
    let text = terms.value(Value::Str("a\"\\é".into()));
    let same = terms.mk(Op::Eq, &[s, text]);
    let expected = r#"(set-logic ALL)
(declare-datatypes ((|list| 0)) (((|nil|) (|cons| (|head| Int) (|tail| |list|)))))
(declare-const |l| |list|)
(declare-const |main:x| (_ BitVec 32))
(declare-const |y| (_ BitVec 32))
(declare-const |s| String)
(assert (or false (= |y| #x00000000) (= |y| #x00000010)))
(define-fun $tN () (_ BitVec 32) (bvmul |main:x| |y|))
(assert (= (|head| |l|) (- 3)))
(assert (bvult (bvmul $tN $tN) |main:x|))
(assert (= |s| "a""\u{5c}\u{e9}"))
(check-sat)
"#;
    let name = format!("$t{}", product.index());
    assert_eq!(print::smtlib_query(&terms, &[equal, below, same]), expected.replace("$tN", &name));
    assert_eq!(print::smtlib(&terms, below), format!("(let (({name} (bvmul |main:x| |y|))) (bvult (bvmul {name} {name}) |main:x|))"));
}

#[test]
fn shared_and_deep_terms_print_in_linear_size() {
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", Sort::BitVec(8)), terms.var("y", Sort::BitVec(8)));
    // As a tree, this has 2^200 leaves.
    let mut shared = x;
    for _ in 0..200 {
        let product = terms.mk(Op::BvMul, &[shared, shared]);
        shared = terms.mk(Op::BvUdiv, &[product, y]);
    }
    assert!(print::smtlib(&terms, shared).len() < 20_000);
    assert!(print::human(&terms, shared).len() < 10_000);
    let mut deep = x;
    for _ in 0..100_000 {
        deep = terms.mk(Op::BvUdiv, &[deep, y]);
    }
    assert!(print::smtlib(&terms, deep).len() < 100_000 * 40);
    assert!(print::human(&terms, deep).ends_with('y'));
}

#[test]
fn people_read_c() {
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", Sort::BitVec(32)), terms.var("y", Sort::BitVec(32)));
    let k = |terms: &mut Terms, word: u64| terms.bv(32, word);
    let (two, minus_one, byte) = (k(&mut terms, 2), k(&mut terms, u64::MAX), k(&mut terms, 0xFF));
    let less_one = terms.mk(Op::BvAdd, &[x, minus_one]);
    let product = terms.mk(Op::BvMul, &[less_one, y]);
    let shifted = terms.mk(Op::BvShl, &[x, two]);
    let low = terms.mk(Op::BvAnd, &[x, byte]);
    let quotient = terms.mk(Op::BvUdiv, &[shifted, y]);
    let both = terms.mk(Op::BvOr, &[low, quotient]);
    let less = terms.mk(Op::BvSlt, &[product, y]);
    let choice = terms.mk(Op::Ite, &[less, x, y]);
    for (t, expected) in [
        (product, "y * (x - 1)"),
        (both, "x & 0xff | (x << 2) /u y"),
        (less, "y * (x - 1) < y"),
        (choice, "y * (x - 1) < y ? x : y"),
        (minus_one, "-1"),
    ] {
        assert_eq!(print::human(&terms, t), expected);
    }
}
