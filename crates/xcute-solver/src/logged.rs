//! The log: hands every query that comes by, as SMT-LIB text, to whoever wants to keep it.
//!
//! **Invariant.** No I/O here: what happens to the text is the callback's business.

use xcute_term::Terms;
use xcute_term::print::smtlib_query;

use crate::solver::{Answer, Count, Query, Solver};

/// Receives the text of a query and its answer.
pub type Sink = Box<dyn FnMut(&str, &Answer)>;

/// The layer of the log.
pub struct Logged {
    inner: Box<dyn Solver>,
    count: Count,
    sink: Sink,
}

impl Logged {
    /// The log in front of `inner`.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>, sink: Sink) -> Logged {
        Logged { inner, count: Count { layer: "logged", ..Count::default() }, sink }
    }
}

impl Solver for Logged {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        self.count.seen += 1;
        let answer = self.inner.solve(terms, query);
        let mut constraints = query.path.to_vec();
        constraints.push(query.goal);
        (self.sink)(&smtlib_query(terms, &constraints), &answer);
        answer
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        visit(&self.count);
        self.inner.count(visit);
    }
}
