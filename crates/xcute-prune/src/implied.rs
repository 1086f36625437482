//! Implication: does the state of a run at a decision imply a clause?
//!
//! Mostly the cells of a clause are concrete there and substitution decides. If not, the run's own input may be a counterexample; if not, there is one
//! question: can the path be gone with the clause violated? Quantified symbols are unknowns like others in it.
//!
//! **Invariant.** "Yes" is a proof. A solver that does not know makes it "no".

use xcute_solver::Answer;
use xcute_term::TermId;

use crate::context::Context;
use crate::counters::Purpose;
use crate::history::History;
use crate::interpolant::{Clause, Interpolant};
use xcute_trace::segments::Run;

/// A run and what it did, as far as it was followed.
#[derive(Debug)]
pub(crate) struct Walk {
    pub(crate) run: Run,
    pub(crate) history: History,
}

impl Context<'_> {
    /// Whether every clause is implied at decision `k`.
    pub(crate) fn implies_all(&mut self, purpose: Purpose, walk: &Walk, k: usize, interpolant: &Interpolant) -> bool {
        // What substitution refutes needs no question about the others.
        let mut open = Vec::new();
        for clause in interpolant.clauses() {
            match self.evaluated(walk, k, clause) {
                Ok(true) => {}
                Ok(false) => return false,
                Err(term) => open.push(term),
            }
        }
        // One by one: intervals decide most of them, and a question about all at once would go to the backends (ten times slower where sums are symbolic).
        open.into_iter().all(|term| self.follows(purpose, walk, k, term))
    }

    /// Whether a clause is implied at decision `k`.
    pub(crate) fn implies(&mut self, purpose: Purpose, walk: &Walk, k: usize, clause: &Clause) -> bool {
        self.evaluated(walk, k, clause).unwrap_or_else(|term| self.follows(purpose, walk, k, term))
    }

    /// The answer without a question, or the clause as a term over inputs.
    fn evaluated(&mut self, walk: &Walk, k: usize, clause: &Clause) -> Result<bool, TermId> {
        let term = clause.term(self.terms);
        let term = walk.history.at(self.terms, self.symbols, k, term);
        let answer = match self.terms.as_u64(term) {
            Some(truth) => truth == 1,
            None if !self.holds(term, &walk.run.input) => false,
            None => return Err(term),
        };
        self.counters.evaluated += 1;
        Ok(answer)
    }

    fn follows(&mut self, purpose: Purpose, walk: &Walk, k: usize, term: TermId) -> bool {
        let goal = self.terms.not(term);
        matches!(self.ask(purpose, walk.history.path(k), goal, &walk.run.input), Answer::Unsat(_))
    }
}
