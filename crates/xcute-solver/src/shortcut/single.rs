//! One variable: a value for it that satisfies the goal and every constraint that mentions it, the others keeping theirs.
//!
//! The goal is inverted for the variable and the member nearest to the old value is tried. Where that breaks a constraint of
//! the path, this one is inverted too and the sets are intersected, so mostly only the constraints that matter are inverted.
//! After a few rounds of this all of them are: a switch with many cases would otherwise be walked case by case.
//!
//! **Invariant.** While `over` holds, every value that satisfies goal and path is in the set: a value is taken out only after
//! it was seen to violate one of `used` or the target. An empty set is then a proof, and `used` with the target its core.

use xcute_term::{Op, TermId, Terms, VarId};

use super::floats::{self, Patterns};
use super::invert::invert;
use super::ranges::Ranges;
use crate::bound::mask;
use crate::solver::Query;
use crate::trial::Trial;

/// How the search for a value ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// The trial satisfies the query.
    Value,
    /// No value of this variable does, the others being as they are; `used` and the target say why.
    Nothing,
    /// The search was given up.
    GivenUp,
}

/// Guesses that led nowhere, before giving up.
const MISSES: u32 = 8;

/// Constraints inverted one by one, before all are.
const LAZY: usize = 3;

/// Guesses in all, before giving up: each costs a look at the whole path.
const ROUNDS: u32 = 64;

/// Tries to satisfy the query by changing `var` (on top of what the trial changed before), starting from the values that
/// satisfy `target`: the goal, or a constraint that an earlier change broke.
pub(crate) fn solve_for(
    terms: &Terms,
    trial: &mut Trial,
    query: &Query<'_>,
    (target, var): (TermId, VarId),
    used: &mut Vec<TermId>,
) -> Found {
    used.clear();
    let Some(first) = invert(terms, &mut trial.eval, var, target) else { return Found::GivenUp };
    let (mut set, mut over, mut misses, mut rounds) = (first.set, first.over, 0, 0);
    if let Some(domain) = terms.domain(var) {
        set = set.intersect(&Ranges::points(set.width(), domain.iter().copied().filter(|&w| w <= mask(set.width()))));
    }
    let old = trial.base(var);
    let near =
        Near { word: old, signed: !unsigned(terms, target), round: floats::compared(terms, target).filter(|f| f.width() == set.width()) };
    while let Some(word) = pick(&set, &near, misses) {
        if !trial.set(terms, var, word) {
            return Found::GivenUp;
        }
        let Some(broken) = trial.violated(terms, query) else { return Found::Value };
        let fresh = broken != target && !used.contains(&broken);
        rounds += 1;
        if rounds > ROUNDS || query.interrupt.raised() {
            return Found::GivenUp;
        }
        if fresh {
            used.push(broken);
            if used.len() == LAZY {
                set = narrow(terms, trial, query.path, var, set, used);
            }
            if let Some(inverted) = invert(terms, &mut trial.eval, var, broken) {
                let both = set.intersect(&inverted.set);
                if inverted.over || !both.is_empty() {
                    over &= inverted.over;
                    set = both;
                    set.remove(word);
                    continue;
                }
            }
        }
        set.remove(word);
        misses += 1;
        if misses > MISSES {
            return Found::GivenUp;
        }
    }
    if over { Found::Nothing } else { Found::GivenUp }
}

/// The part of `set` that all exactly invertible constraints on the variable leave; those that took something are `used`.
fn narrow(terms: &Terms, trial: &mut Trial, path: &[TermId], var: VarId, set: Ranges, used: &mut Vec<TermId>) -> Ranges {
    let mut set = set;
    let before = used.len();
    for &c in path {
        if set.is_empty() {
            break;
        }
        if !terms.vars(c).contains(var) || used[..before].contains(&c) {
            continue;
        }
        if let Some(inverted) = invert(terms, &mut trial.eval, var, c).filter(|i| i.over) {
            let both = set.intersect(&inverted.set);
            if both != set {
                used.push(c);
                set = both;
            }
        }
    }
    set
}

/// Where guesses begin, and in which order numbers are near each other.
struct Near {
    word: u64,
    signed: bool,
    /// Set where the word is a float: then round numbers are better than near ones.
    round: Option<Patterns>,
}

/// Whether a condition compares unsigned numbers.
fn unsigned(terms: &Terms, condition: TermId) -> bool {
    let mut t = condition;
    while matches!(terms.op(t), Op::Not | Op::And | Op::Or) {
        t = terms.args(t)[0];
    }
    matches!(terms.op(t), Op::BvUlt | Op::BvUle)
}

/// The next guess: near the old value first, then the ends of the set.
fn pick(set: &Ranges, near: &Near, misses: u32) -> Option<u64> {
    let intervals = set.intervals();
    match misses {
        0 => {
            let nearest = set.nearest(near.word, near.signed)?;
            let around = intervals.iter().find(|&&(a, b)| a <= nearest && nearest <= b)?;
            Some(near.round.map_or(nearest, |format| format.round(*around, near.word)))
        }
        3 => intervals.first().map(|i| i.0),
        4 => intervals.last().map(|i| i.1),
        5 => intervals.get(intervals.len() / 2).map(|&(a, b)| a + (b - a) / 2),
        _ => set.nearest(near.word, near.signed),
    }
}
