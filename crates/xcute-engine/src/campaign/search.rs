//! The loop of a worker: pick an open arm, ask the solver for an input that takes it, run it.
//!
//! The three papers' loops are one here; [`Campaign::search`] has their lines in their order:
//!
//! ```text
//! while not completed                             run_CUTE [sen-marinov-agha-2006 §4.1.2]
//!   arm := pick an open arm                       any strategy, in place of "the last branch or choice"
//!   if IsSubsumedPath(arm): continue              [jaffar-murali-navas-2013 Fig. 4, line 4]
//!   input, schedule := compute_next(arm)          compute_next_input_and_schedule [sen-marinov-agha-2006 Fig. 16]
//!   execute P with them                           run.rs: grows the tree, flips races, SymExec
//! ```
//!
//! We deviate in that arms wait in a tree of all runs, not on the path of the last one, so that any of them can be next and workers can share them.
//!
//! **Invariant.** An arm that was picked is taken, settled or given up before the next one is picked.

use xcute_solver::{Answer, Query, Why};
use xcute_term::{Model, profile};
use xcute_trace::{DecisionKind, Schedule, SubjectError, TestCase};
use xcute_tree::{Arm, ArmId};

use super::Campaign;
use super::hard::Hard;
use crate::fuzzing::{Fuzz, Fuzzing};
use crate::observer::Observer;
use crate::options::StopAt;
use crate::pruning::Skip;
use crate::results::StopReason;

