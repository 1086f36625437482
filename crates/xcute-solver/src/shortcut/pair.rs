//! Two variables: moves one to an end of what the path allows it and solves for the other.
//!
//! `x == y` with `x <= 5` and `y >= 3` has no solution by changing one of them where x is 0 and y is 9.

use xcute_term::{TermId, Terms, VarId};

use super::invert::invert;
use super::ranges::Ranges;
use super::single::{Found, solve_for};
use crate::bound::{mask, sign_bit};
use crate::solver::Query;
use crate::trial::Trial;

/// How many variables of the goal are paired.
const PAIRED: usize = 4;

/// Tries to satisfy the query by changing two of the goal's variables.
pub(crate) fn solve_for_two(terms: &Terms, trial: &mut Trial, query: &Query<'_>, used: &mut Vec<TermId>) -> bool {
    let vars = &terms.vars(query.goal)[..terms.vars(query.goal).len().min(PAIRED)];
    if vars.len() < 2 {
        return false;
    }
    for &moved in vars {
        trial.reset(terms);
        let Some(set) = allowed(terms, trial, query.path, moved) else { continue };
        for word in ends(&set) {
            for &solved in vars.iter().filter(|&&v| v != moved) {
                trial.reset(terms);
                if trial.set(terms, moved, word) && solve_for(terms, trial, query, solved, used) == Found::Value {
                    return true;
                }
            }
        }
    }
    false
}

/// The words that the constraints on this variable alone allow it.
fn allowed(terms: &Terms, trial: &mut Trial, path: &[TermId], var: VarId) -> Option<Ranges> {
    let width = terms.info(var).sort.width().filter(|&w| w <= 64)?;
    let mut set = match &terms.info(var).domain {
        Some(domain) => Ranges::points(width, domain.iter().copied()),
        None => Ranges::full(width),
    };
    for &c in path {
        if terms.vars(c) == [var]
            && let Some(inverted) = invert(terms, &mut trial.eval, var, c)
        {
            set = set.intersect(&inverted.set);
        }
    }
    Some(set)
}

/// The ends of a set in both orders of words.
fn ends(set: &Ranges) -> impl Iterator<Item = u64> {
    let (width, intervals) = (set.width(), set.intervals());
    let sign = sign_bit(width);
    let signed = set.rotate(sign);
    let unsigned = [intervals.first().map(|i| i.0), intervals.last().map(|i| i.1)];
    let middle = [signed.intervals().first().map(|i| i.0), signed.intervals().last().map(|i| i.1)];
    let mut out = [unsigned[0], unsigned[1], middle[0].map(|w| w ^ sign), middle[1].map(|w| w ^ sign)].map(|w| w.map(|w| w & mask(width)));
    for i in 2..4 {
        if out[..2].contains(&out[i]) {
            out[i] = None;
        }
    }
    out.into_iter().flatten()
}
