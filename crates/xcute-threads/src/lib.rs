//! What the threads of a run did, for people and for case files, in every language.
//!
//! A front end records the steps of a run as a [`xcute_trace::Record`] and says a little more about each of them through [`Source`]: the names of
//! objects, the places, the values. From these two come the reports of data races and deadlocks, the picture of the interleaving, and
//! the order of a case that replays it. Which schedules are run is decided in `xcute-race`; nothing here executes or decides anything.

mod cells;
mod endless;
mod interleaving;
mod narrator;
mod neighbours;
mod operations;
mod order;
mod race;
mod schedule;
mod source;
mod stuck;
mod words;

#[cfg(test)]
mod tests;

pub use cells::Ranges;
pub use endless::endless;
pub use interleaving::Picture;
pub use narrator::Narrator;
pub use neighbours::race_of;
pub use order::{of_race, of_run};
pub use race::{data_race, group};
pub use schedule::{CaseSchedule, CaseStep, TaskName};
pub use source::{At, Phrase, Role, Source};
pub use stuck::stuck;
