//! One run of the loop, and all that is noted of it.
//!
//! **Invariant.** A run grows the tree first; then its failures count, its schedule is taken in, the observer hears of it, and last the pruner.

use std::sync::atomic::Ordering::Relaxed;

use xcute_race::Causality;
use xcute_strategy::Seen;
use xcute_term::{Model, profile};
use xcute_trace::{End, SubjectError, TestCase, Trace};
use xcute_tree::{Arm, ArmId, Growth, Insertion, PathTree};

use super::Campaign;
use crate::account::account;
use crate::failing::{Run, fail};
use crate::observer::{Asked, Observer, RunEvent};
use crate::record::Place;
use crate::results::StopReason;
use crate::runner::{Runner, outdated};
use crate::scheduling::Interleaved;
use crate::scheduling::explored::name_choices;

/// One run of the loop.
pub(super) struct Step {
    pub(super) number: u64,
    pub(super) promised: Option<ArmId>,
    pub(super) place: Option<Place>,
    pub(super) patch: Model,
    /// Whether it was recorded by an earlier campaign.
    pub(super) repeated: bool,
}

impl Campaign<'_> {
    /// Runs a case, with the next number. Its input is that of the promised arm's decision, changed by the patch.
    pub(super) fn step(
        &mut self,
        observer: &dyn Observer,
        promised: Option<ArmId>,
        patch: Model,
        case: TestCase,
    ) -> Result<(), SubjectError> {
        let figures = &self.runner.crew.figures;
        let number = figures.runs.fetch_add(1, Relaxed) + 1;
        if number > self.runner.options.runs {
            // Others took the last runs meanwhile.
            figures.runs.fetch_sub(1, Relaxed);
            self.runner.crew.end(StopReason::Runs);
            return Ok(());
        }
        let place = promised.map(|arm| self.place(arm));
        let made = self.runner.results.runs;
        let outcome = self.run_step(observer, &Step { number, promised, place, patch, repeated: false }, &case);
        if outcome.is_err() && self.runner.results.runs == made {
            self.runner.crew.figures.runs.fetch_sub(1, Relaxed);
        }
        outcome
    }

    /// Runs a case and takes note of everything it did.
    pub(super) fn run_step(&mut self, observer: &dyn Observer, step: &Step, case: &TestCase) -> Result<(), SubjectError> {
        let Step { number, promised, repeated, .. } = *step;
        if let Some(scheduling) = &mut self.scheduling {
            scheduling.prepare(self.runner.subject, number);
        }
        if let Some(pruning) = &mut self.pruning {
            let _phase = profile::phase("pruning");
            pruning.prepare(&mut self.runner, observer)?;
        }
        let mut trace = self.runner.run(observer, case, &self.promise)?;
        self.runner.results.runs += 1;
        if outdated(&trace) {
            trace.covered = self.runner.cover(&trace.covered);
            self.ran_outdated(observer, step, case, &trace);
            return Ok(());
        }
        let mut growth = self.grow(number, promised, &trace);
        trace.covered = self.runner.cover(&trace.covered);
        if let Some(fuzzing) = &mut self.fuzzing {
            fuzzing.observe(&trace);
        }
        name_choices(&mut trace, &self.promise);
        if let Some(concurrent) = trace.concurrent.as_mut().filter(|_| growth.cut) {
            concurrent.record.end = End::Cut;
        }
        account(&mut self.runner.results, &self.runner.options, &trace, &growth);
        let Campaign { runner, tree, strategy, scheduling, pruning, promise, version, .. } = self;
        let causality = trace.concurrent.as_ref().map(|concurrent| Causality::new(&concurrent.record));
        let way = promised.filter(|_| growth.kept).map(|arm| (&*tree, arm));
        // Asked before anything else is run.
        let places = race_places(runner, &trace);
        fail(runner, &Run { observer, number, way, repeated, promise, places: &places }, causality.as_ref(), &trace);
        let mut record = |runner: &Runner<'_>, tree: &PathTree, growth: &Growth, asked: &[Asked]| {
            let choosing = profile::phase("strategy");
            strategy.observe(&Seen { tree, growth, covered: &trace.covered });
            drop(choosing);
            runner.crew.figures.paths.fetch_add(u64::from(growth.new_path), Relaxed);
            tell(runner, observer, step, case, &trace, (growth, asked));
        };
        match scheduling {
            Some(scheduling) => {
                let _phase = profile::phase("schedules");
                let run = Interleaved { causality: causality.as_ref(), trace: &trace, places: &places, promise, version: *version };
                scheduling.observe(runner, &run, (tree, &mut growth), &mut record);
            }
            None => record(runner, tree, &growth, &[]),
        }
        if runner.outdated {
            self.restart(observer, repeated);
            return Ok(());
        }
        match (pruning, trace.segments.take()) {
            (Some(pruning), Some(followed)) => {
                let _phase = profile::phase("pruning");
                let run = Run { observer, number, way: None, repeated, promise, places: &places };
                pruning.observe(runner, &run, (tree, &growth), followed)
            }
            _ => Ok(()),
        }
    }

    /// Inserts a run into the tree.
    fn grow(&mut self, number: u64, promised: Option<ArmId>, trace: &Trace) -> Growth {
        let _phase = profile::phase("tree");
        let bound = self.pruning.as_ref().and_then(|pruning| pruning.depth(trace));
        let depth = bound.unwrap_or(self.runner.options.depth);
        let growth = self.tree.grow(&self.runner.terms, &Insertion { promised, trace, number, depth });
        if let Some(arm) = promised.filter(|&arm| self.tree.arm(arm) == Arm::Open) {
            self.diverged(arm);
        }
        growth
    }

    /// A run that shows that the tree lacks decisions: what it found counts, and the search restarts.
    fn ran_outdated(&mut self, observer: &dyn Observer, step: &Step, case: &TestCase, trace: &Trace) {
        let growth = Growth { kept: true, ..Growth::default() };
        let Step { number, repeated, .. } = *step;
        let Campaign { runner, promise, .. } = self;
        account(&mut runner.results, &runner.options, trace, &growth);
        let causality = trace.concurrent.as_ref().map(|concurrent| Causality::new(&concurrent.record));
        let places = race_places(runner, trace);
        fail(runner, &Run { observer, number, way: None, repeated, promise, places: &places }, causality.as_ref(), trace);
        tell(runner, observer, step, case, trace, (&growth, &[]));
        self.restart(observer, repeated);
    }
}

/// What the places of the last run stand for.
fn race_places(runner: &Runner<'_>, trace: &Trace) -> Vec<u64> {
    let steps = trace.concurrent.iter().flat_map(|concurrent| &concurrent.record.steps);
    steps.enumerate().map(|(at, step)| runner.subject.race_place(at, step.place)).collect()
}

/// Lets the observer know of a run.
fn tell(runner: &Runner<'_>, observer: &dyn Observer, step: &Step, case: &TestCase, trace: &Trace, (growth, asked): (&Growth, &[Asked])) {
    let (subject, figures) = (&*runner.subject, &runner.crew.figures);
    let Step { number, place, repeated, ref patch, .. } = *step;
    let _phase = profile::phase("recording");
    let input = &case.input;
    observer.ran(&runner.terms, &RunEvent { number, place, repeated, subject, input, patch, trace, growth, asked, figures });
}
