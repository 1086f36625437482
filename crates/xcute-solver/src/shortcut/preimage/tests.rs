//! Preimages against the evaluation of every argument.

use super::*;
use xcute_term::eval::Evaluator;
use xcute_term::{Sort, TermId, Terms};

/// Compares a preimage with the arguments that give a result in the target.
fn check(found: &Preimage, target: &Ranges, results: &[u64], what: &str) {
    for (x, &result) in results.iter().enumerate() {
        let (inside, wanted) = (found.set.contains(x as u64), target.contains(result));
        assert!(!inside || wanted, "{what}: {x} gives {result}, not in {target:?}");
        assert!(inside || !wanted || found.partial, "{what}: {x} gives {result} in {target:?} and is missing");
    }
    if results.iter().any(|&r| target.contains(r)) {
        assert!(!found.set.is_empty() || found.partial, "{what}");
    }
}

fn targets(width: u32) -> Vec<Ranges> {
    let m = mask(width);
    let mut out = vec![Ranges::empty(width), Ranges::full(width)];
    for a in 0..=m {
        out.push(Ranges::point(width, a));
        for b in 0..=m {
            out.push(Ranges::wrapping(width, a, b));
        }
    }
    out.push(Ranges::points(width, [0, 2, 3, m - 1].map(|w| w & m)));
    out
}

fn results(terms: &mut Terms, x: TermId, t: TermId) -> Vec<u64> {
    let (v, width) = (terms.vars(x).first().expect("a variable"), terms.width(x));
    let mut eval = Evaluator::new();
    let value = |word| {
        eval.set_word(v, word);
        eval.eval_word(terms, t)
    };
    (0..=mask(width)).map(value).collect()
}

#[test]
fn binary_preimages_are_right() {
    let mut terms = Terms::new();
    for width in [1, 3, 4] {
        let x = terms.var(&format!("x{width}"), Sort::BitVec(width));
        for op in Op::BINARY {
            for k in 0..=mask(width) {
                for left in [true, false] {
                    let c = terms.bv(width, k);
                    let t = if left { terms.mk(op, &[x, c]) } else { terms.mk(op, &[c, x]) };
                    let results = if terms.vars(t).is_empty() { continue } else { results(&mut terms, x, t) };
                    for target in targets(width) {
                        for old in [0, k, mask(width)] {
                            let Some(found) = binary(op, &Open { left, width, old }, k, &target) else { continue };
                            check(&found, &target, &results, &format!("{op:?} {k} {left}"));
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn preimages_between_widths_are_right() {
    let mut terms = Terms::new();
    let x = terms.var("x", Sort::BitVec(4));
    for op in [Op::BvNot, Op::BvNeg, Op::ZeroExt(6), Op::SignExt(6), Op::Extract(3, 2), Op::Extract(2, 1), Op::Extract(1, 0)] {
        let t = terms.mk(op, &[x]);
        let results = results(&mut terms, x, t);
        for target in targets(terms.width(t)) {
            for old in [0, 6, 15] {
                let found = unary(op, 4, old, &target).expect("an invertible operator");
                check(&found, &target, &results, &format!("{op:?}"));
            }
        }
    }
    for k in 0..4 {
        for left in [true, false] {
            let c = terms.bv(2, k);
            let t = if left { terms.mk(Op::Concat, &[x, c]) } else { terms.mk(Op::Concat, &[c, x]) };
            let results = results(&mut terms, x, t);
            for target in targets(6) {
                let found = binary(Op::Concat, &Open { left, width: 4, old: 0 }, k, &target).expect("invertible");
                check(&found, &target, &results, &format!("concat {k} {left}"));
            }
        }
    }
}

#[test]
fn products_of_wide_words_are_inverted() {
    for (k, v) in [(3, 12), (5, 7), (0x1_0001, 99), (6, 40), (1 << 40, 5 << 41)] {
        let found = mul(&Ranges::point(64, v), k, 77);
        let x = found.set.nearest(0, true);
        assert!(x.is_none_or(|x| x.wrapping_mul(k) == v), "{k} * {x:?} = {v}");
        assert!(x.is_some() || v % 2 != 0);
    }
    let large = mul(&Ranges::interval(64, 1000, u64::MAX >> 1), 100, 0);
    assert!(large.set.contains(10) && !large.set.contains(9) && large.partial);
}
