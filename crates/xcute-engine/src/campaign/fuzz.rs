//! A turn of fuzzing in the loop: runs without a record, until they find nothing further.
//!
//! **Invariant.** Only [`Campaign::step`] grows the tree. A turn ends when a budget is used up, like the loop.

use xcute_solver::left_for_backends;
use xcute_term::Model;
use xcute_trace::{Schedule, SubjectError, TestCase};

use super::Campaign;
use crate::fuzzing::{Fuzzing, Turn};
use crate::observer::Observer;
use crate::results::StopReason;

/// A turn may use up this part of the runs that are left.
const PART: u64 = 4;

impl Campaign<'_> {
    /// Makes a turn of fuzzing if it is time for one; whether it was.
    pub(super) fn fuzz(&mut self, observer: &dyn Observer) -> Result<bool, SubjectError> {
        let (covered, all) = self.runner.crew.figures.branches();
        let Some(fuzzing) = &self.fuzzing else { return Ok(false) };
        if self.tree.counts().open == 0 {
            return Ok(false);
        }
        let (due, only) = (fuzzing.is_due(covered < all), fuzzing.is_only());
        if due {
            self.turn(observer)?;
        } else if only {
            // Nothing can be changed, and nobody is to be asked.
            self.runner.crew.end(StopReason::Exhausted);
        }
        Ok(due || only)
    }

    /// Makes a turn of fuzzing where no arm is left, but some that the solver does not know; whether it did.
    pub(super) fn fuzz_at_last(&mut self, observer: &dyn Observer) -> Result<bool, SubjectError> {
        let ((covered, all), unknown) = (self.runner.crew.figures.branches(), self.tree.counts().unknown);
        let due = self.fuzzing.as_ref().is_some_and(|fuzzing| fuzzing.is_last(covered < all, unknown));
        if due {
            self.turn(observer)?;
        }
        Ok(due)
    }

    fn turn(&mut self, observer: &dyn Observer) -> Result<(), SubjectError> {
        let (mut turn, mut found) = (Turn::new(), false);
        // Of a budget of runs a turn may take a part only, unless nobody else wants them.
        let part = if self.fuzzing.as_ref().is_some_and(Fuzzing::is_only) { 1 } else { PART };
        let (made, all) = (self.runner.crew.figures.runs(), self.runner.options.runs);
        let most = made + (all.saturating_sub(made) / part).max(1);
        if let Some(fuzzing) = &mut self.fuzzing {
            fuzzing.begin(self.runner.subject, &self.runner.terms, &self.tree);
        }
        while !turn.is_over() && self.runner.crew.figures.runs() < most && self.over(observer).is_none() {
            let Some(fuzzing) = &mut self.fuzzing else { break };
            let case = TestCase { input: fuzzing.next(&self.runner.terms), schedule: Schedule::default() };
            let Some(glance) = self.runner.glance(observer, &case)? else {
                fuzzing.is_impossible();
                if fuzzing.is_only() {
                    self.runner.results.limit("fuzzing", "programs with threads are not fuzzed", false);
                }
                return Ok(());
            };
            let new = fuzzing.is_new(&glance);
            turn.spend(&glance, new);
            if new {
                found = true;
                self.take_in(observer, case)?;
            }
        }
        if let Some(fuzzing) = &mut self.fuzzing {
            fuzzing.end(found);
        }
        Ok(())
    }

    /// Makes a run of the search of an input that did something new.
    fn take_in(&mut self, observer: &dyn Observer, case: TestCase) -> Result<(), SubjectError> {
        let made = self.runner.results.runs;
        self.promise.clear();
        self.step(observer, None, Model::new(), case)?;
        self.runner.results.joined += self.runner.results.runs - made;
        self.count_open();
        self.exchange();
        Ok(())
    }

    /// Takes note of an arm that was tried, for whoever waits for a turn.
    pub(super) fn tried(&mut self) {
        if let Some(fuzzing) = &mut self.fuzzing {
            fuzzing.tried(left_for_backends(self.solver.as_ref()), self.runner.results.queries.2);
        }
    }
}
