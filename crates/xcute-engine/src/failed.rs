//! Failures of runs: counted, made smaller, confirmed. Those that came after another one are in [`crate::later`].
//!
//! **Invariant.** A failure is confirmed on the uninstrumented program when it is met for the first time, and again with other cases if that did
//! not work. The case of a failure has the schedule of the run that showed it. Whatever the uninstrumented program does wrong is a failure, also where
//! another one was expected.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use xcute_race::Causality;
use xcute_trace::{Failure, FailureKind, Outcome, Schedule, SubjectError, TestCase, Trace};
use xcute_tree::ArmId;

use crate::campaign::Campaign;
use crate::data_races::NewRace;
use crate::found::FoundList;
use crate::observer::{Confirmation, Observer};
use crate::options::Races;
use crate::results::{Doubt, Found};
use crate::run::outdated;
use crate::schedules::Reported;

impl Campaign<'_> {
    /// Counts all that went wrong in a run: its outcome, and its data races.
    pub(crate) fn fail(&mut self, observer: &dyn Observer, run: (u64, Option<ArmId>), causality: Option<&Causality<'_>>, trace: &Trace) {
        let looked = causality.filter(|_| self.options.races != Races::Off);
        let races = looked.map(|causality| self.new_races(causality, &trace.outcome)).unwrap_or_default();
        if causality.is_some() {
            self.note_flip(trace);
        }
        let others = self.options.races != Races::Only;
        if let (Outcome::Failed(failure), true) = (&trace.outcome, others) {
            self.failed(observer, run, failure, trace, None);
        }
        for NewRace { group, known, second, failure } in races {
            let reported = self.failed(observer, run, &failure, trace, known);
            self.crew.schedules().races.insert(group, Reported { second: Some(second), ..reported });
        }
        if let (Some(causality), true) = (causality, others) {
            self.failed_later(observer, run.0, causality, trace);
        }
    }

    /// Counts a failure; confirms it if no case of it was confirmed yet, first with a smaller input. `known`: its position among the failures, where it
    /// is not to be told by its places.
    pub(crate) fn failed(
        &mut self,
        observer: &dyn Observer,
        (run, promised): (u64, Option<ArmId>),
        failure: &Failure,
        trace: &Trace,
        known: Option<usize>,
    ) -> Reported {
        let crew = Arc::clone(&self.crew);
        // A data race is nobody's own failure.
        let failing = trace.schedule().failing.filter(|_| failure.kind != FailureKind::DataRace);
        let schedule = Schedule { failing, ..trace.schedule() };
        let mut failures = crew.failures();
        let index = known.or_else(|| failures.position(failure)).unwrap_or_else(|| {
            let case = TestCase { input: self.subject.export(&trace.input), schedule: schedule.clone() };
            failures.push(new(failure, case, run))
        });
        if known.is_some() {
            failures.name(failure.key(), index);
        }
        let found = &mut failures[index];
        found.times += 1;
        if found.is_settled(self.options.confirmations) {
            return Reported { found: index, settled: true, times: 0, second: None };
        }
        found.tries += 1;
        // A data race is not seen by the outcome of a run with another input.
        let whole = (promised.is_some() || trace.known == 0) && failure.kind != FailureKind::DataRace;
        let small = if whole { self.minimised(promised, trace, failure) } else { None };
        for (failure, input) in small.into_iter().chain([(failure.clone(), trace.input.clone())]) {
            let case = TestCase { input: self.subject.export(&input), schedule: schedule.clone() };
            let start = observer.elapsed();
            let confirmation = observer.confirm(&self.terms, &failure, &case);
            self.results.confirm_time += observer.elapsed().saturating_sub(start);
            match confirmation {
                Confirmation::Confirmed => {
                    // Another one of those that are reported as one may be listed.
                    if failures[index].listed && failures[index].failure.key() != failure.key() {
                        observer.cleared(&failures[index].failure);
                    }
                    observer.found(&self.terms, &failure, &case);
                    failures[index].confirm(failure, case, run);
                    crew.figures.failures.fetch_add(1, Relaxed);
                    return Reported { found: index, settled: true, times: 0, second: None };
                }
                Confirmation::Instead(other) => {
                    failures[index].doubt = Some(Doubt::Replaced);
                    self.truth(observer, &mut failures, *other, case, run);
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
        let settled = failures[index].is_settled(self.options.confirmations);
        self.doubted(observer, &mut failures[index], failure, trace, &schedule);
        Reported { found: index, settled, times: 0, second: None }
    }

    /// Counts what the uninstrumented program did instead of the failure that was expected of it.
    fn truth(&self, observer: &dyn Observer, failures: &mut FoundList, other: Failure, case: TestCase, run: u64) {
        let known = failures.plain(&other);
        let known = known.or_else(|| failures.position(&other));
        let index = known.unwrap_or_else(|| failures.push(new(&other, case.clone(), run)));
        let found = &mut failures[index];
        found.times += 1;
        if !found.confirmed {
            observer.found(&self.terms, &other, &case);
            found.confirm(other, case, run);
            self.crew.figures.failures.fetch_add(1, Relaxed);
        }
    }

    /// Says what becomes of a failure that was not confirmed: somebody has to look at it, unless we may have caused it ourselves.
    fn doubted(&mut self, observer: &dyn Observer, found: &mut Found, failure: &Failure, trace: &Trace, schedule: &Schedule) {
        let Some(why) = found.doubt.as_ref().and_then(Doubt::why).map(str::to_owned) else { return };
        // The run was cut off, or its frames are larger than those of the program: that counts where the program was seen to do without.
        let tried = !matches!(found.doubt, Some(Doubt::Undecided(_) | Doubt::NotTried(_)));
        if tried && matches!(failure.kind, FailureKind::Hang | FailureKind::StackOverflow) {
            found.doubt = Some(Doubt::Ours(why));
            return;
        }
        if failure.kind != FailureKind::DataRace && !self.fails_again(failure, trace, schedule) {
            found.doubt = Some(Doubt::Ours(format!("{why}, and the run does not repeat itself")));
            return;
        }
        let case = TestCase { input: self.subject.export(&trace.input), schedule: schedule.clone() };
        if !found.listed {
            (found.listed, found.failure, found.case) = (true, failure.clone(), case);
        }
        observer.doubted(&self.terms, &found.failure, &found.case, &why);
    }

    /// Whether a run fails in the same way when it is made once more.
    fn fails_again(&mut self, failure: &Failure, trace: &Trace, schedule: &Schedule) -> bool {
        let case = TestCase { input: trace.input.clone(), schedule: schedule.clone() };
        let mut again = match self.subject.run(&case, &[], &mut self.terms) {
            Ok(again) => again,
            // There is no time to look: nothing speaks against it.
            Err(error) => return matches!(error, SubjectError::Interrupted),
        };
        self.outdated |= outdated(&again);
        self.cover(&mut again);
        matches!(&again.outcome, Outcome::Failed(seen) if seen.key() == failure.key())
    }
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
