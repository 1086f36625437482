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
use crate::solver::{Answer, Count, Layer, Query, Solver};
use crate::with_floats::WithFloats;
use facts::Facts;

/// Longer paths are left to others.
const LONGEST: usize = 256;

/// How often all constraints are assumed: what is found late may narrow an early one.
const ROUNDS: u32 = 3;

/// The layer of float ranges.
pub struct FloatRanges {
    inner: Box<dyn Solver>,
    count: Count,
    floats: WithFloats,
    facts: Facts,
}

impl FloatRanges {
    /// The layer in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>) -> FloatRanges {
        let count = Count { layer: "float ranges", ..Count::default() };
        FloatRanges { inner, count, floats: WithFloats::default(), facts: Facts::default() }
    }
}

impl Layer for FloatRanges {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn attempt(&mut self, terms: &mut Terms, query: &Query<'_>) -> Option<Answer> {
        let mut constraints: Vec<TermId> = query.path.iter().copied().chain([query.goal]).collect();
        if constraints.len() > LONGEST || !constraints.iter().any(|&t| self.floats.has(terms, t)) {
            return None;
        }
        if !contradict(&mut self.facts, terms, &constraints) {
            return None;
        }
        // The goal is the last and stays.
        smaller::shrink(&mut constraints, |some| !query.interrupt.raised() && contradict(&mut self.facts, terms, some));
        Some(Answer::Unsat(constraints))
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
