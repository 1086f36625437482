//! Initials (Abdulla, Aronis, Jonsson & Sagonas, *Source sets*, 2014): who can begin a reversed race.
//!
//! After a race of event `j` with an operation of `q`, the run to be explored begins, instead of `j`, with the events `v` that do not
//! depend on `j`, followed by the operation. Its initials are the tasks whose first event in that sequence has no predecessor in
//! it: any of them may be the first to run, so if one of them was or will be explored at the node, nothing is to be done.
//!
//! **Invariant.** All initials can run at the node of `j`.

use smallvec::SmallVec;

use crate::causality::Causality;
use crate::operation::conflict;
use crate::race::Race;
use crate::task::Task;

/// The initials of the reversed race: the racing task itself first if it is one, then the others in the order of the run.
#[must_use]
pub fn initials(causality: &Causality<'_>, race: &Race) -> SmallVec<[Task; 4]> {
    let events = causality.events();
    let mut found: SmallVec<[Task; 4]> = SmallVec::new();
    // The first number of each task in v: an event of v precedes another iff the other's clock has it.
    let mut firsts: SmallVec<[(Task, u32); 8]> = SmallVec::new();
    let clock = causality.clock_before(race.second, race.task);
    let mut own = true;
    for (at, event) in events.iter().enumerate().take(race.second).skip(race.first + 1) {
        if causality.precedes(race.first, at) {
            continue;
        }
        own = own && event.task != race.task && clock.get(event.task) < event.number && !conflict(&event.accesses, &race.accesses);
        if firsts.iter().any(|(task, _)| *task == event.task) {
            continue;
        }
        if firsts.iter().all(|(task, number)| event.clock.get(*task) < *number) {
            found.push(event.task);
        }
        firsts.push((event.task, event.number));
    }
    if own {
        found.insert(0, race.task);
    } else if let Some(at) = found.iter().position(|task| *task == race.task) {
        found[..=at].rotate_right(1);
    }
    found
}
