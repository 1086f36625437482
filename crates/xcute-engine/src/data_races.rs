//! Data races as failures: each pair of places once, confirmed as other failures are.
//!
//! A run may pass and show data races, or several. Most that a run shows are known from earlier ones: they cost one look into a table.
//!
//! **Invariant.** The subject is asked about steps of its last run: before anything else is run.

use xcute_race::{Causality, data_races};
use xcute_trace::{Failure, Outcome, Trace};

use crate::campaign::Campaign;
use crate::results::Flipped;
use crate::schedules::{Pair, choices, last_choice, told};

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

    /// If the run was sent to turn data races round, notes what came of it. A failure may need another input as well, so it counts for all
    /// that are turned round on the way; what went well, only for the last.
    pub(crate) fn note_flip(&mut self, trace: &Trace) {
        let schedules = self.crew.schedules();
        let sites = self.subject.sites();
        let (races, now): (Vec<_>, _) = match &trace.outcome {
            Outcome::Failed(failure) => {
                let races = choices(sites, &self.promise).filter_map(|choice| schedules.flipped(choice));
                (races.collect(), Flipped::Failed { kind: failure.kind, message: failure.message.clone() })
            }
            _ => (last_choice(sites, &self.promise).and_then(|choice| schedules.flipped(choice)).into_iter().collect(), Flipped::Passed),
        };
        drop(schedules);
        if races.is_empty() {
            return;
        }
        let mut failures = self.crew.failures();
        for race in races {
            if let Some(found) = failures.get_mut(race.found) {
                told(&mut found.flipped, now.clone());
            }
        }
    }
}
