//! Simple values that keep to a path.

use super::*;
use xcute_term::{Op, Sort};

struct Bench {
    terms: Terms,
    path: Vec<TermId>,
    input: Model,
    shapes: Vec<(VarId, Shape)>,
}

impl Bench {
    fn new() -> Bench {
        Bench { terms: Terms::new(), path: Vec::new(), input: Model::new(), shapes: Vec::new() }
    }

    fn var(&mut self, name: &str, bits: u32, shape: Shape, word: u64) -> TermId {
        let term = self.terms.var(name, Sort::BitVec(bits));
        let var = self.terms.find_var(name).unwrap();
        self.input.set_word(var, word);
        self.shapes.push((var, shape));
        term
    }

    fn must(&mut self, op: Op, a: TermId, b: TermId) {
        let condition = self.terms.mk(op, &[a, b]);
        self.path.push(condition);
    }

    fn words(self) -> Vec<u64> {
        let mut search = Search::new(&self.terms, &self.path, self.input, self.shapes, Interrupt::never());
        search.run();
        search.input.words().iter().map(|w| w.1).collect()
    }
}

#[test]
fn numbers_come_as_close_to_zero_as_the_path_allows() {
    let mut b = Bench::new();
    let high = b.var("high", 32, Shape::Signed(32), 70_000);
    let low = b.var("low", 32, Shape::Signed(32), (-70_000i32).cast_unsigned().into());
    b.var("free", 64, Shape::Unsigned, 1 << 60);
    let big = b.var("big", 32, Shape::Unsigned, 0xffff_fff0);
    let (hundred, minus, bound) = (b.terms.bv(32, 100), b.terms.bv(32, 0xffff_fff0), b.terms.bv(32, 0x8000_0000));
    b.must(Op::BvSlt, hundred, high);
    b.must(Op::BvSlt, low, minus);
    b.must(Op::BvUlt, bound, big);
    assert_eq!(b.words(), [101, 0xffff_ffef, 0, 0x8000_0001]);
}

#[test]
fn equal_ones_stay_equal() {
    let mut b = Bench::new();
    let (x, y) = (b.var("x", 32, Shape::Signed(32), 77), b.var("y", 32, Shape::Signed(32), 77));
    b.must(Op::Eq, x, y);
    assert_eq!(b.words(), [0, 0]);
}

#[test]
fn characters_are_printable_pointers_null_and_floats_round() {
    let mut b = Bench::new();
    let c = b.var("c", 8, Shape::Character, 200);
    let kept = b.var("kept", 8, Shape::Character, u64::from(b'x'));
    let (space, x) = (b.terms.bv(8, 0x20), b.terms.bv(8, u64::from(b'x')));
    b.must(Op::BvUlt, space, c);
    b.must(Op::Eq, kept, x);
    for (name, domain) in [("may", vec![0, 64]), ("must", vec![64])] {
        b.var(name, 64, Shape::Pointer, 64);
        let var = b.terms.find_var(name).unwrap();
        b.terms.set_domain(var, domain);
    }
    b.var("f", 64, Shape::Float(64), 1e9f64.to_bits());
    assert_eq!(b.words(), [u64::from(b'a'), u64::from(b'x'), 0, 64, 0]);
}

#[test]
fn terms_and_integers_are_simplified() {
    use xcute_term::{CtorId, DataSort, DataSortId, Field, Value};
    let mut b = Bench::new();
    let id = DataSortId(0);
    let sort = Sort::Data(id);
    let field = |name: &str, sort| Field { name: name.to_owned(), sort };
    let ctors = vec![("leaf".to_owned(), vec![field("n", Sort::Int)]), ("pair".to_owned(), vec![field("a", sort), field("b", sort)])];
    b.terms.declare_data(DataSort { name: "tree".into(), ctors });
    let (leaf, pair) = (CtorId { sort: id, index: 0 }, CtorId { sort: id, index: 1 });
    let data = |ctor, fields| Value::Data(std::sync::Arc::new(xcute_term::DataValue { ctor, fields }));
    let number = |n: i64| data(leaf, vec![Value::Int(n.into())]);
    let x = b.terms.var("x", sort);
    let n = b.terms.var("n", Sort::Int);
    let (x_var, n_var) = (b.terms.find_var("x").unwrap(), b.terms.find_var("n").unwrap());
    b.input.set(x_var, data(pair, vec![data(pair, vec![number(7), number(8)]), number(-7719)]));
    b.input.set(n_var, Value::Int(123_456.into()));
    // The second part is a leaf below -5, n is above 1000.
    let second = b.terms.mk(Op::Select(pair, 1), &[x]);
    let value = b.terms.mk(Op::Select(leaf, 0), &[second]);
    let (minus, thousand) = (b.terms.value(Value::Int((-5).into())), b.terms.value(Value::Int(1000.into())));
    let is_pair = b.terms.mk(Op::IsCtor(pair), &[x]);
    b.path.push(is_pair);
    b.must(Op::Lt, value, minus);
    b.must(Op::Lt, thousand, n);
    let mut search = Search::new(&b.terms, &b.path, b.input, b.shapes, Interrupt::never());
    search.run();
    assert_eq!(search.input.value(&b.terms, n_var), Value::Int(1001.into()));
    assert_eq!(search.input.value(&b.terms, x_var), data(pair, vec![number(0), number(-6)]));
}
