//! Brute force over small variables: whatever intervals say must hold for every assignment that satisfies the assumptions.

use proptest::prelude::*;

use super::*;
use crate::eval::Evaluator;

/// Terms over two variables of 4 bits, one of 2 bits and a Boolean, by a little stack machine.
struct World {
    terms: Terms,
    vars: Vec<(VarId, u64)>,
    bits: Vec<TermId>,
    bools: Vec<TermId>,
}

impl World {
    fn new(domain: bool) -> World {
        let mut terms = Terms::new();
        let mut bits = vec![];
        let mut vars = vec![];
        for (name, width) in [("x", 4), ("y", 4), ("z", 2)] {
            bits.push(terms.var(name, Sort::BitVec(width)));
            vars.push((terms.find_var(name).expect("declared"), 1 << width));
        }
        let c = terms.var("c", Sort::Bool);
        vars.push((terms.find_var("c").expect("declared"), 2));
        if domain {
            terms.set_domain(vars[0].0, vec![2, 3, 7, 12]);
        }
        World { terms, vars, bits, bools: vec![c] }
    }

    fn resized(&mut self, t: TermId, width: u32, signed: bool) -> TermId {
        match self.terms.width(t) {
            w if w > width => self.terms.mk(Op::Extract(width - 1, 0), &[t]),
            w if w < width => self.terms.mk(if signed { Op::SignExt(width) } else { Op::ZeroExt(width) }, &[t]),
            _ => t,
        }
    }

    fn step(&mut self, [which, x, y, k]: [u8; 4]) {
        use Op::*;
        let pick = |pool: &[TermId], n: u8| pool[usize::from(n) % pool.len()];
        let a = pick(&self.bits, x);
        let width = self.terms.width(a);
        let b = if k % 3 == 0 { self.terms.bv(width, (k / 3).into()) } else { pick(&self.bits, y) };
        let b = self.resized(b, width, k % 2 == 0);
        let (p, q) = (pick(&self.bools, x), pick(&self.bools, y));
        let binary = [BvAdd, BvSub, BvMul, BvUdiv, BvSdiv, BvUrem, BvSrem, BvShl, BvLshr, BvAshr, BvAnd, BvOr, BvXor];
        let tests = [BvUlt, BvUle, BvSlt, BvSle, Eq, BvUlt, BvUle, BvSlt, BvSle];
        match usize::from(which) % 36 {
            i @ 0..=12 => self.bits.push(self.terms.mk(binary[i], &[a, b])),
            i @ 13..=21 => self.bools.push(self.terms.mk(tests[i - 13], &[a, b])),
            22 => self.bits.push(self.terms.mk(BvNot, &[a])),
            23 => self.bits.push(self.terms.mk(BvNeg, &[a])),
            24 | 25 => {
                let wider = self.resized(a, width.min(6) + u32::from(k % 3), k % 2 == 0);
                self.bits.push(wider);
            }
            26 => {
                let (hi, lo) = (u32::from(y) % width, u32::from(k) % width);
                self.bits.push(self.terms.mk(Extract(hi.max(lo), hi.min(lo)), &[a]));
            }
            27 if width + self.terms.width(b) <= 10 => self.bits.push(self.terms.mk(Concat, &[a, b])),
            28 | 29 => self.bits.push(self.terms.mk(Ite, &[p, a, b])),
            30 => self.bools.push(self.terms.mk(And, &[p, q])),
            31 => self.bools.push(self.terms.mk(Or, &[p, q])),
            32 => self.bools.push(self.terms.mk(Eq, &[p, q])),
            33 => self.bools.push(self.terms.not(p)),
            _ => self.bits.push(self.terms.mk(BvAdd, &[a, b])),
        }
    }

    /// All assignments within the domains.
    fn assignments(&self) -> Vec<Vec<u64>> {
        let mut all = vec![vec![]];
        for &(var, size) in &self.vars {
            let words: Vec<u64> = match self.terms.domain(var) {
                Some(domain) => domain.to_vec(),
                None => (0..size).collect(),
            };
            all = all.iter().flat_map(|row: &Vec<u64>| words.iter().map(|&w| [row.as_slice(), &[w]].concat())).collect();
        }
        all
    }
}

