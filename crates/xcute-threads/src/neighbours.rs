//! Orders of a run with a data race in which the two accesses are neighbours, if they can be.
//!
//! What neither access depends on comes later: what remains is the order of a run of the same causal class [sen-marinov-agha-2006 §3.2]. The accesses
//! cannot be neighbours where the later one depends on what came after the earlier one, as data guarded by a plain flag does.
//!
//! **Invariant.** Steps that depend on each other, and those of one thread above all, keep the order of the run.

use std::ffi::OsStr;
use std::path::Path;

use xcute_race::{Causality, DataRace, data_races};
use xcute_trace::{Failure, Frame, Record};

use crate::narrator::Narrator;
use crate::source::At;

/// The most pairs of accesses at the same two places that are looked at.
const MOST: usize = 1000;

/// The race at the two places of a failure; one whose accesses can be neighbours, if there is one.
pub fn race_of(narrator: &mut Narrator<'_>, causality: &Causality<'_>, failure: &Failure) -> Option<DataRace> {
    let steps = &causality.record().steps;
    let places = |race: &DataRace| {
        let (one, other) = (steps[race.first].place, steps[race.second].place);
        (one.min(other), one.max(other))
    };
    let all = data_races(causality);
    let wanted = named(failure.stack.first(), failure.notes.first().map(|note| &note.at));
    let mut others = Vec::new();
    let pair = all.iter().find_map(|race| {
        if others.contains(&places(race)) {
            return None;
        }
        others.push(places(race));
        let both = [race.second, race.first].map(|step| narrator.place(At::Step(step)));
        (named(Some(&both[0]), Some(&both[1])) == wanted).then(|| places(race))
    })?;
    let mut same = all.into_iter().filter(|race| places(race) == pair).take(MOST);
    let first = same.next()?;
    let is_immediate = |race: &DataRace| side_by_side(causality, race.first, race.second).immediate;
    if is_immediate(&first) {
        return Some(first);
    }
    Some(same.find(is_immediate).unwrap_or(first))
}

/// An order of the same causal class as a run.
pub(crate) struct SideBySide {
    /// All steps.
    pub(crate) order: Vec<usize>,
    /// Two of them are neighbours in it.
    pub(crate) immediate: bool,
}

/// The steps that lead to two others, and these, side by side if they can be: what a picture of a race shows.
pub(crate) fn leading(record: &Record, first: usize, second: usize) -> Vec<usize> {
    let causality = Causality::new(record);
    let SideBySide { mut order, immediate } = side_by_side(&causality, first, second);
    let end = order.iter().position(|step| *step == second).map_or(order.len(), |at| at + 1);
    order.truncate(end);
    if !immediate {
        order.retain(|step| causality.precedes(*step, first) || causality.precedes(*step, second));
    }
    order
}

/// Puts two steps of different threads side by side, if they can be: what neither depends on comes after them.
pub(crate) fn side_by_side(causality: &Causality<'_>, first: usize, second: usize) -> SideBySide {
    let between = |step: usize| causality.precedes(first, step) && causality.precedes(step, second);
    let order = 0..causality.events().len();
    if (first + 1..second).any(between) {
        return SideBySide { order: order.collect(), immediate: false };
    }
    let leads = |step: &usize| causality.precedes(*step, first) || causality.precedes(*step, second);
    let (before, after): (Vec<usize>, Vec<usize>) = order.partition(leads);
    let before = before.into_iter().filter(|step| ![first, second].contains(step));
    SideBySide { order: before.chain([first, second]).chain(after).collect(), immediate: true }
}

/// Both places of a race, in any order. Paths are written in several ways, so only the last part counts.
fn named<'a>(one: Option<&'a Frame>, other: Option<&'a Frame>) -> [Option<(&'a OsStr, u32, &'a str)>; 2] {
    fn name(frame: Option<&Frame>) -> Option<(&OsStr, u32, &str)> {
        frame.map(|f| (Path::new(&f.file).file_name().unwrap_or_default(), f.line, f.function.as_str()))
    }
    let mut both = [name(one), name(other)];
    both.sort_unstable();
    both
}
