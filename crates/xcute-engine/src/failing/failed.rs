//! A failure: counted, made smaller, confirmed.
//!
//! **Invariant.** A failure is confirmed on the uninstrumented program when it is met for the first time, and again with other cases if that did
//! not work. The case of a failure has the schedule of the run that showed it. Whatever the uninstrumented program does wrong is a failure, also where
//! another one was expected.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use xcute_term::profile;
use xcute_trace::{Failure, FailureKind, Outcome, Schedule, SubjectError, TestCase, Trace};

use super::Run;
use super::found::FoundList;
use super::minimise::minimised;
use crate::observer::{Confirmation, Observer};
use crate::results::{Doubt, Found};
use crate::runner::Runner;
use crate::scheduling::shared::Reported;

/// Counts a failure; confirms it if no case of it was confirmed yet, first with a smaller input. `known`: its position among the failures, where it
/// cannot be identified by its places.
pub(crate) fn failed(runner: &mut Runner<'_>, run: &Run<'_>, failure: &Failure, trace: &Trace, known: Option<usize>) -> Reported {
    let (crew, observer, number) = (Arc::clone(&runner.crew), run.observer, run.number);
    // A data race is nobody's own failure.
    let failing = trace.schedule().failing.filter(|_| failure.kind != FailureKind::DataRace);
    let schedule = Schedule { failing, ..trace.schedule() };
    let mut failures = crew.failures();
    let index = known.or_else(|| failures.position(failure)).unwrap_or_else(|| {
        let case = TestCase { input: runner.subject.export(&trace.input), schedule: schedule.clone() };
        failures.push(new(failure, case, number))
    });
    if known.is_some() {
        failures.name(failure.key(), index);
    }
    let found = &mut failures[index];
    found.times += 1;
    if found.is_settled(runner.options.confirmations) {
        return Reported { found: index, settled: true, times: 0, second: None };
    }
    found.tries += 1;
    // A data race is not seen by the outcome of a run with another input.
    let whole = (run.way.is_some() || trace.known == 0) && failure.kind != FailureKind::DataRace;
    let small = whole.then(|| observer.minimising()).and_then(|()| minimised(runner, run.way, trace, failure));
    for (mut failure, input) in small.into_iter().chain([(failure.clone(), trace.input.clone())]) {
        let case = TestCase { input: runner.subject.export(&input), schedule: schedule.clone() };
        let _phase = profile::phase("confirming");
        let start = observer.elapsed();
        let confirmation = observer.confirm(&runner.terms, &failure, &case);
        runner.results.confirm_time += observer.elapsed().saturating_sub(start);
        if let Confirmation::ConfirmedWith(values) = &confirmation {
            failure.values.clone_from(values);
        }
        match confirmation {
            Confirmation::Confirmed | Confirmation::ConfirmedWith(_) => {
                // Another one of those that are reported as one may be listed.
                if failures[index].listed && failures[index].failure.key() != failure.key() {
                    observer.cleared(&failures[index].failure);
                }
                observer.found(&runner.terms, &failure, &case);
                failures[index].confirm(failure, case, number);
                crew.figures.failures.fetch_add(1, Relaxed);
                return Reported { found: index, settled: true, times: 0, second: None };
            }
            Confirmation::Instead(other) => {
                failures[index].doubt = Some(Doubt::Replaced);
                truth(runner, run, &mut failures, *other, case);
                return Reported { found: index, settled: true, times: 0, second: None };
            }
            Confirmation::NotReproduced(why) => failures[index].doubt = Some(Doubt::NotReproduced(why)),
            Confirmation::Undecided(why) => failures[index].doubt = Some(Doubt::Undecided(why)),
            Confirmation::NotTried(why) => {
                // It is to be tried again when there is time.
                failures[index].tries -= 1;
                failures[index].doubt = Some(Doubt::NotTried(why));
                break;
            }
        }
    }
    let settled = failures[index].is_settled(runner.options.confirmations);
    doubted(runner, observer, &mut failures[index], failure, trace, &schedule);
    Reported { found: index, settled, times: 0, second: None }
}

/// Counts what the uninstrumented program did instead of the failure that was expected of it.
fn truth(runner: &Runner<'_>, run: &Run<'_>, failures: &mut FoundList, other: Failure, case: TestCase) {
    let known = failures.plain(&other);
    let known = known.or_else(|| failures.position(&other));
    let index = known.unwrap_or_else(|| failures.push(new(&other, case.clone(), run.number)));
    let found = &mut failures[index];
    found.times += 1;
    if !found.confirmed {
        run.observer.found(&runner.terms, &other, &case);
        found.confirm(other, case, run.number);
        runner.crew.figures.failures.fetch_add(1, Relaxed);
    }
}

/// Says what becomes of a failure that was not confirmed: somebody has to look at it, unless we may have caused it ourselves.
fn doubted(runner: &mut Runner<'_>, observer: &dyn Observer, found: &mut Found, failure: &Failure, trace: &Trace, schedule: &Schedule) {
    let Some(why) = found.doubt.as_ref().and_then(Doubt::why).map(str::to_owned) else { return };
    // The run was cut off, or its frames are larger than those of the program: that counts where the program was seen to do without.
    let tried = !matches!(found.doubt, Some(Doubt::Undecided(_) | Doubt::NotTried(_)));
    if tried && matches!(failure.kind, FailureKind::Hang | FailureKind::StackOverflow) {
        found.doubt = Some(Doubt::Ours(why));
        return;
    }
    if failure.kind != FailureKind::DataRace && !fails_again(runner, failure, trace, schedule) {
        found.doubt = Some(Doubt::Ours(format!("{why}, and the run does not repeat itself")));
        return;
    }
    let case = TestCase { input: runner.subject.export(&trace.input), schedule: schedule.clone() };
    if !found.listed {
        (found.listed, found.failure, found.case) = (true, failure.clone(), case);
    }
    observer.doubted(&runner.terms, &found.failure, &found.case, &why);
}

/// Whether a run fails in the same way when it is made once more.
fn fails_again(runner: &mut Runner<'_>, failure: &Failure, trace: &Trace, schedule: &Schedule) -> bool {
    let case = TestCase { input: trace.input.clone(), schedule: schedule.clone() };
    let again = match runner.run_again(&case) {
        Ok(again) => again,
        // There is no time to look: nothing speaks against it.
        Err(error) => return matches!(error, SubjectError::Interrupted),
    };
    matches!(&again.outcome, Outcome::Failed(seen) if seen.key() == failure.key())
}

fn new(failure: &Failure, case: TestCase, run: u64) -> Found {
    Found { failure: failure.clone(), case, run, times: 0, confirmed: false, doubt: None, flipped: None, tries: 0, listed: false }
}

impl Found {
    /// Whether nothing more is to be done, after this many tries.
    fn is_settled(&self, tries: u32) -> bool {
        let ours = matches!(self.doubt, Some(Doubt::Replaced));
        self.confirmed || ours || self.tries >= tries
    }

    fn confirm(&mut self, failure: Failure, case: TestCase, run: u64) {
        (self.confirmed, self.doubt) = (true, None);
        (self.failure, self.case, self.run) = (failure, case, run);
    }
}
