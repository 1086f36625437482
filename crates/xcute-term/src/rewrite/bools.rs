//! Rules for Booleans and for `Ite` of any sort.

use super::{is_one, is_zero, mk};
use crate::ids::TermId;
use crate::op::Op;
use crate::sort::Sort;
use crate::terms::Terms;

/// A flattened conjunction holds at most this many conjuncts; a longer one is nested.
const MAX_CONJUNCTS: usize = 32;

/// The negation of a term: never more than one new node.
pub(super) fn not(terms: &mut Terms, a: TermId) -> Option<TermId> {
    if let Some(value) = terms.as_u64(a) {
        return Some(terms.bool(value == 0));
    }
    match (terms.op(a), terms.args(a)) {
        (Op::Not, &[inner]) => Some(inner),
        // The mirrored comparison is in normal form because `a` is: see `compare::less_or_equal`.
        (op, &[x, y]) => mirrored(op).map(|op| terms.intern(op, Sort::Bool, &[y, x])),
        _ => None,
    }
}

/// The comparison that holds of swapped arguments exactly where `op` does not. IEEE comparisons have none, because of NaN.
pub(crate) fn mirrored(op: Op) -> Option<Op> {
    Some(match op {
        Op::BvUlt => Op::BvUle,
        Op::BvUle => Op::BvUlt,
        Op::BvSlt => Op::BvSle,
        Op::BvSle => Op::BvSlt,
        Op::Lt => Op::Le,
        Op::Le => Op::Lt,
        Op::StrLt => Op::StrLe,
        Op::StrLe => Op::StrLt,
        _ => return None,
    })
}

/// Whether a term is written as the negation of another: `Not`, or the `<=` that is the negation of a `<`.
pub(super) fn is_negative(terms: &Terms, t: TermId) -> bool {
    matches!(terms.op(t), Op::Not | Op::BvUle | Op::BvSle | Op::Le | Op::StrLe)
}

/// The term that `t` negates, where `t` is a negation and that term exists.
fn negated(terms: &Terms, t: TermId) -> Option<TermId> {
    match (terms.op(t), terms.args(t)) {
        (Op::Not, &[a]) => Some(a),
        (op @ (Op::BvUle | Op::BvSle | Op::Le | Op::StrLe), &[x, y]) => terms.find(mirrored(op)?, &[y, x]),
        _ => None,
    }
}

/// The conjunction: flat (up to a limit), sorted, without duplicates; false where it holds a term and its negation.
pub(super) fn and(terms: &mut Terms, args: &[TermId]) -> TermId {
    let mut all: Vec<TermId> = Vec::with_capacity(args.len() + 2);
    for (i, &a) in args.iter().enumerate() {
        if terms.op(a) == Op::And && all.len() + terms.args(a).len() + (args.len() - i - 1) <= MAX_CONJUNCTS {
            all.extend_from_slice(terms.args(a));
        } else {
            all.push(a);
        }
    }
    let (yes, no) = (terms.bool(true), terms.bool(false));
    all.retain(|&a| a != yes);
    all.sort_unstable();
    all.dedup();
    let contradiction = all.contains(&no) || all.iter().any(|&a| negated(terms, a).is_some_and(|n| all.binary_search(&n).is_ok()));
    match *all {
        _ if contradiction => no,
        [] => yes,
        [a] => a,
        _ => terms.intern(Op::And, Sort::Bool, &all),
    }
}

/// The disjunction, as the negation of a conjunction.
pub(super) fn or(terms: &mut Terms, args: &[TermId]) -> TermId {
    let negations: Vec<TermId> = args.iter().map(|&a| terms.not(a)).collect();
    let none = and(terms, &negations);
    terms.not(none)
}

pub(super) fn ite(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    if let Some(value) = terms.as_u64(c) {
        return Some(if value == 1 { a } else { b });
    }
    if a == b {
        return Some(a);
    }
    if is_negative(terms, c) {
        let positive = terms.not(c);
        return Some(mk(terms, Op::Ite, &[positive, b, a]));
    }
    match terms.sort(a) {
        Sort::Bool => ite_bool(terms, c, a, b),
        Sort::BitVec(w) => ite_bits(terms, w, c, a, b),
        _ => None,
    }
    .or_else(|| ite_nested(terms, c, a, b))
}

fn ite_bool(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    match (terms.as_u64(a), terms.as_u64(b)) {
        (Some(1), Some(0)) => return Some(c),
        (Some(0), Some(1)) => return Some(terms.not(c)),
        (Some(1), _) => return Some(mk(terms, Op::Or, &[c, b])),
        (_, Some(0)) => return Some(mk(terms, Op::And, &[c, a])),
        (Some(0), _) => {
            let otherwise = terms.not(c);
            return Some(mk(terms, Op::And, &[otherwise, b]));
        }
        (_, Some(1)) => {
            let otherwise = terms.not(c);
            return Some(mk(terms, Op::Or, &[otherwise, a]));
        }
        _ => {}
    }
    if a == c {
        Some(mk(terms, Op::Or, &[c, b]))
    } else if b == c {
        Some(mk(terms, Op::And, &[c, a]))
    } else if negated(terms, a) == Some(b) || negated(terms, b) == Some(a) {
        Some(mk(terms, Op::Eq, &[c, a]))
    } else {
        None
    }
}

/// Bits that were compared only to be made bits again, as C's `bool` does: `x == 1 ? 1 : 0` of a bit is the bit.
fn ite_bits(terms: &mut Terms, width: u32, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let &[x, k] = terms.args(c) else { return None };
    if terms.op(c) != Op::Eq {
        return None;
    }
    if terms.sort(x) == Sort::BitVec(1) && is_one(terms, k) && is_one(terms, a) && is_zero(terms, b) {
        return Some(mk(terms, Op::ZeroExt(width), &[x]));
    }
    ((x, k) == (b, a) || (x, k) == (a, b)).then_some(b)
}

/// Choices below a choice that share its condition or one of its results.
fn ite_nested(terms: &mut Terms, c: TermId, a: TermId, b: TermId) -> Option<TermId> {
    let parts = |terms: &Terms, t: TermId| match *terms.args(t) {
        [d, x, y] if terms.op(t) == Op::Ite => Some((d, x, y)),
        _ => None,
    };
    if let Some((d, x, y)) = parts(terms, a) {
        if d == c {
            return Some(mk(terms, Op::Ite, &[c, x, b]));
        }
        if y == b {
            let and = mk(terms, Op::And, &[c, d]);
            return Some(mk(terms, Op::Ite, &[and, x, b]));
        }
        if x == b {
            let not = terms.not(d);
            let and = mk(terms, Op::And, &[c, not]);
            return Some(mk(terms, Op::Ite, &[and, y, b]));
        }
    }
    let (d, x, y) = parts(terms, b)?;
    if d == c {
        Some(mk(terms, Op::Ite, &[c, a, y]))
    } else if x == a {
        let or = mk(terms, Op::Or, &[c, d]);
        Some(mk(terms, Op::Ite, &[or, a, y]))
    } else if y == a {
        let not = terms.not(d);
        let or = mk(terms, Op::Or, &[c, not]);
        Some(mk(terms, Op::Ite, &[or, a, x]))
    } else {
        None
    }
}
