//! A layer as a phase of a profile.
//!
//! **Invariant.** It reads no clock and changes no answer: [`profile`] measures, where a profile is made.

use xcute_term::{Terms, profile};

use crate::solver::{Answer, Count, Query, Solver};

/// Measures a layer.
pub struct Timed {
    inner: Box<dyn Solver>,
    name: &'static str,
}

impl Timed {
    /// Measures this layer under its name; itself, where no profile is made.
    #[must_use]
    pub fn layer(inner: Box<dyn Solver>) -> Box<dyn Solver> {
        let mut name = None;
        inner.count(&mut |count| _ = name.get_or_insert(count.layer));
        match name.filter(|_| profile::on()) {
            Some(name) => Box::new(Timed { inner, name }),
            None => inner,
        }
    }
}

impl Solver for Timed {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let _phase = profile::phase(self.name);
        self.inner.solve(terms, query)
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        self.inner.count(visit);
    }
}
