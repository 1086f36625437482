//! Data races as failures: each pair of places once, confirmed as other failures are.
//!
//! A run may pass and show data races, or several. Most that a run shows are known from earlier ones: they cost one look into a table.
//!
//! **Invariant.** The subject is asked about steps of its last run: before anything else is run.

use xcute_race::{Causality, data_races};
use xcute_trace::{Failure, Outcome, Trace};

use crate::campaign::Campaign;
use crate::results::Flipped;
use crate::schedules::{Pair, last_choice, told};

impl Campaign<'_> {
    /// The data races of the last run that are new, or not confirmed yet.
    pub(crate) fn new_races(&mut self, causality: &Causality<'_>) -> Vec<(Pair, Failure)> {
        let steps = &causality.record().steps;
        let mut seen: Vec<Pair> = Vec::new();
        let mut new = Vec::new();
        for race in data_races(causality) {
            let places = (steps[race.first].place, steps[race.second].place);
            let pair = (places.0.min(places.1), places.0.max(places.1));
            if seen.contains(&pair) {
                continue;
            }
            seen.push(pair);
            if let Some(known) = self.crew.schedules().races.get_mut(&pair).filter(|known| known.settled) {
                known.times += 1;
                continue;
            }
            let failure = self.subject.data_race(race.first, race.second, [&race.held[0], &race.held[1]]);
            new.extend(failure.map(|failure| (pair, failure)));
        }
        new
    }

    /// If the run was sent to turn a data race round, notes what came of it.
    pub(crate) fn note_flip(&mut self, trace: &Trace) {
        let choice = last_choice(self.subject.sites(), &self.promise);
        let Some(race) = choice.and_then(|choice| self.crew.schedules().flipped(choice)) else { return };
        let now = match &trace.outcome {
            Outcome::Failed(failure) => Flipped::Failed { kind: failure.kind, message: failure.message.clone() },
            _ => Flipped::Passed,
        };
        if let Some(found) = self.crew.failures().get_mut(race.found) {
            told(&mut found.flipped, now);
        }
    }
}
