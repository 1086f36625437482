//! Sharing work among the workers of a campaign: open arms, and what is covered.
//!
//! **Invariant.** An arm that is handed over comes with an input and a schedule that lead to it, and is explored by who receives it.

use xcute_strategy::Seen;
use xcute_trace::{SubjectError, TestCase};
use xcute_tree::{Growth, Parcel};

use crate::campaign::Campaign;
use crate::campaign::run::outdated;
use crate::observer::Observer;

/// At most this many arms are handed over at once.
const PARCEL: u64 = 16;

impl Campaign<'_> {
    /// Gives half of the open arms, or a few, to those who wait.
    pub(crate) fn share(&mut self) {
        let open = self.tree.counts().open;
        if open >= 2 {
            let most = usize::try_from((open / 2).min(PARCEL)).unwrap_or(1);
            let mut parcels = self.tree.give(most);
            for parcel in &mut parcels {
                parcel.input = self.subject.export(&parcel.input);
                parcel.schedule.choices = self.schedule(&parcel.path).unwrap_or_default().choices;
            }
            self.crew.give(self.version, parcels);
        }
    }

    /// Takes over arms of another worker: one run that is not a new one, but makes their conditions known here.
    pub(crate) fn receive(&mut self, observer: &dyn Observer, parcel: Parcel) -> Result<(), SubjectError> {
        let start = observer.elapsed();
        let case = TestCase { input: self.subject.import(&parcel.input, &mut self.terms), schedule: parcel.schedule.clone() };
        let mut trace = match self.subject.run(&case, &[], &mut self.terms) {
            Ok(trace) => trace,
            Err(error) => {
                // Its arms are still open.
                self.crew.give(self.version, vec![parcel]);
                return Err(error);
            }
        };
        self.results.subject_time += observer.elapsed().saturating_sub(start);
        self.results.handovers += 1;
        self.cover(&mut trace);
        if outdated(&trace) {
            self.restart(observer, false);
            return Ok(());
        }
        let growth = self.tree.receive(&self.terms, &parcel, &trace);
        self.strategy.observe(&Seen { tree: &self.tree, growth: &growth, covered: &trace.covered });
        self.tell_open();
        Ok(())
    }

    /// Tells the strategy what the others covered.
    pub(crate) fn hear(&mut self) {
        let covered = self.crew.news(&mut self.heard);
        if !covered.is_empty() {
            self.strategy.observe(&Seen { tree: &self.tree, growth: &Growth::default(), covered: &covered });
        }
    }
}
