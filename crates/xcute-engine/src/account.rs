//! What a run adds to the figures, apart from its failures.
//!
//! **Invariant.** Whatever kept a run from being followed to its end is a limit, by name.

use xcute_trace::{End, FailureKind, Outcome, Trace};
use xcute_tree::Growth;

use crate::options::{Options, Races};
use crate::results::Results;

/// Counts a run that has grown the tree in this way.
pub(crate) fn account(results: &mut Results, options: &Options, trace: &Trace, growth: &Growth) {
    results.rejected += u64::from(trace.outcome == Outcome::Rejected);
    results.decisions += (trace.known + trace.decisions.len()) as u64;
    let asked = trace.input.words().len() + trace.input.others().len();
    results.inputs = results.inputs.max(asked as u64);
    account_schedule(results, options, trace, growth);
    for limit in &trace.limits {
        if let Some(count) = results.limits.get_mut(limit) {
            *count += 1;
        } else {
            results.limits.insert(limit.clone(), 1);
        }
    }
    if let Outcome::OutOfBudget(budget) = trace.outcome {
        let what = format!("a run used up its budget of {}", format!("{budget:?}").to_lowercase());
        results.limit("cut", &what, true);
    }
    // Whether it would have ended, or with which value it would have gone on, and what it would have done then, is not known.
    if let Outcome::Failed(failure) = &trace.outcome
        && let Some(what) = went_on(failure.kind)
    {
        let place = failure.stack.first().map_or(String::new(), |at| format!(" at {}:{}", at.file, at.line));
        results.limit("cut", &format!("a run that {what}{place} was stopped: what comes after it was not explored"), true);
    }
    if growth.cut {
        let by_horizon = options.prune.horizon.is_some() && trace.segments.is_some();
        let what = if by_horizon { options.prune.beyond_horizon() } else { options.beyond_depth() };
        results.limit("depth", &what, true);
    }
    if growth.contradiction {
        results.limit("nondeterminism", "a run did not repeat what an earlier run with the same decisions did", true);
    }
}

/// Counts what kept the schedule of a run from being followed to its end.
fn account_schedule(results: &mut Results, options: &Options, trace: &Trace, growth: &Growth) {
    results.sleep_blocked += u64::from(growth.asleep);
    match options.races {
        Races::Off if trace.concurrent.is_some() => results.limit("races", "data races were not looked for", false),
        Races::Only if matches!(trace.outcome, Outcome::Failed(_)) => {
            results.limit("races", "failures other than data races are not reported", false);
        }
        _ => {}
    }
    let cut = trace.concurrent.as_ref().is_some_and(|concurrent| concurrent.record.end == End::Cut);
    if cut && !growth.cut && !matches!(trace.outcome, Outcome::OutOfBudget(_)) {
        results.limit("cut", "a run was cut off before all its tasks had ended", true);
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
