//! Why an arm cannot be taken: a set of conditions of its path that contradict each other, as small as leaving out one after the other makes it.
//!
//! **Invariant.** What is left contradicts itself by the solver's word, and no proper subset was shown to do so within the effort.

use xcute_solver::{Answer, Query};
use xcute_term::{Model, TermId};
use xcute_trace::SubjectError;
use xcute_tree::ArmId;

use super::Campaign;
use crate::observer::Observer;

impl Campaign<'_> {
    /// Repeats what an earlier campaign recorded ([`Campaign::go_on_from`]), and does not search.
    ///
    /// # Errors
    /// Where the subject cannot be run.
    pub fn rebuild(&mut self, observer: &dyn Observer) -> Result<(), SubjectError> {
        let past = std::mem::take(&mut self.past);
        self.listen(observer);
        self.repeat(observer, past)
    }

    /// Conditions, on the way to an arm and its own, that exclude each other. `input` comes to the arm's decision, in the numbering that all
    /// subjects share. `None` where the solver finds no contradiction.
    pub fn core(&mut self, arm: ArmId, input: &Model) -> Option<Vec<TermId>> {
        let hint = self.runner.subject.import(input, &mut self.runner.terms);
        let goal = self.tree.cond(arm);
        let mut path = Vec::new();
        self.tree.condition(arm.node, &mut path);
        let mut core = self.contradiction(&path, goal, &hint)?;
        core.retain(|&term| term != goal);
        let mut at = 0;
        while at < core.len() {
            let left_out = core.remove(at);
            match self.contradiction(&core, goal, &hint) {
                Some(smaller) => {
                    // What the solver did not need either need not be tried; those before `at` are needed.
                    let needed = core[..at].to_vec();
                    core.retain(|term| needed.contains(term) || smaller.contains(term));
                }
                None => {
                    core.insert(at, left_out);
                    at += 1;
                }
            }
        }
        core.push(goal);
        Some(core)
    }

    fn contradiction(&mut self, path: &[TermId], goal: TermId, hint: &Model) -> Option<Vec<TermId>> {
        let runner = &mut self.runner;
        let query = Query::new(path, goal, hint, runner.options.effort).until(&runner.interrupt);
        match self.solver.solve(&mut runner.terms, &query) {
            Answer::Unsat(core) => Some(core),
            Answer::Sat(_) | Answer::Unknown(_) => None,
        }
    }
}
