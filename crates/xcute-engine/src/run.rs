//! One run of the loop, and all that is noted of it.
//!
//! **Invariant.** A run grows the tree first; then its failures count, its schedule is taken in, and last the observer hears of it.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use xcute_race::Causality;
use xcute_strategy::Seen;
use xcute_term::Model;
use xcute_trace::{End, FailureKind, Outcome, SubjectError, TestCase, Trace};
use xcute_tree::{Arm, ArmId, Growth, Insertion};

use crate::campaign::Campaign;
use crate::interleavings::{Asked, name_choices};
use crate::observer::{Observer, RunEvent};
use crate::record::Place;

/// One run of the loop.
pub(crate) struct Step {
    pub(crate) number: u64,
    pub(crate) promised: Option<ArmId>,
    pub(crate) place: Option<Place>,
    pub(crate) patch: Model,
    /// Whether it was recorded by an earlier campaign.
    pub(crate) repeated: bool,
}

impl Campaign<'_> {
    /// Runs a case and takes note of everything it did.
    pub(crate) fn run_step(&mut self, observer: &dyn Observer, step: Step, case: TestCase) -> Result<(), SubjectError> {
        let Step { number, promised, .. } = step;
        if self.threads
            && let Some(choice) = self.options.scheduling.choice(number, self.crew.schedules().longest)
        {
            self.subject.schedule_by(choice);
        }
        self.follow(observer)?;
        let start = observer.elapsed();
        let mut trace = self.subject.run(&case, &self.promise, &mut self.terms)?;
        self.results.subject_time += observer.elapsed().saturating_sub(start);
        self.results.runs += 1;
        if outdated(&trace) {
            self.cover(&mut trace);
            return self.ran_outdated(observer, &step, &case, &trace);
        }
        let depth = self.depth_of(&trace);
        let mut growth = self.tree.grow(&self.terms, &Insertion { promised, trace: &trace, number, depth });
        if let Some(arm) = promised.filter(|&arm| self.tree.arm(arm) == Arm::Open) {
            self.diverged(arm);
        }
        self.cover(&mut trace);
        name_choices(&mut trace, &self.promise);
        if let Some(concurrent) = trace.concurrent.as_mut().filter(|_| growth.cut) {
            concurrent.record.end = End::Cut;
        }
        self.account(&trace, &growth);
        let causality = trace.concurrent.as_ref().map(|concurrent| Causality::new(&concurrent.record));
        self.fail(observer, (number, promised.filter(|_| growth.kept)), causality.as_ref(), &trace);
        let crew = Arc::clone(&self.crew);
        // Held until the run is recorded: a repetition must meet the runs in the order in which the explorer met them.
        let mut schedules = self.threads.then(|| crew.schedules());
        let mut asked = Vec::new();
        match (&mut schedules, &causality) {
            // The search restarted while this ran.
            (Some(schedules), _) if schedules.version != self.version => growth.new_path = false,
            (Some(schedules), Some(causality)) => asked = self.interleave(schedules, causality, &trace, &mut growth),
            _ => {}
        }
        if growth.new_path && self.threads {
            self.keep_input(&trace.input);
        }
        self.strategy.observe(&Seen { tree: &self.tree, growth: &growth, covered: &trace.covered });
        crew.figures.paths.fetch_add(u64::from(growth.new_path), Relaxed);
        self.tell(observer, &step, &case, &trace, (&growth, &asked));
        drop(schedules);
        if self.outdated {
            self.restart(observer, step.repeated);
            return Ok(());
        }
        self.prune(observer, number, &growth, trace.segments.take())
    }

    /// A run that shows that the tree lacks decisions: what it found counts, and the search restarts.
    fn ran_outdated(&mut self, observer: &dyn Observer, step: &Step, case: &TestCase, trace: &Trace) -> Result<(), SubjectError> {
        let growth = Growth { kept: true, ..Growth::default() };
        self.account(trace, &growth);
        let causality = trace.concurrent.as_ref().map(|concurrent| Causality::new(&concurrent.record));
        self.fail(observer, (step.number, None), causality.as_ref(), trace);
        self.tell(observer, step, case, trace, (&growth, &[]));
        self.restart(observer, step.repeated);
        Ok(())
    }

    fn tell(&self, observer: &dyn Observer, step: &Step, case: &TestCase, trace: &Trace, (growth, asked): (&Growth, &[Asked])) {
        let (subject, figures) = (&*self.subject, &self.crew.figures);
        let Step { number, place, repeated, ref patch, .. } = *step;
        let input = &case.input;
        observer.ran(&self.terms, &RunEvent { number, place, repeated, subject, input, patch, trace, growth, asked, figures });
    }

    fn account(&mut self, trace: &Trace, growth: &Growth) {
        self.results.rejected += u64::from(trace.outcome == Outcome::Rejected);
        let asked = trace.input.words().len() + trace.input.others().len();
        self.results.inputs = self.results.inputs.max(asked as u64);
        self.account_schedule(trace, growth);
        for limit in &trace.limits {
            if let Some(count) = self.results.limits.get_mut(limit) {
                *count += 1;
            } else {
                self.results.limits.insert(limit.clone(), 1);
            }
        }
        if let Outcome::OutOfBudget(budget) = trace.outcome {
            let what = format!("a run used up its budget of {}", format!("{budget:?}").to_lowercase());
            self.results.limit("cut", &what, true);
        }
        // Whether it would have ended, or with which value it would have gone on, and what it would have done then, is not known.
        if let Outcome::Failed(failure) = &trace.outcome
            && let Some(what) = went_on(failure.kind)
        {
            let place = failure.stack.first().map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
            self.results.limit("cut", &format!("a run that {what}{place} was stopped: what comes after it was not explored"), true);
        }
        if growth.cut {
            let by_horizon = self.options.prune.horizon.is_some() && trace.segments.is_some();
            let what = if by_horizon { self.beyond_horizon() } else { self.beyond_depth() };
            self.results.limit("depth", &what, true);
        }
        if growth.contradiction {
            self.results.limit("nondeterminism", "a run did not repeat what an earlier run with the same decisions did", true);
        }
    }
}

/// What a run did that we stopped there, while the program itself goes on as if nothing had happened.
fn went_on(kind: FailureKind) -> Option<&'static str> {
    match kind {
        FailureKind::Hang => Some("did not end"),
        FailureKind::Uninitialised => Some("used an uninitialised value"),
        _ => None,
    }
}

/// Whether a run found memory to be shared that earlier runs took for private.
pub(crate) fn outdated(trace: &Trace) -> bool {
    trace.concurrent.as_ref().is_some_and(|concurrent| concurrent.outdated)
}
