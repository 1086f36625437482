//! Refutation by intervals: shows that nothing satisfies the query, where bounds alone say so.
//!
//! Most queries that inversion cannot answer have no answer. Goal and path are assumed and propagated (twice, because a bound
//! found late may narrow an early constraint); a contradiction between bounds is a proof. Its core is then made smaller by
//! leaving constraints out, so that the cache can use it for other queries.

use xcute_term::interval::Intervals;
use xcute_term::{TermId, Terms};

use crate::smaller;
use crate::solver::Query;

/// Longer paths are not propagated: a solver is about as fast there.
const LONGEST: usize = 256;

/// How often all constraints are propagated.
const ROUNDS: u32 = 2;

/// Whether bounds contradict the query; `core` then has constraints that suffice.
pub(crate) fn refuted(terms: &Terms, intervals: &mut Intervals, query: &Query<'_>, core: &mut Vec<TermId>) -> bool {
    core.clear();
    if query.path.len() > LONGEST {
        return false;
    }
    core.extend(query.path.iter().rev());
    core.push(query.goal);
    if !contradict(terms, intervals, core) {
        return false;
    }
    // The goal is the last and stays.
    smaller::shrink(core, |some| contradict(terms, intervals, some));
    true
}

fn contradict(terms: &Terms, intervals: &mut Intervals, constraints: &[TermId]) -> bool {
    intervals.clear();
    for _ in 0..ROUNDS {
        for &c in constraints.iter().rev() {
            intervals.assume(terms, c);
            if !intervals.is_consistent() {
                return true;
            }
        }
    }
    constraints.iter().any(|&c| intervals.truth(terms, c) == Some(false))
}
