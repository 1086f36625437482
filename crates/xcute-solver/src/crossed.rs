//! The cross-check: asks a second solver about everything that the chain calls infeasible.
//!
//! A model is evaluated before anybody uses it ([`crate::checked`]); a contradiction is taken at its word, and a wrong one is a wrong "complete". KLEE compares two core solvers in the
//! same way (`--debug-crosscheck-core-solver`); here the check stands above all layers, so that it covers these as well.
//!
//! **Invariant.** What leaves this layer as a contradiction, the second solver has no model of. Where it does not know, the first one is believed.

use xcute_term::Terms;

use crate::checked::Checked;
use crate::domains::Domains;
use crate::solver::{Answer, Count, Layer, Query, Solver, Why};

/// The layer's name.
pub(crate) const LAYER: &str = "crossed";

/// The layer of the cross-check.
pub struct Crossed {
    inner: Box<dyn Solver>,
    second: Box<dyn Solver>,
    count: Count,
}

impl Crossed {
    /// Compares contradictions of `inner` with what a backend says, whose models are evaluated.
    #[must_use]
    pub fn new(inner: Box<dyn Solver>, backend: Box<dyn Solver>) -> Crossed {
        let second = Box::new(Domains::new(Box::new(Checked::new(backend))));
        Crossed { inner, second, count: Count { layer: LAYER, ..Count::default() } }
    }
}

impl Layer for Crossed {
    fn parts(&self) -> (&Count, &dyn Solver) {
        (&self.count, self.inner.as_ref())
    }

    fn parts_mut(&mut self) -> (&mut Count, &mut dyn Solver) {
        (&mut self.count, self.inner.as_mut())
    }

    fn hand_on(&mut self, terms: &mut Terms, query: &Query<'_>) -> Answer {
        let answer = self.inner.solve(terms, query);
        if !matches!(answer, Answer::Unsat(_)) {
            return answer;
        }
        match self.second.solve(terms, query) {
            // It satisfies the query: somebody below is wrong, and so may be whatever else it says of this path.
            Answer::Sat(_) => {
                let wrong = Answer::Unknown(Why::Contradicted);
                self.count.note(&wrong);
                wrong
            }
            Answer::Unknown(Why::Interrupted) => Answer::Unknown(Why::Interrupted),
            _ => answer,
        }
    }
}

/// How many contradictions of this chain a second solver had models of.
#[must_use]
pub fn contradicted(counts: &[Count]) -> u64 {
    counts.iter().filter(|count| count.layer == LAYER).map(|count| count.unknown).sum()
}

#[cfg(test)]
mod tests {
    use xcute_term::{Model, Op, Sort, TermId};

    use super::*;
    use crate::solver::Effort;

    /// Says the same to every query.
    struct Fixed(Answer);

    impl Solver for Fixed {
        fn solve(&mut self, _: &mut Terms, _: &Query<'_>) -> Answer {
            self.0.clone()
        }

        fn count(&self, _: &mut dyn FnMut(&Count)) {}
    }

    /// What the check makes of two answers to `x = 7`, and how often it found a contradiction to be wrong.
    fn crossed(first: impl Fn(TermId) -> Answer, second: Answer) -> (Answer, u64) {
        let mut terms = Terms::new();
        let (x, seven) = (terms.var("x", Sort::BitVec(8)), terms.bv(8, 7));
        let goal = terms.mk(Op::Eq, &[x, seven]);
        let hint = Model::new();
        let mut solver = Crossed::new(Box::new(Fixed(first(goal))), Box::new(Fixed(second)));
        let answer = solver.solve(&mut terms, &Query::new(&[], goal, &hint, Effort(1)));
        let mut counts = Vec::new();
        solver.count(&mut |count| counts.push(count.clone()));
        (answer, contradicted(&counts))
    }

    #[test]
    fn a_contradiction_that_has_a_model_is_not_believed() {
        let mut terms = Terms::new();
        let x = terms.var("x", Sort::BitVec(8));
        let id = terms.vars(x).first().expect("a variable");
        let model = |word| {
            let mut model = Model::new();
            model.set_word(id, word);
            Answer::Sat(model)
        };
        let unsat = |goal| Answer::Unsat(vec![goal]);
        assert_eq!(crossed(unsat, model(7)), (Answer::Unknown(Why::Contradicted), 1));
        // A second solver that is wrong itself says nothing.
        assert!(matches!(crossed(unsat, model(8)), (Answer::Unsat(_), 0)));
        assert!(matches!(crossed(unsat, Answer::Unsat(Vec::new())), (Answer::Unsat(_), 0)));
        assert!(matches!(crossed(unsat, Answer::Unknown(Why::Effort)), (Answer::Unsat(_), 0)));
        assert_eq!(crossed(unsat, Answer::Unknown(Why::Interrupted)), (Answer::Unknown(Why::Interrupted), 0));
        assert_eq!(crossed(|_| Answer::Unknown(Why::Effort), model(7)), (Answer::Unknown(Why::Effort), 0));
        assert!(matches!(crossed(|_| model(7), Answer::Unsat(Vec::new())), (Answer::Sat(_), 0)));
    }
}
