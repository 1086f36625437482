//! Failures that came after another task's failure: each becomes the first of a run of its own.
//!
//! A task that fails stops, and nothing that others do depends on it ([`LaterFailure`]). Which of two independent failures comes first is not a race:
//! the algorithms run one order only. So the causal past of the later one is run by itself, and its failure is counted like any other.
//!
//! **Invariant.** What such a run does is not in the tree. A failure that did not come in it keeps the search from being complete.

use xcute_race::{Causality, past};
use xcute_trace::{LaterFailure, Limit, Outcome, Schedule, TestCase, Trace};

use crate::campaign::Campaign;
use crate::campaign::run::outdated;
use crate::observer::Observer;

impl Campaign<'_> {
    /// Runs what leads to each failure after the first one of a run, if it is new.
    pub(crate) fn failed_later(&mut self, observer: &dyn Observer, run: u64, causality: &Causality<'_>, trace: &Trace) {
        let later = trace.concurrent.as_ref().map_or(&[][..], |concurrent| &concurrent.later);
        for failure in later {
            if self.options.confirmations > 0 && !self.crew.schedules().later.contains(&failure.what) {
                self.first_of_its_own(observer, run, causality, trace, failure);
            }
        }
    }

    fn first_of_its_own(&mut self, observer: &dyn Observer, run: u64, causality: &Causality<'_>, trace: &Trace, later: &LaterFailure) {
        let schedule = Schedule { failing: Some(later.task), ..past(causality, later.steps) };
        let case = TestCase { input: trace.input.clone(), schedule };
        let Ok(mut again) = self.subject.run(&case, &[], &mut self.terms) else { return };
        self.outdated |= outdated(&again);
        self.cover(&mut again);
        let failed = again.concurrent.as_ref().and_then(|concurrent| concurrent.failed);
        let settled = match &again.outcome {
            Outcome::Failed(failure) if failed == Some(later.task) => self.failed(observer, (run, None), failure, &again, None).settled,
            // The front end knows it for an assumption.
            Outcome::Rejected => true,
            _ => {
                self.results.limit(Limit::LATER, "a task failed after another one, and did not when it ran without that", true);
                true
            }
        };
        if settled {
            self.crew.schedules().later.insert(later.what);
        }
    }
}
