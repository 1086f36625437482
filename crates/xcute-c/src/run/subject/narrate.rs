//! The threads of the last run in words, and their order for a case file: [`xcute_threads`] over what the process recorded.

use xcute_term::Terms;
use xcute_threads::{CaseSchedule, Narrator, Ranges, of_race, of_run};
use xcute_trace::{Failure, FailureKind, Subject as _, Task, TestCase};

use super::source::LastSteps;
use super::{CSubject, steps};

impl CSubject {
    /// Describes the last run; `None` if it had only one thread.
    pub(super) fn narrate<T>(&self, describe: impl FnOnce(&mut Narrator<'_>) -> Option<T>) -> Option<T> {
        let recorded = self.worker.block.recorded()?;
        let tasks = self.threads.ids();
        let record = steps::record(&recorded, tasks.len(), &mut Ranges::default())?;
        let mut places = self.places.borrow_mut();
        let mut source = LastSteps { recorded, places: &mut places, objects: &self.compiled.objects };
        describe(&mut Narrator::new(&record, &tasks, &mut source))
    }

    /// Runs a case and says in which order its threads ran; `failure` is what happened in it. `None` if it has only one thread.
    #[must_use]
    pub fn ordered(&mut self, case: &TestCase, failure: Option<&Failure>, terms: &mut Terms) -> Option<CaseSchedule> {
        let trace = self.run(case, &[], terms).ok()?;
        let failed = self.worker.block.failed().map(Task);
        let race = failure.filter(|failure| failure.kind == FailureKind::DataRace && trace.concurrent.is_some());
        self.narrate(|narrator| match race {
            Some(race) => of_race(narrator, race, failed),
            None => of_run(narrator, failed),
        })
    }
}
