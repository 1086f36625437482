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
        let best = self.best(&causality, failure);
        let order =
            best.as_ref().map_or_else(|| (0..record.steps.len()).collect(), |race| beside(&causality, race.first, race.second).order);
        let schedule = self.order_in(&order, best.as_ref().map(|race| [race.first, race.second]))?;
        Some(CaseSchedule { unsure: best.is_some_and(|race| race.unsure), ..schedule })
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
        let is_immediate = |race: &DataRace| beside(causality, race.first, race.second).immediate;
        if is_immediate(&first) {
            return Some(first);
        }
        Some(same.find(is_immediate).unwrap_or(first))
    }
}

/// An order of the same causal class as a run.
pub(super) struct Beside {
    /// All steps.
    pub(super) order: Vec<usize>,
    /// Two of them are neighbours in it.
    pub(super) immediate: bool,
}

/// The steps that lead to two others, and these, side by side if they can be: what a picture of a race shows.
pub(super) fn leading(record: &Record, first: usize, second: usize) -> Vec<usize> {
    let causality = Causality::new(record);
    let Beside { mut order, immediate } = beside(&causality, first, second);
    let end = order.iter().position(|step| *step == second).map_or(order.len(), |at| at + 1);
    order.truncate(end);
    if !immediate {
        order.retain(|step| causality.precedes(*step, first) || causality.precedes(*step, second));
    }
    order
}

/// Puts two steps of different threads side by side, if they can be: what neither depends on comes after them.
pub(super) fn beside(causality: &Causality<'_>, first: usize, second: usize) -> Beside {
    let between = |step: usize| causality.precedes(first, step) && causality.precedes(step, second);
    let order = 0..causality.events().len();
    if (first + 1..second).any(between) {
        return Beside { order: order.collect(), immediate: false };
    }
    let leads = |step: &usize| causality.precedes(*step, first) || causality.precedes(*step, second);
    let (before, after): (Vec<usize>, Vec<usize>) = order.partition(leads);
    let before = before.into_iter().filter(|step| ![first, second].contains(step));
    Beside { order: before.chain([first, second]).chain(after).collect(), immediate: true }
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
