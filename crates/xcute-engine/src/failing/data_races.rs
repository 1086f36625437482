//! Data races as failures: those to one variable, in the same two functions, once, confirmed as other failures are.
//!
//! A run may pass and show data races, or several. Most that a run shows are known from earlier ones: they cost one look into a table. Two functions may
//! race in as many pairs of places as they have accesses; one pair stands for them all, and another one is tried if it cannot be confirmed.
//!
//! **Invariant.** The subject is asked about steps of its last run: before anything else is run.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use xcute_race::{Causality, DataRace, data_races};
use xcute_trace::{Failure, Known, Outcome, Task};

use super::Run;
use crate::results::Flipped;
use crate::runner::Runner;
use crate::scheduling::shared::{Group, choices, last_choice, pair, told};

/// A data race that is to be reported.
pub(crate) struct NewRace {
    pub(crate) group: Group,
    /// Its position among the failures, if others of its group were reported before.
    pub(crate) known: Option<usize>,
    /// Whose access was the second one, and where.
    pub(crate) second: (Task, u32),
    pub(crate) failure: Failure,
}

/// The data races of the last run that are new, or not confirmed yet.
pub(crate) fn new_races(runner: &mut Runner<'_>, run: &Run<'_>, causality: &Causality<'_>, outcome: &Outcome) -> Vec<NewRace> {
    let steps = &causality.record().steps;
    let access = |step: usize| (steps[step].task(), steps[step].place);
    let (mut seen, mut met) = (FxHashSet::default(), FxHashSet::default());
    // Those that are new or not settled: of each group the one whose accesses are closest to each other, which is the easiest to confirm and to see.
    let mut best: BTreeMap<Group, (DataRace, Option<usize>)> = BTreeMap::new();
    let mut turned = Vec::new();
    for race in data_races(causality) {
        let pair = pair(run.places, race.first, race.second);
        if !seen.insert(pair) {
            continue;
        }
        let known = runner.crew.schedules().pairs.get(&pair).copied();
        let group = known.unwrap_or_else(|| runner.subject.race_group(race.first, race.second));
        let mut schedules = runner.crew.schedules();
        schedules.pairs.insert(pair, group);
        // Who asks for no races does not say which runs turn one round.
        let flips = schedules.explorer.flips();
        let mut found = None;
        if let Some(known) = schedules.races.get_mut(&group) {
            if !flips && known.second == Some(access(race.first)) {
                turned.push(known.found);
            }
            if known.settled {
                known.times += u64::from(met.insert(group));
                continue;
            }
            found = Some(known.found);
        }
        let apart = |race: &DataRace| (race.unsure, race.second - race.first);
        match best.get_mut(&group) {
            Some((other, _)) if apart(other) <= apart(&race) => {}
            Some((other, _)) => *other = race,
            None => drop(best.insert(group, (race, found))),
        }
    }
    let mut new = Vec::new();
    for (group, (race, known)) in best {
        let failure = runner.subject.data_race(race.first, race.second, [&race.held[0], &race.held[1]]);
        new.extend(failure.map(|failure| NewRace { group, known, second: access(race.second), failure }));
    }
    if !turned.is_empty() {
        note_turned(runner, turned, &came_of(outcome));
    }
    new
}

/// If the run was sent to turn data races round, notes what came of it. A failure may need another input as well, so it counts for all
/// that are turned round on the way; what went well, only for the last.
pub(crate) fn note_flip(runner: &Runner<'_>, promise: &[Known], outcome: &Outcome) {
    let schedules = runner.crew.schedules();
    let sites = runner.subject.sites();
    let races: Vec<usize> = match outcome {
        Outcome::Failed(_) => {
            let races = choices(sites, promise).filter_map(|choice| schedules.flipped(choice));
            races.map(|race| race.found).collect()
        }
        _ => {
            let race = last_choice(sites, promise).and_then(|choice| schedules.flipped(choice));
            race.map(|race| race.found).into_iter().collect()
        }
    };
    drop(schedules);
    if !races.is_empty() {
        note_turned(runner, races, &came_of(outcome));
    }
}

/// Notes what came of data races in the other order.
fn note_turned(runner: &Runner<'_>, races: Vec<usize>, now: &Flipped) {
    let mut failures = runner.crew.failures();
    for race in races {
        if let Some(found) = failures.get_mut(race) {
            told(&mut found.flipped, now.clone());
        }
    }
}

fn came_of(outcome: &Outcome) -> Flipped {
    match outcome {
        Outcome::Failed(failure) => Flipped::Failed { kind: failure.kind, message: failure.message.clone() },
        _ => Flipped::Passed,
    }
}
