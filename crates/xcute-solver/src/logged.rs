//! The log: hands every query that comes by, as SMT-LIB text, to what keeps it.
//!
//! **Invariant.** No I/O here: what happens to the text is the callback's business.

use xcute_term::Terms;
use xcute_term::print::smtlib_query;

use crate::solver::{Answer, Count, Layer, Query, Solver};

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

impl Layer for Logged {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn hand_on(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let answer = self.inner.solve(terms, query);
        let mut constraints = query.path.to_vec();
        constraints.push(query.goal);
        (self.sink)(&smtlib_query(terms, &constraints), &answer);
        answer
    }
}
