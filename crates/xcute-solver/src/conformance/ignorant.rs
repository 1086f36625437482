//! A solver that is right and does not know everything, for tests of who asks it.

use xcute_term::Terms;

use crate::solver::{Answer, Count, Query, Solver, Why};

/// Another solver, but of goals with products it knows nothing.
pub struct Ignorant(pub Box<dyn Solver>);

impl Solver for Ignorant {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let text = xcute_term::print::human(terms, query.goal);
        if text.contains('*') { Answer::Unknown(Why::Effort) } else { self.0.solve(terms, query) }
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        self.0.count(visit);
    }
}