impl Campaign<'_> {
    /// From the first run, if this worker is the one to begin, until nothing is left to do.
    pub(super) fn search(&mut self, observer: &dyn Observer, begin: bool) -> Result<(), SubjectError> {
        self.begin = begin && self.past.is_empty();
        if begin {
            // Of the other workers' trees, parts belong to others: what chance finds may be there.
            let options = &self.runner.options;
            self.fuzzing = Fuzzing::new(options.fuzz, options.fuzz_seed, self.runner.subject);
        }
        if self.runner.options.fuzz != Fuzz::Off && self.scheduling.is_none() {
            self.hard = Some(Hard::default());
        }
        if begin && !self.past.is_empty() {
            let past = std::mem::take(&mut self.past);
            self.repeat(observer, past)?;
            observer.repeated();
        }
        while !self.completed(observer) {
            if self.begin {
                self.begin_runs(observer)?;
                continue;
            }
            self.exchange();
            if self.fuzz(observer)? {
                continue;
            }
            let choosing = profile::phase("strategy");
            let picked = self.pick();
            drop(choosing);
            let Some((arm, last)) = picked else { if self.idle(observer, begin)? { continue } else { break } };
            if !self.is_subsumed_path(observer, arm)
                && let Some(patch) = self.compute_next_input(observer, arm, last)?
            {
                self.execute(observer, arm, patch)?;
            }
            self.tried();
            self.count_open();
        }
        Ok(())
    }

    /// Whether the campaign is over, or has to end now.
    fn completed(&mut self, observer: &dyn Observer) -> bool {
        if self.runner.crew.ended().is_some() {
            return true;
        }
        self.catch_up();
        let reason = self.over(observer).filter(|_| !self.begin || self.version > 0);
        if let Some(reason) = reason {
            self.runner.crew.end(reason);
        }
        reason.is_some()
    }

    /// Why the campaign has to end now, if it has.
    pub(super) fn over(&self, observer: &dyn Observer) -> Option<StopReason> {
        let (figures, options) = (&self.runner.crew.figures, &self.runner.options);
        match options.stop_at {
            StopAt::FirstFailure if figures.failures() > 0 => return Some(StopReason::FirstFailure),
            StopAt::FullCoverage if figures.branches().0 == figures.branches().1 => return Some(StopReason::FullCoverage),
            _ => {}
        }
        if figures.runs() >= options.runs {
            return Some(StopReason::Runs);
        }
        (self.runner.interrupt.raised() || observer.stop()).then_some(StopReason::Asked)
    }

    /// Makes the first runs: the one without a promise, and the seeds.
    fn begin_runs(&mut self, observer: &dyn Observer) -> Result<(), SubjectError> {
        self.begin = false;
        self.promise.clear();
        self.step(observer, None, Model::new(), TestCase::default())?;
        // Kept where the search may restart.
        let seeds = if self.scheduling.is_some() { self.seeds.clone() } else { std::mem::take(&mut self.seeds) };
        for seed in seeds {
            if self.begin || self.over(observer).is_some() {
                break;
            }
            let case = seed.case(&mut self.runner.terms);
            self.promise.clear();
            self.step(observer, None, Model::new(), case)?;
        }
        Ok(())
    }

    /// No arm was picked: samples an input or a schedule, or waits for arms of others. Whether the search goes on. Only the worker that began samples: paths
    /// that two trees know would count twice.
    fn idle(&mut self, observer: &dyn Observer, began: bool) -> Result<bool, SubjectError> {
        if began && self.strategy.samples() && self.tree.counts().open > 0 {
            self.promise.clear();
            self.step(observer, None, Model::new(), TestCase::default())?;
            self.count_open();
            return Ok(true);
        }
        if began && (self.sample(observer)? || self.fuzz_at_last(observer)?) {
            return Ok(true);
        }
        let waiting = profile::phase("waiting for work");
        let parcel = self.runner.crew.wait();
        drop(waiting);
        let Some((version, parcel)) = parcel else { return Ok(false) };
        self.catch_up();
        if version == self.version {
            self.receive(observer, parcel)?;
        }
        Ok(true)
    }

    /// Makes a run that nobody planned, if the scheduler knows one; whether it did so.
    fn sample(&mut self, observer: &dyn Observer) -> Result<bool, SubjectError> {
        let runs = self.runner.results.runs;
        let Some(input) = self.scheduling.as_ref().and_then(|scheduling| scheduling.sample(runs)) else { return Ok(false) };
        let before = self.tree.paths();
        self.promise.clear();
        self.step(observer, None, Model::new(), TestCase { input, schedule: Schedule::default() })?;
        let new = self.tree.paths() != before;
        if let Some(scheduling) = &mut self.scheduling {
            scheduling.sampled(new);
        }
        Ok(true)
    }

    /// Settles an arm that need not be tried, and all others that need not for the same reason.
    fn is_subsumed_path(&mut self, observer: &dyn Observer, arm: ArmId) -> bool {
        let Some(pruning) = &mut self.pruning else { return false };
        let _phase = profile::phase("pruning");
        let Some(skip) = pruning.skips(&self.tree, arm) else { return false };
        let arms = match skip {
            Skip::Arm => {
                self.tree.settle(arm, Arm::Subsumed);
                vec![arm]
            }
            Skip::Below(top) => self.tree.settle_below(top, Arm::Subsumed),
        };
        debug_assert!(self.tree.arm(arm) == Arm::Subsumed, "the arm is one of them");
        pruning.skipped(arms.len() as u64);
        for arm in arms {
            observer.settled(self.place(arm), Arm::Subsumed);
        }
        true
    }

    /// Asks for an input that takes an open arm, as a patch of the input that came to its decision first; settles the arm if there is none. `last`: it is asked for good.
    fn compute_next_input(&mut self, observer: &dyn Observer, arm: ArmId, last: bool) -> Result<Option<Model>, SubjectError> {
        if self.tree.kind(arm.node) == DecisionKind::Schedule {
            // The input that came to the choice takes every arm of it.
            return Ok(Some(Model::new()));
        }
        let Some(effort) = self.effort(arm, last) else { return Ok(None) };
        let reading = profile::phase("tree");
        self.path.clear();
        self.tree.condition(arm.node, &mut self.path);
        drop(reading);
        let start = observer.elapsed();
        let hint = self.tree.input(arm).expect("an open arm keeps its input");
        let runner = &mut self.runner;
        let query = Query::new(&self.path, self.tree.cond(arm), hint, effort).until(&runner.interrupt);
        let solving = profile::phase("solver");
        let answer = self.solver.solve(&mut runner.terms, &query);
        drop(solving);
        runner.results.solver_time += observer.elapsed().saturating_sub(start);
        let queries = &mut runner.results.queries;
        match answer {
            Answer::Sat(patch) => {
                queries.0 += 1;
                self.answered(arm);
                return Ok(Some(patch));
            }
            Answer::Unsat(_) => {
                queries.1 += 1;
                self.answered(arm);
                self.settle(observer, arm, Arm::Infeasible);
            }
            // A query that was broken off says nothing: the arm stays open, and the search is over.
            Answer::Unknown(Why::Interrupted) => {}
            Answer::Unknown(why) => {
                queries.2 += 1;
                let open = !last && why == Why::Effort;
                if !last {
                    self.set_aside(observer, arm, why)?;
                }
                if !open && self.tree.arm(arm) == Arm::Open {
                    self.settle(observer, arm, Arm::Unknown);
                }
            }
        }
        Ok(None)
    }

    /// Runs a case that is to take an open arm.
    fn execute(&mut self, observer: &dyn Observer, arm: ArmId, patch: Model) -> Result<(), SubjectError> {
        let input = self.tree.input(arm).expect("an open arm keeps its input").patched(&patch);
        self.promise.clear();
        self.tree.promise(arm, &mut self.promise);
        let Some(schedule) = self.schedule(&self.promise) else {
            self.diverged(arm);
            return Ok(());
        };
        self.step(observer, Some(arm), patch, TestCase { input, schedule })
    }

    /// No run will take this arm.
    fn settle(&mut self, observer: &dyn Observer, arm: ArmId, state: Arm) {
        let place = self.place(arm);
        self.tree.settle(arm, state);
        if state == Arm::Unknown {
            self.give_up(arm);
        }
        observer.settled(place, state);
    }
}
