//! The order of a run with a data race, so that the two accesses are neighbours if they can be.
//!
//! What neither access depends on is left for later: what remains is the order of a run of the same causal class (section 3.2 of the paper). The accesses
//! cannot be neighbours where the later one depends on what came after the earlier one, as the data behind a plain flag does.
//!
//! **Invariant.** The order of steps that depend on each other, and those of one thread above all, is that of the run.

use std::ffi::OsStr;
use std::path::Path;

use xcute_race::{Causality, DataRace, data_races};
use xcute_trace::{Failure, Frame, Record, Subject as _};

use super::CSubject;
use crate::casefile::CaseSchedule;

/// So many pairs of accesses at the same two places are looked at.
const MOST: usize = 1000;

impl CSubject {
    /// The order of the last run, in which there was this data race; `None` if it had only one thread.
    #[must_use]
    pub fn order_of_race(&mut self, record: &Record, failure: &Failure) -> Option<CaseSchedule> {
        let causality = Causality::new(record);
        let order: Vec<usize> = (0..record.steps.len()).collect();
        match self.best(&causality, failure) {
            Some(race) if is_immediate(&causality, &race) => {
                let leads = |step: &usize| causality.precedes(*step, race.first) || causality.precedes(*step, race.second);
                let (before, after): (Vec<usize>, Vec<usize>) = order.into_iter().partition(leads);
                let both = [race.first, race.second];
                let before = before.into_iter().filter(|step| !both.contains(step));
                let all: Vec<usize> = before.chain(both).chain(after).collect();
                self.order_in(&all, Some(both))
            }
            race => self.order_in(&order, race.map(|race| [race.first, race.second])),
        }
    }

    /// The race at these two places; one whose accesses can be neighbours, if there is one.
    fn best(&mut self, causality: &Causality<'_>, failure: &Failure) -> Option<DataRace> {
        let steps = &causality.record().steps;
        let places = |race: &DataRace| {
            let (one, other) = (steps[race.first].place, steps[race.second].place);
            (one.min(other), one.max(other))
        };
        let all = data_races(causality);
        let mut others = Vec::new();
        let pair = all.iter().find_map(|race| {
            if others.contains(&places(race)) {
                return None;
            }
            others.push(places(race));
            let told = self.data_race(race.first, race.second, [&race.held[0], &race.held[1]])?;
            (named(&told) == named(failure)).then(|| places(race))
        })?;
        let mut same = all.into_iter().filter(|race| places(race) == pair).take(MOST);
        let first = same.next()?;
        if is_immediate(causality, &first) {
            return Some(first);
        }
        Some(same.find(|race| is_immediate(causality, race)).unwrap_or(first))
    }
}

/// Both places of a race, in any order. Files are written in several ways, so their last words count.
fn named(failure: &Failure) -> [Option<(&OsStr, u32, &str)>; 2] {
    let (one, other) = (failure.stack.first(), failure.notes.first().map(|note| &note.at));
    fn name(frame: Option<&Frame>) -> Option<(&OsStr, u32, &str)> {
        frame.map(|f| (Path::new(&f.file).file_name().unwrap_or_default(), f.line, f.function.as_str()))
    }
    let mut both = [name(one), name(other)];
    both.sort_unstable();
    both
}

/// Whether nothing comes between the two accesses: no step depends on the first and leads to the second.
fn is_immediate(causality: &Causality<'_>, race: &DataRace) -> bool {
    !(race.first + 1..race.second).any(|step| causality.precedes(race.first, step) && causality.precedes(step, race.second))
}
