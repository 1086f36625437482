//! Failures of runs: counted, made smaller, confirmed. Those that came after another one are in [`crate::later`].
//!
//! **Invariant.** A failure is confirmed on the uninstrumented program when it is met for the first time, and again with other cases if that did
//! not work. The case of a failure has the schedule of the run that showed it.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use xcute_race::Causality;
use xcute_trace::{Failure, FailureKind, Outcome, Schedule, TestCase, Trace};
use xcute_tree::ArmId;

use crate::campaign::Campaign;
use crate::data_races::NewRace;
use crate::observer::{Confirmation, Observer};
use crate::options::Races;
use crate::results::Found;
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
            let (times, confirmed, doubt, flipped, tries) = (0, false, None, None, 0);
            failures.push(Found { failure: failure.clone(), case, run, times, confirmed, doubt, flipped, tries })
        });
        let found = &mut failures[index];
        found.times += 1;
        if found.confirmed || found.tries >= self.options.confirmations {
            return Reported { found: index, settled: true, times: 0, second: None };
        }
        found.tries += 1;
        // A data race is not seen by the outcome of a run with another input.
        let whole = (promised.is_some() || trace.known == 0) && failure.kind != FailureKind::DataRace;
        let small = if whole { self.minimised(promised, trace, failure) } else { None };
        for (failure, input) in small.into_iter().chain([(failure.clone(), trace.input.clone())]) {
            let case = TestCase { input: self.subject.export(&input), schedule: schedule.clone() };
            match observer.confirm(&self.terms, &failure, &case) {
                Confirmation::Confirmed => {
                    (found.confirmed, found.doubt) = (true, None);
                    (found.failure, found.case, found.run) = (failure, case, run);
                    crew.figures.failures.fetch_add(1, Relaxed);
                    return Reported { found: index, settled: true, times: 0, second: None };
                }
                Confirmation::NotReproduced(why) => found.doubt = Some(why),
            }
        }
        Reported { found: index, settled: found.tries >= self.options.confirmations, times: 0, second: None }
    }
}
