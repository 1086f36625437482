//! Float ranges: shows that nothing satisfies a query with floats, where the size of numbers says so.
//!
//! Whether arithmetic overflows, or gives something that is not a number, is asked at every operation of languages where that is an
//! error. Mostly it does not, and a solver that blasts floats into bits needs its whole effort to prove that of one division. Interval
//! arithmetic over floats (as in Michel, "Exact projection functions for floating point number constraints", 2002, but from the leaves up
//! only) does it in microseconds, if it also knows how small what is not zero can be ([`range`]).
//!
//! **Invariant.** Only "unsat" is ever answered. Queries without floats cost one look-up per constraint.

mod facts;
mod range;
#[cfg(test)]
mod tests;
mod whole;

use xcute_term::{TermId, Terms};

use crate::smaller;
use crate::solver::{Answer, Count, Query, Solver, Why};
use crate::with_floats::WithFloats;
use facts::Facts;

/// Longer paths are left to others.
const LONGEST: usize = 256;

/// How often all constraints are assumed: what is found late may narrow an early one.
const ROUNDS: u32 = 3;

/// A backend for queries with floats that answers "unsat" or nothing. To be put before the real solvers.
pub struct FloatRanges {
    floats: WithFloats,
    facts: Facts,
    count: Count,
}

impl Default for FloatRanges {
    fn default() -> Self {
        FloatRanges::new()
    }
}

impl FloatRanges {
    /// Nothing was asked yet.
    #[must_use]
    pub fn new() -> FloatRanges {
        let count = Count { layer: "float ranges", ..Count::default() };
        FloatRanges { floats: WithFloats::default(), facts: Facts::default(), count }
    }

    fn answer(&mut self, terms: &Terms, query: &Query<'_>) -> Answer {
        let mut constraints: Vec<TermId> = query.path.iter().copied().chain([query.goal]).collect();
        if constraints.len() > LONGEST || !constraints.iter().any(|&t| self.floats.has(terms, t)) {
            return Answer::Unknown(Why::Unsupported);
        }
        if !contradict(&mut self.facts, terms, &constraints) {
            return Answer::Unknown(Why::Unsupported);
        }
        // The goal is the last and stays.
        smaller::shrink(&mut constraints, |some| !query.interrupt.raised() && contradict(&mut self.facts, terms, some));
        Answer::Unsat(constraints)
    }
}

fn contradict(facts: &mut Facts, terms: &Terms, constraints: &[TermId]) -> bool {
    facts.clear();
    for _ in 0..ROUNDS {
        facts.renew();
        for &constraint in constraints {
            facts.assume(terms, constraint);
            if facts.contradict() {
                return true;
            }
        }
    }
    false
}

impl Solver for FloatRanges {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.count.seen += 1;
        let answer = self.answer(terms, query);
        self.count.note(&answer);
        answer
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        visit(&self.count);
    }
}
