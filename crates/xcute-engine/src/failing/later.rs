//! Failures that came after another task's failure: each becomes the first of a run of its own.
//!
//! A task that fails stops, and nothing that others do depends on it ([`LaterFailure`]). Which of two independent failures comes first is not a race:
//! the algorithms run one order only. So the causal past of the later one is run by itself, and its failure is counted like any other.
//!
//! **Invariant.** What such a run does is not in the tree. A failure that did not come in it keeps the search from being complete.

use xcute_race::{Causality, past};
use xcute_trace::{LaterFailure, Limit, Outcome, Schedule, TestCase, Trace};

use super::Run;
use super::failed::failed;
use crate::runner::Runner;

/// Runs what leads to each failure after the first one of a run, if it is new.
pub(crate) fn failed_later(runner: &mut Runner<'_>, run: &Run<'_>, causality: &Causality<'_>, trace: &Trace) {
    let later = trace.concurrent.as_ref().map_or(&[][..], |concurrent| &concurrent.later);
    for failure in later {
        if runner.options.confirmations > 0 && !runner.crew.schedules().later.contains(&failure.what) {
            first_of_its_own(runner, run, causality, trace, failure);
        }
    }
}

fn first_of_its_own(runner: &mut Runner<'_>, run: &Run<'_>, causality: &Causality<'_>, trace: &Trace, later: &LaterFailure) {
    let schedule = Schedule { failing: Some(later.task), ..past(causality, later.steps) };
    let case = TestCase { input: trace.input.clone(), schedule };
    let Ok(again) = runner.run_again(&case) else { return };
    let task = again.concurrent.as_ref().and_then(|concurrent| concurrent.failed);
    let settled = match &again.outcome {
        Outcome::Failed(failure) if task == Some(later.task) => failed(runner, &Run { way: None, ..*run }, failure, &again, None).settled,
        // The front end knows it for an assumption.
        Outcome::Rejected => true,
        _ => {
            runner.results.limit(Limit::LATER, "a task failed after another one, and did not when it ran without that", true);
            true
        }
    };
    if settled {
        runner.crew.schedules().later.insert(later.what);
    }
}
