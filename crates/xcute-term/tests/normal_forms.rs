//! What rewriting makes of the patterns that C programs are full of, and how it is printed.

use xcute_term::{FloatFormat, Op, Rounding, Sort, TermId, Terms, Value, print};

/// Small words for building terms in the tables below.
struct B(Terms);

impl B {
    fn x(&mut self) -> TermId {
        self.0.var("x", Sort::BitVec(32))
    }
    fn y(&mut self) -> TermId {
        self.0.var("y", Sort::BitVec(32))
    }
    fn byte(&mut self, i: usize) -> TermId {
        self.0.var(&format!("b{i}"), Sort::BitVec(8))
    }
    fn c(&mut self) -> TermId {
        self.0.var("c", Sort::Bool)
    }
    fn f(&mut self) -> TermId {
        self.0.var("f", Sort::F32)
    }
    fn k(&mut self, width: u32, word: u64) -> TermId {
        self.0.bv(width, word)
    }
    fn mk(&mut self, op: Op, args: &[TermId]) -> TermId {
        self.0.mk(op, args)
    }
    /// The C idiom for a truth value: a bit of the given width.
    fn flag(&mut self, condition: TermId, width: u32) -> TermId {
        let (one, zero) = (self.k(width, 1), self.k(width, 0));
        self.mk(Op::Ite, &[condition, one, zero])
    }
    fn bytes_of(&mut self, t: TermId) -> Vec<TermId> {
        (0..self.0.width(t) / 8).map(|i| self.mk(Op::Extract(8 * i + 7, 8 * i), &[t])).collect()
    }
    fn joined(&mut self, bytes: &[TermId]) -> TermId {
        bytes[1..].iter().fold(bytes[0], |low, &high| self.mk(Op::Concat, &[high, low]))
    }
}

type Build = fn(&mut B) -> TermId;

fn check(table: &[(&str, Build)]) {
    for (expected, build) in table {
        let mut b = B(Terms::new());
        let t = build(&mut b);
        assert_eq!(print::human(&b.0, t), *expected);
    }
}

#[test]
fn equations_are_solved() {
    check(&[
        ("x == 4", |b| {
            let (x, one, five) = (b.x(), b.k(32, 1), b.k(32, 5));
            let sum = b.mk(Op::BvAdd, &[one, x]);
            b.mk(Op::Eq, &[five, sum])
        }),
        // 0xCBF29CE5 * x is a bijection of 32 bits.
        ("x == 7", |b| {
            let (x, odd, seven) = (b.x(), b.k(32, 0xCBF2_9CE5), b.k(32, 7));
            let (left, right) = (b.mk(Op::BvMul, &[x, odd]), b.mk(Op::BvMul, &[seven, odd]));
            b.mk(Op::Eq, &[left, right])
        }),
        ("b1 == 18 && b0 == 52", |b| {
            let (high, low, k) = (b.byte(1), b.byte(0), b.k(16, 0x1234));
            let word = b.mk(Op::Concat, &[high, low]);
            let t = b.mk(Op::Eq, &[word, k]);
            // The order of conjuncts is the order in which they were first built.
            assert_eq!(b.0.args(t).len(), 2);
            t
        }),
        ("false", |b| {
            let (x, k) = (b.byte(0), b.k(32, 256));
            let wide = b.mk(Op::ZeroExt(32), &[x]);
            b.mk(Op::Eq, &[wide, k])
        }),
        ("b0 == -1", |b| {
            let (x, k) = (b.byte(0), b.k(32, u64::MAX));
            let wide = b.mk(Op::SignExt(32), &[x]);
            b.mk(Op::Eq, &[wide, k])
        }),
        ("x == y", |b| {
            let (x, y, zero) = (b.x(), b.y(), b.k(32, 0));
            let difference = b.mk(Op::BvSub, &[x, y]);
            b.mk(Op::Eq, &[difference, zero])
        }),
        ("x[7:0] == 3", |b| {
            let (x, two, k) = (b.x(), b.k(32, 2), b.k(8, 5));
            let sum = b.mk(Op::BvAdd, &[x, two]);
            let low = b.mk(Op::Extract(7, 0), &[sum]);
            b.mk(Op::Eq, &[low, k])
        }),
    ]);
}

#[test]
fn comparisons_have_one_form() {
    check(&[
        ("x >= 6", |b| {
            let (x, five) = (b.x(), b.k(32, 5));
            b.mk(Op::BvSlt, &[five, x])
        }),
        ("x >= 6", |b| {
            let (x, six) = (b.x(), b.k(32, 6));
            let below = b.mk(Op::BvSlt, &[x, six]);
            b.0.not(below)
        }),
        ("x <u 6", |b| {
            let (x, five) = (b.x(), b.k(32, 5));
            b.mk(Op::BvUle, &[x, five])
        }),
        ("b0 < 10", |b| {
            let (x, ten) = (b.byte(0), b.k(32, 10));
            let wide = b.mk(Op::SignExt(32), &[x]);
            b.mk(Op::BvSlt, &[wide, ten])
        }),
        ("b0 <u 200", |b| {
            let (x, k) = (b.byte(0), b.k(32, 200));
            let wide = b.mk(Op::ZeroExt(32), &[x]);
            b.mk(Op::BvSlt, &[wide, k])
        }),
        ("x != 0", |b| {
            let (x, zero) = (b.x(), b.k(32, 0));
            b.mk(Op::BvUlt, &[zero, x])
        }),
        ("x < 0", |b| {
            let (x, k, one) = (b.x(), b.k(32, 31), b.k(32, 1));
            let sign = b.mk(Op::BvLshr, &[x, k]);
            b.mk(Op::Eq, &[sign, one])
        }),
    ]);
}

