//! The loop of a worker: pick an open arm, ask the solver for an input that takes it, run it.
//!
//! **Invariant.** An arm that was picked is taken, settled or given up before the next one is picked.

use xcute_solver::{Answer, Query, Why};
use xcute_term::Model;
use xcute_trace::{DecisionKind, SubjectError, TestCase};
use xcute_tree::{Arm, ArmId};

use crate::campaign::Campaign;
use crate::observer::Observer;
use crate::options::StopAt;
use crate::results::StopReason;

impl Campaign<'_> {
    /// From the first run, if this worker is the one to begin, until nothing is left to do.
    pub(crate) fn search(&mut self, observer: &dyn Observer, begin: bool) -> Result<(), SubjectError> {
        self.begin = begin && self.past.is_empty();
        if begin && !self.past.is_empty() {
            let past = std::mem::take(&mut self.past);
            self.repeat(observer, past)?;
            observer.repeated();
        }
        while self.crew.ended().is_none() {
            self.catch_up();
            if let Some(reason) = self.over(observer).filter(|_| !self.begin || self.version > 0) {
                self.crew.end(reason);
                break;
            }
            if self.begin {
                self.begin_runs(observer)?;
                continue;
            }
            self.hear();
            if self.crew.hungry() {
                self.share();
            }
            let Some(arm) = self.strategy.pick(&self.tree) else {
                if begin && self.sample(observer)? {
                    continue;
                }
                let Some((version, parcel)) = self.crew.wait() else { break };
                self.catch_up();
                if version == self.version {
                    self.receive(observer, parcel)?;
                }
                continue;
            };
            if self.skip(observer, arm) {
                self.tell_open();
                continue;
            }
            if let Some(patch) = self.solve(observer, arm) {
                self.take(observer, arm, patch)?;
            }
            self.tell_open();
        }
        Ok(())
    }

    /// Runs a case that is to take an open arm.
    fn take(&mut self, observer: &dyn Observer, arm: ArmId, patch: Model) -> Result<(), SubjectError> {
        let input = self.tree.input(arm).expect("an open arm keeps its input").patched(&patch);
        self.promise.clear();
        self.tree.promise(arm, &mut self.promise);
        let Some(schedule) = self.schedule(&self.promise) else {
            self.diverged(arm);
            return Ok(());
        };
        self.step(observer, Some(arm), patch, TestCase { input, schedule })
    }

    /// Why the campaign has to end now, if it has.
    pub(crate) fn over(&self, observer: &dyn Observer) -> Option<StopReason> {
        let figures = &self.crew.figures;
        match self.options.stop_at {
            StopAt::FirstFailure if figures.failures() > 0 => return Some(StopReason::FirstFailure),
            StopAt::FullCoverage if figures.branches().0 == figures.branches().1 => return Some(StopReason::FullCoverage),
            _ => {}
        }
        if figures.runs() >= self.options.runs {
            return Some(StopReason::Runs);
        }
        (self.interrupt.raised() || observer.stop()).then_some(StopReason::Asked)
    }

    /// Asks for an input that takes an open arm, as a patch of the input that came to its decision first; settles the arm if there is none.
    fn solve(&mut self, observer: &dyn Observer, arm: ArmId) -> Option<Model> {
        if self.tree.kind(arm.node) == DecisionKind::Schedule {
            // The input that came to the choice takes every arm of it.
            return Some(Model::new());
        }
        self.path.clear();
        self.tree.condition(arm.node, &mut self.path);
        let start = observer.elapsed();
        let hint = self.tree.input(arm).expect("an open arm keeps its input");
        let query = Query::new(&self.path, self.tree.cond(arm), hint, self.options.effort).until(&self.interrupt);
        let answer = self.solver.solve(&mut self.terms, &query);
        let (patch, state) = match answer {
            Answer::Sat(patch) => {
                self.results.queries.0 += 1;
                (Some(patch), None)
            }
            Answer::Unsat(_) => {
                self.results.queries.1 += 1;
                (None, Some(Arm::Infeasible))
            }
            // A query that was broken off says nothing: the arm stays open, and the search is over.
            Answer::Unknown(Why::Interrupted) => (None, None),
            Answer::Unknown(_) => {
                self.results.queries.2 += 1;
                (None, Some(Arm::Unknown))
            }
        };
        if let Some(state) = state {
            let place = self.place(arm);
            self.tree.settle(arm, state);
            if state == Arm::Unknown {
                self.give_up(arm);
            }
            observer.settled(place, state);
        }
        self.results.solver_time += observer.elapsed().saturating_sub(start);
        patch
    }
}