fn check(domain: bool, steps: &[[u8; 4]], assumed: &[u8]) -> Result<(), TestCaseError> {
    let mut world = World::new(domain);
    for &step in steps {
        world.step(step);
    }
    let assumed: Vec<TermId> = assumed.iter().map(|&n| world.bools[world.bools.len() - 1 - usize::from(n) % world.bools.len()]).collect();
    let mut intervals = Intervals::new();
    // What came before must not shine through.
    intervals.assume(&world.terms, world.bools[0]);
    intervals.clear();
    for &t in &assumed {
        intervals.assume(&world.terms, t);
    }
    let mut evaluator = Evaluator::new();
    for row in world.assignments() {
        for (&(var, _), &word) in world.vars.iter().zip(&row) {
            evaluator.set_word(var, word);
        }
        if !assumed.iter().all(|&t| evaluator.eval_bool(&world.terms, t)) {
            continue;
        }
        prop_assert!(intervals.is_consistent(), "{row:?} satisfies the assumptions");
        for &t in &world.bools {
            let value = evaluator.eval_bool(&world.terms, t);
            let said = intervals.truth(&world.terms, t);
            prop_assert_ne!(said, Some(!value), "{} under {:?}", crate::print::human(&world.terms, t), row);
        }
        for &t in &world.bits {
            let value = evaluator.eval_word(&world.terms, t);
            let (range, signed) =
                (intervals.range(&world.terms, t).expect("small"), intervals.signed_range(&world.terms, t).expect("small"));
            let width = world.terms.width(t);
            let as_signed = (value << (64 - width)).cast_signed() >> (64 - width);
            let inside = range.lo <= value && value <= range.hi && signed.lo <= as_signed && as_signed <= signed.hi;
            prop_assert!(inside, "{} = {value} not in {range:?} {signed:?} under {row:?}", crate::print::human(&world.terms, t));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn intervals_hold_for_all_assignments(
        domain: bool,
        steps in proptest::collection::vec(any::<[u8; 4]>(), 3..25),
        assumed in proptest::collection::vec(any::<u8>(), 0..5),
    ) {
        check(domain, &steps, &assumed)?;
    }
}

/// Assumptions and a condition over `x` of 32 bits, and what must be found out.
type Case = (&'static [(Op, u64)], (Op, u64), Option<bool>);

#[test]
fn what_is_decided() {
    const MINUS_FIVE: u64 = 5u64.wrapping_neg();
    let table: &[Case] = &[
        (&[(Op::BvSlt, 10)], (Op::BvSlt, 10), Some(true)),
        (&[(Op::BvSlt, 10)], (Op::BvSlt, 11), Some(true)),
        (&[(Op::BvSlt, 10)], (Op::Eq, 12), Some(false)),
        (&[(Op::BvSlt, 10)], (Op::BvUlt, 10), None),
        (&[(Op::BvUlt, 10)], (Op::BvSlt, 10), Some(true)),
        (&[(Op::Eq, 7)], (Op::BvSlt, 7), Some(false)),
        (&[(Op::BvSlt, MINUS_FIVE)], (Op::BvUlt, 100), Some(false)),
    ];
    for (assumed, (op, word), expected) in table {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(32));
        let mut intervals = Intervals::new();
        for &(op, word) in *assumed {
            let k = terms.bv(32, word);
            let constraint = terms.mk(op, &[x, k]);
            intervals.assume(&terms, constraint);
        }
        let k = terms.bv(32, *word);
        let question = terms.mk(*op, &[x, k]);
        assert_eq!(intervals.truth(&terms, question), *expected, "{assumed:?} {op:?} {word}");
        let not = terms.not(question);
        assert_eq!(intervals.truth(&terms, not), expected.map(|b| !b), "not {op:?} {word}");
    }
}

#[test]
fn bounds_pass_through_what_can_be_inverted() {
    let mut terms = Terms::new();
    let (b, x, y) = (terms.var("b", Sort::BitVec(8)), terms.var("x", Sort::BitVec(32)), terms.var("y", Sort::BitVec(32)));
    let mut intervals = Intervals::new();
    // '0' <= b && b <= '9', as compilers write it: b - '0' <u 10.
    let minus = terms.bv(8, 0u64.wrapping_sub(48));
    let digit = terms.mk(Op::BvAdd, &[b, minus]);
    let ten = terms.bv(8, 10);
    let is_digit = terms.mk(Op::BvUlt, &[digit, ten]);
    intervals.assume(&terms, is_digit);
    assert_eq!(intervals.range(&terms, b), Some(Range { lo: 48, hi: 57 }));
    // x <u 1000, y == x * 3 + 1: y is below 3000.
    let (thousand, three, one) = (terms.bv(32, 1000), terms.bv(32, 3), terms.bv(32, 1));
    let below = terms.mk(Op::BvUlt, &[x, thousand]);
    let triple = terms.mk(Op::BvMul, &[x, three]);
    let next = terms.mk(Op::BvAdd, &[triple, one]);
    let defined = terms.mk(Op::Eq, &[y, next]);
    intervals.assume(&terms, below);
    intervals.assume(&terms, defined);
    assert_eq!(intervals.signed_range(&terms, y), Some(SignedRange { lo: 1, hi: 2998 }));
    // A disjunction of which one part is known to be false.
    let five = terms.bv(32, 5);
    let (small, negative) = (terms.mk(Op::BvUlt, &[x, five]), terms.mk(Op::BvSlt, &[y, one]));
    let either = terms.mk(Op::Or, &[small, negative]);
    intervals.assume(&terms, either);
    assert_eq!(intervals.range(&terms, x), Some(Range { lo: 0, hi: 4 }));
    assert!(intervals.is_consistent());
    // Assumed again, the equation gives that y is at most 13.
    intervals.assume(&terms, defined);
    let large = terms.bv(32, 100);
    let contradiction = terms.mk(Op::BvUlt, &[large, y]);
    assert_eq!(intervals.truth(&terms, contradiction), Some(false));
    intervals.assume(&terms, contradiction);
    assert!(!intervals.is_consistent());
}

#[test]
fn the_quotient_that_does_not_fit_is_not_forgotten() {
    let mut terms = Terms::new();
    let (x, y) = (terms.var("x", Sort::BitVec(4)), terms.var("y", Sort::BitVec(4)));
    let zero = terms.bv(4, 0);
    let negative = terms.mk(Op::BvSlt, &[y, zero]);
    let quotient = terms.mk(Op::BvSdiv, &[x, y]);
    let mut intervals = Intervals::new();
    intervals.assume(&terms, negative);
    // -8 / -1 is -8.
    let least = terms.bv(4, 8);
    let is_least = terms.mk(Op::Eq, &[quotient, least]);
    assert_eq!(intervals.truth(&terms, is_least), None);
}
