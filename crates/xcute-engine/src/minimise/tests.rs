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
