//! What the algorithms work with: arena, solver, options, and the one way to ask a question.
//!
//! **Invariant.** Every question is counted, but for those that check invariants.

use xcute_solver::{Answer, Query, Solver, left_for_backends};
use xcute_term::eval::Evaluator;
use xcute_term::{Interrupt, Model, TermId, Terms};

use crate::counters::{Counters, Purpose};
use crate::options::Options;
use crate::symbols::Symbols;

/// What the algorithms work with.
pub(crate) struct Context<'a> {
    pub(crate) terms: &'a mut Terms,
    pub(crate) solver: &'a mut dyn Solver,
    pub(crate) options: &'a Options,
    pub(crate) symbols: &'a mut Symbols,
    pub(crate) counters: &'a mut Counters,
    pub(crate) eval: &'a mut Evaluator,
    pub(crate) interrupt: &'a Interrupt,
    /// How much work it may have done in all.
    pub(crate) allowed: u64,
}

impl Context<'_> {
    /// Whether to leave it at what there is: nothing more is annotated then.
    pub(crate) fn over(&self) -> bool {
        self.interrupt.raised() || self.counters.work() >= self.allowed
    }

    /// Asks whether `goal` can hold together with `path`, which holds under `hint`.
    pub(crate) fn ask(&mut self, purpose: Purpose, path: &[TermId], goal: TermId, hint: &Model) -> Answer {
        self.counters.queries[purpose as usize] += 1;
        let before = left_for_backends(self.solver);
        let answer = self.ask_uncounted(path, goal, hint);
        self.counters.hard += left_for_backends(self.solver) - before;
        answer
    }

    /// The same, for checks of invariants.
    pub(crate) fn ask_uncounted(&mut self, path: &[TermId], goal: TermId, hint: &Model) -> Answer {
        self.solver.solve(self.terms, &Query::new(path, goal, hint, self.options.effort).until(self.interrupt))
    }

    /// The truth of a term under an input.
    pub(crate) fn holds(&mut self, term: TermId, input: &Model) -> bool {
        self.eval.load(input);
        self.eval.eval_bool(self.terms, term)
    }
}