#[test]
fn truth_values_stay_conditions() {
    check(&[
        ("c", |b| {
            let c = b.c();
            let (flag, zero) = (b.flag(c, 32), b.k(32, 0));
            let same = b.mk(Op::Eq, &[flag, zero]);
            b.0.not(same)
        }),
        // i1 -> i8 -> i1 -> i32, as a C bool goes through memory.
        ("c", |b| {
            let c = b.c();
            let flag = b.flag(c, 1);
            let byte = b.mk(Op::ZeroExt(8), &[flag]);
            let bit = b.mk(Op::Extract(0, 0), &[byte]);
            let int = b.mk(Op::ZeroExt(32), &[bit]);
            let one = b.k(32, 1);
            b.mk(Op::Eq, &[int, one])
        }),
        ("!c", |b| {
            let c = b.c();
            let (flag, one) = (b.flag(c, 1), b.k(1, 1));
            let flipped = b.mk(Op::BvXor, &[flag, one]);
            b.mk(Op::Eq, &[flipped, one])
        }),
        ("c && x < 5", |b| {
            let (c, x, five) = (b.c(), b.x(), b.k(32, 5));
            let below = b.mk(Op::BvSlt, &[x, five]);
            let (first, second) = (b.flag(c, 1), b.flag(below, 1));
            let zero = b.k(1, 0);
            let both = b.mk(Op::Ite, &[c, second, zero]);
            assert_ne!(first, both);
            let one = b.k(1, 1);
            b.mk(Op::Eq, &[both, one])
        }),
        // (x < 5) ^ !c, in int.
        ("c == (x < 5)", |b| {
            let (c, x, five) = (b.c(), b.x(), b.k(32, 5));
            let below = b.mk(Op::BvSlt, &[x, five]);
            let not = b.0.not(c);
            let (first, second, zero) = (b.flag(below, 32), b.flag(not, 32), b.k(32, 0));
            let xor = b.mk(Op::BvXor, &[first, second]);
            let same = b.mk(Op::Eq, &[xor, zero]);
            b.0.not(same)
        }),
        ("c || x >= 5", |b| {
            let (c, x, five) = (b.c(), b.x(), b.k(32, 5));
            let above = b.mk(Op::BvSle, &[five, x]);
            b.mk(Op::Or, &[c, above])
        }),
    ]);
}

#[test]
fn stored_words_come_back() {
    for signed in [false, true] {
        let mut b = B(Terms::new());
        let (x, y) = (b.x(), b.y());
        let sum = b.mk(Op::BvAdd, &[x, y]);
        let byte = b.byte(0);
        let half = b.0.var("h", Sort::BitVec(16));
        let extension = if signed { Op::SignExt(32) } else { Op::ZeroExt(32) };
        let (from_byte, from_half) = (b.mk(extension, &[byte]), b.mk(extension, &[half]));
        let (five, mask) = (b.k(32, 5), b.k(32, 0xFFF0));
        let (shifted, masked) = (b.mk(Op::BvShl, &[x, five]), b.mk(Op::BvAnd, &[x, mask]));
        for word in [x, sum, from_byte, from_half, shifted, masked] {
            let bytes = b.bytes_of(word);
            assert_eq!(b.joined(&bytes), word, "{}", print::human(&b.0, word));
            // Put together from the other end.
            let upwards = bytes[..3].iter().rev().fold(bytes[3], |high, &low| b.mk(Op::Concat, &[high, low]));
            assert_eq!(upwards, word, "{}", print::human(&b.0, word));
        }
    }
}

#[test]
fn bytes_are_not_taken_for_neighbours() {
    check(&[("x[31:24] ++ x[15:8]", |b| {
        let x = b.x();
        let (high, low) = (b.mk(Op::Extract(31, 24), &[x]), b.mk(Op::Extract(15, 8), &[x]));
        b.mk(Op::Concat, &[high, low])
    })]);
}

#[test]
fn bytes_make_words_by_shift_and_or() {
    for op in [Op::BvOr, Op::BvAdd, Op::BvXor] {
        let mut b = B(Terms::new());
        let bytes: Vec<TermId> = (0..4).map(|i| b.byte(i)).collect();
        let direct = b.joined(&bytes);
        let mut word = b.k(32, 0);
        for (i, &byte) in bytes.iter().enumerate() {
            let (wide, by) = (b.mk(Op::ZeroExt(32), &[byte]), b.k(32, 8 * i as u64));
            let shifted = b.mk(Op::BvShl, &[wide, by]);
            word = b.mk(op, &[shifted, word]);
        }
        assert_eq!(word, direct, "{}", print::human(&b.0, word));
    }
}

#[test]
fn floats_are_compared_where_they_come_from() {
    let double = |b: &mut B, x: f64| b.0.value(Value::from_word(Sort::F64, x.to_bits()));
    let mut b = B(Terms::new());
    let (f, x) = (b.f(), b.x());
    let wide = b.mk(Op::FpToFp(Rounding::NearestEven, FloatFormat::DOUBLE), &[f]);
    let from_int = b.mk(Op::FpFromSbv(Rounding::NearestEven, FloatFormat::DOUBLE), &[x]);
    for (constant, left, expected) in
        [(1.5, wide, "1.5f < f"), (10.5, from_int, "x >= 11"), (1e10, from_int, "false"), (-1e10, from_int, "true")]
    {
        let k = double(&mut b, constant);
        let t = b.mk(Op::FpLt, &[k, left]);
        assert_eq!(print::human(&b.0, t), expected);
    }
}
