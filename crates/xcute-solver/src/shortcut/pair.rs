//! Two variables: moves one of the goal's and solves what that breaks for another one.
//!
//! `x >= 5` under `x + y == 7` needs a new y; `x == y` with `x <= 5` and `y >= 3` has no solution by changing one of them where
//! x is 0 and y is 9. The first variable goes to the nearest value that the goal allows it, then to the ends of what the path
//! allows it.

use smallvec::SmallVec;
use xcute_term::{TermId, Terms, VarId};

use super::allowed::allowed;
use super::invert::invert;
use super::ranges::Ranges;
use super::single::{Found, solve_for};
use crate::bound::{mask, sign_bit};
use crate::solver::Query;
use crate::trial::Trial;

/// How many variables of a constraint are considered.
const CONSIDERED: usize = 4;

/// Tries to satisfy the query by changing one of the goal's variables and one other.
pub(crate) fn solve_for_two(terms: &Terms, trial: &mut Trial, query: &Query<'_>, used: &mut Vec<TermId>) -> bool {
    for moved in terms.vars(query.goal).iter().take(CONSIDERED) {
        trial.reset(terms);
        for word in places(terms, trial, query, moved) {
            trial.reset(terms);
            if !trial.set(terms, moved, word) {
                continue;
            }
            if query.interrupt.raised() {
                return false;
            }
            let Some(broken) = trial.violated(terms, query) else { return true };
            for other in terms.vars(broken).iter().filter(|&v| v != moved).take(CONSIDERED) {
                if solve_for(terms, trial, query, (broken, other), used) == Found::Value {
                    return true;
                }
                trial.reset(terms);
                trial.set(terms, moved, word);
            }
        }
    }
    false
}

/// Where the first variable is moved to.
fn places(terms: &Terms, trial: &mut Trial, query: &Query<'_>, var: VarId) -> SmallVec<[u64; 5]> {
    let mut out = SmallVec::new();
    let Some(set) = allowed(terms, &mut trial.eval, query.path, var, false) else { return out };
    if let Some(inverted) = invert(terms, &mut trial.eval, var, query.goal) {
        out.extend(inverted.set.intersect(&set).nearest(trial.base(var), true));
    }
    for end in ends(&set) {
        if !out.contains(&end) {
            out.push(end);
        }
    }
    out
}

/// The ends of a set in both orders of words.
fn ends(set: &Ranges) -> impl Iterator<Item = u64> {
    let (sign, m) = (sign_bit(set.width()), mask(set.width()));
    let outer = |r: &Ranges| [r.intervals().first().map(|i| i.0), r.intervals().last().map(|i| i.1)];
    let (unsigned, signed) = (outer(set), outer(&set.rotate(sign)));
    unsigned.into_iter().chain(signed.map(|w| w.map(|w| (w ^ sign) & m))).flatten()
}
