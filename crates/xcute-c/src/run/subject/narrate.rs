//! The threads of the last run in words, and their order for a case file: [`xcute_threads`] over what the process recorded.

use xcute_threads::{CaseSchedule, Narrator, Ranges, of_race, of_run};
use xcute_trace::{Failure, Task};

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

    /// Which thread did what when in the last run; `None` if it had only one thread.
    #[must_use]
    pub fn order(&self) -> Option<CaseSchedule> {
        let failed = self.worker.block.failed().map(Task);
        self.narrate(|narrator| of_run(narrator, failed))
    }

    /// The order of the last run, in which there was this data race; `None` if it had only one thread.
    #[must_use]
    pub fn order_of_race(&self, failure: &Failure) -> Option<CaseSchedule> {
        let failed = self.worker.block.failed().map(Task);
        self.narrate(|narrator| of_race(narrator, failure, failed))
    }
}
