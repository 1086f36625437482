//! Data races to report: plain accesses of different tasks to the same memory, one of them a write, that no synchronisation orders.
//!
//! This is not the relation that is flipped: the flag of a hand-over through an atomic is flipped and not reported, the data behind a plain
//! flag is reported and may not be reversible in this run. But which races are to be reported is the same in all runs of a causal class, so
//! one run of each class reports them all.
//!
//! **Invariant.** For each task, kind and place, the last access to a cell is remembered: if that one is ordered, so are the earlier.

use rustc_hash::FxHashMap;

use crate::causality::Causality;
use crate::held::Held;
use crate::operation::{Cells, Mode, ObjectId, Operation};
use crate::record::Record;
use crate::synchronised::Synchronised;
use crate::task::Task;

/// A data race.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataRace {
    /// The cell.
    pub cell: ObjectId,
    /// The step of the earlier access.
    pub first: usize,
    /// The step of the later access.
    pub second: usize,
    /// The locks held at the first and at the second.
    pub held: [Vec<ObjectId>; 2],
    /// Code of which nothing is recorded ran after the first access, in its task, and then in the task of the second before that one: it may have
    /// ordered them.
    pub unsure: bool,
}

#[derive(Debug)]
struct Past {
    task: Task,
    mode: Mode,
    place: u32,
    /// The entry of the task in its reporting clock at the access.
    epoch: u32,
    step: usize,
    held: Vec<ObjectId>,
}

/// The data races of a run, each pair of tasks, kinds and places once for each cell it begins at.
#[must_use]
pub fn data_races(causality: &Causality<'_>) -> Vec<DataRace> {
    let mut found: Vec<DataRace> = Vec::new();
    if !several_access(causality) {
        return found;
    }
    // The races of the step at hand: those before it have other second steps.
    let mut since;
    let outside = Calls::of(causality.record());
    let mut synchronised = Synchronised::default();
    let mut held = Held::default();
    let mut cells: FxHashMap<ObjectId, Vec<Past>> = FxHashMap::default();
    for (at, step) in causality.record().steps.iter().enumerate() {
        let task = step.task();
        if let Some((range, mode)) = plain(step.next().operation) {
            let clock = synchronised.clock(task).clone();
            since = found.len();
            for cell in (0..u64::from(range.count)).map(|offset| ObjectId(range.first.0 + offset)) {
                let past = cells.entry(cell).or_default();
                for other in past.iter().filter(|other| other.task != task && (mode == Mode::Update || other.mode == Mode::Update)) {
                    let known = clock.get(other.task) >= other.epoch;
                    if !known && !found[since..].iter().any(|race| race.first == other.step) {
                        let held = [other.held.clone(), held.of(task).to_vec()];
                        let unsure = outside.between(other.step, at);
                        found.push(DataRace { cell, first: other.step, second: at, held, unsure });
                    }
                }
                past.retain(|other| (other.task, other.mode, other.place) != (task, mode, step.place));
                past.push(Past { task, mode, place: step.place, epoch: clock.get(task), step: at, held: held.of(task).to_vec() });
            }
        }
        held.step(causality, at);
        synchronised.step(causality, at);
    }
    found
}

/// When tasks ran code of which nothing is recorded.
struct Calls<'r> {
    record: &'r Record,
    /// There was none.
    none: bool,
}

impl Calls<'_> {
    fn of(record: &Record) -> Calls<'_> {
        Calls { record, none: !record.steps.iter().any(|step| step.outside.after || step.outside.before) }
    }

    /// Whether the task of `first` ran some after it, and then that of `second` before it.
    fn between(&self, first: usize, second: usize) -> bool {
        if self.none {
            return false;
        }
        let steps = &self.record.steps;
        let after = |task: Task| (first..second).filter(move |at| steps[*at].task() == task && steps[*at].outside.after);
        let Some(released) = after(steps[first].task()).next() else { return false };
        // Before the first step of a task its calls have no time of their own.
        let early =
            (0..=second).find(|at| steps[*at].task() == steps[second].task()).is_some_and(|at| at > released && steps[at].outside.before);
        early || after(steps[second].task()).any(|at| at > released)
    }
}

/// What a plain access is to.
fn plain(operation: Operation) -> Option<(Cells, Mode)> {
    match operation {
        Operation::Read(cells) => Some((cells, Mode::Read)),
        Operation::Write(cells) => Some((cells, Mode::Update)),
        _ => None,
    }
}

/// Whether more than one task makes plain accesses: programs that only use atomics need no clocks here.
fn several_access(causality: &Causality<'_>) -> bool {
    let mut tasks = causality.record().steps.iter().filter(|step| plain(step.next().operation).is_some()).map(|step| step.task());
    tasks.next().is_some_and(|first| tasks.any(|task| task != first))
}
