//! What the constraints on one variable alone allow it: its range of digits, its flags, its objects.

use xcute_term::eval::Evaluator;
use xcute_term::{Sort, TermId, Terms, VarId};

use super::floats::Patterns;
use super::invert::invert;
use super::ranges::Ranges;

/// The words that the variable's domain and the constraints that mention no other variable allow it. `exact` takes only
/// constraints whose inversion misses nothing, so that no allowed word is missing. `None` for a variable that is not a word.
pub(crate) fn allowed(terms: &Terms, eval: &mut Evaluator, path: &[TermId], var: VarId, exact: bool) -> Option<Ranges> {
    let width = match terms.info(var).sort {
        Sort::Bool => 1,
        Sort::BitVec(w) if w <= 64 => w,
        sort => Patterns::of(sort)?.width(),
    };
    let mut set = match terms.domain(var) {
        Some(domain) => Ranges::points(width, domain.iter().copied()),
        None => Ranges::full(width),
    };
    for &c in path {
        if terms.vars(c).only() == Some(var)
            && let Some(inverted) = invert(terms, eval, var, c)
            && (inverted.over || !exact)
        {
            set = set.intersect(&inverted.set);
        }
    }
    Some(set)
}
