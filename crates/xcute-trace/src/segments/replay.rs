//! The replay of segments: evaluates them one after the other and compares with what the run did.
//!
//! **Invariant.** A run that replays is one whose segments are right for its own input; about other inputs this says nothing.

use xcute_term::eval::Evaluator;
use xcute_term::{Model, TermId, Terms, VarId};

use super::run::{Arm, Choice, Run, Segment};

impl Run {
    /// Evaluates the segments from what cells held at the start.
    ///
    /// # Errors
    /// Where an equality does not hold, or not exactly the arm that was taken does; says which decision it is before or at.
    pub fn replay(&self, terms: &Terms) -> Result<(), String> {
        let mut state = State { eval: Evaluator::new(), model: self.input.clone() };
        self.foreign.iter().for_each(|(symbol, value)| state.model.set(*symbol, value.clone()));
        state.assign(terms, &self.initial);
        for (k, decision) in self.decisions.iter().enumerate() {
            state.pass(terms, &decision.segment).map_err(|what| format!("{what} before decision {k}"))?;
            for &own in &decision.own {
                state.holds(terms, own).map_err(|what| format!("{what} at decision {k}"))?;
            }
            let right = match (&decision.choice, decision.taken) {
                (Choice::Branch(arms) | Choice::Assume(arms, _) | Choice::Pin(arms) | Choice::Shape(arms), Arm::Nth(taken)) => {
                    (0..).zip(arms).all(|(n, &arm)| state.eval.eval_bool(terms, arm) == (n == taken))
                }
                (&Choice::Address(address), Arm::Value(value)) => state.eval.eval_word(terms, address) == value,
                _ => false,
            };
            if !right {
                return Err(format!("another arm than the one that was taken holds at decision {k}"));
            }
        }
        state.pass(terms, &self.last).map_err(|what| format!("{what} at the end"))
    }
}

struct State {
    eval: Evaluator,
    model: Model,
}

impl State {
    fn assign(&mut self, terms: &Terms, writes: &[(VarId, TermId)]) {
        self.eval.load(&self.model);
        let values: Vec<_> = writes.iter().map(|&(cell, term)| (cell, self.eval.eval(terms, term))).collect();
        values.into_iter().for_each(|(cell, value)| self.model.set(cell, value));
        self.eval.load(&self.model);
    }

    fn holds(&mut self, terms: &Terms, equality: TermId) -> Result<(), String> {
        let holds = self.eval.eval_bool(terms, equality);
        holds.then_some(()).ok_or_else(|| "an equality does not hold".to_owned())
    }

    fn pass(&mut self, terms: &Terms, segment: &Segment) -> Result<(), String> {
        for &equality in &segment.equalities {
            self.holds(terms, equality)?;
        }
        self.assign(terms, &segment.writes);
        Ok(())
    }
}
