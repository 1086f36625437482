//! Fallback: several solvers in order; where one does not know, the next is asked.
//!
//! "Unsupported" costs an adapter nothing, so the cheap solver for the common sorts comes first and the one for everything last.

use xcute_term::Terms;

use crate::solver::{Answer, Count, Query, Solver, Why};

/// Solvers in the order in which they are asked.
pub struct Fallback {
    backends: Vec<Box<dyn Solver>>,
}

impl Fallback {
    /// The given solvers, first one first. With none, every answer is "unsupported".
    #[must_use]
    pub fn new(backends: Vec<Box<dyn Solver>>) -> Fallback {
        Fallback { backends }
    }
}

impl Solver for Fallback {
    fn solve(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let mut why = Why::Unsupported;
        for backend in &mut self.backends {
            match backend.solve(terms, query) {
                // "Used up" says more than "unsupported", and a wrong model more than both.
                Answer::Unknown(Why::Unsupported) => {}
                answer @ Answer::Unknown(Why::Interrupted) => return answer,
                Answer::Unknown(Why::Effort) if why == Why::WrongModel => {}
                Answer::Unknown(reason) => why = reason,
                answer => return answer,
            }
        }
        Answer::Unknown(why)
    }

    fn count(&self, visit: &mut dyn FnMut(&Count)) {
        for backend in &self.backends {
            backend.count(visit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Effort;
    use xcute_term::Model;

    struct Fixed(Answer);

    impl Solver for Fixed {
        fn solve(&mut self, _: &mut Terms, _: &Query<'_>) -> Answer {
            self.0.clone()
        }

        fn count(&self, _: &mut dyn FnMut(&Count)) {}
    }

    fn check(answers: &[Answer], expect: &Answer) {
        let mut terms = Terms::new();
        let mut solver = Fallback::new(answers.iter().map(|a| Box::new(Fixed(a.clone())) as Box<dyn Solver>).collect());
        let hint = Model::new();
        let query = Query::new(&[], terms.bool(true), &hint, Effort(1));
        assert_eq!(solver.solve(&mut terms, &query), *expect);
    }

    #[test]
    fn the_first_that_knows_answers() {
        let (sat, unsat) = (Answer::Sat(Model::new()), Answer::Unsat(vec![]));
        let unknown = Answer::Unknown;
        check(&[], &unknown(Why::Unsupported));
        check(&[unknown(Why::Unsupported), sat.clone(), unsat.clone()], &sat);
        check(&[unknown(Why::WrongModel), unsat.clone()], &unsat);
        check(&[unknown(Why::Effort), unknown(Why::Unsupported)], &unknown(Why::Effort));
        check(&[unknown(Why::WrongModel), unknown(Why::Effort)], &unknown(Why::WrongModel));
        check(&[unknown(Why::Interrupted), sat], &unknown(Why::Interrupted));
    }
}
