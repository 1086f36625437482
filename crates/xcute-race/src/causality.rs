//! The causal relation of one run, by dynamic vector clocks [sen-marinov-agha-2006 §3.2, algorithm A].
//!
//! The clock of a task is joined with the *update* clock of what it reads and with the *access* clock of what it updates, so two reads stay
//! unordered. Deviations: a forked task gets a plain copy of its parent's clock, for tasks are named by fork paths; one event may access
//! several locations; a join takes over the clock of the task that ended. The races to flip need no sequential clocks: "sequentially
//! unrelated" is "another task, and the clock before the second event does not contain the first". An atomic section is one event in several
//! steps (a *group*): nobody comes between them, so all of them have the clock of the last.
//!
//! **Invariant.** `e ≼ f` iff the clock of `f` has at least the number of `e` at the task of `e`: one comparison [sen-marinov-agha-2006 Theorem 3.2].

use rustc_hash::FxHashMap;

use crate::clock::VectorClock;
use crate::object::{ObjectState, Objects, anything, replayed};
use crate::operation::{Accesses, Location, Mode, Operation};
use crate::record::{Next, Record};
use crate::task::Task;

/// A step of the run as an event of the causal relation.
#[derive(Clone, Debug)]
pub struct Event {
    /// Who did it.
    pub task: Task,
    /// Its number among the events of the task, from 1.
    pub number: u32,
    /// What it accessed.
    pub accesses: Accesses,
    /// The clock of the task after it.
    pub clock: VectorClock,
    /// The event of the same task before it.
    pub previous: Option<usize>,
    /// The first event of its group: itself, unless it belongs to an atomic section that began before.
    pub head: usize,
}

/// What happened to a location.
#[derive(Debug, Default)]
struct Touched {
    access: VectorClock,
    update: VectorClock,
    /// Who accessed it, in order.
    accesses: Vec<(usize, Mode)>,
}

impl Touched {
    /// What an access comes after.
    fn known_to(&self, mode: Mode) -> &VectorClock {
        if mode == Mode::Update { &self.access } else { &self.update }
    }

    fn add(&mut self, at: usize, mode: Mode, clock: &VectorClock) {
        if mode == Mode::Update {
            // It knows all accesses before it.
            self.access.clone_from(clock);
            self.update.clone_from(clock);
        } else {
            self.access.join(clock);
        }
        self.accesses.push((at, mode));
    }
}

/// The causal relation of a run.
#[derive(Debug)]
pub struct Causality<'r> {
    record: &'r Record,
    events: Vec<Event>,
    /// The clock each task was born with.
    births: Vec<VectorClock>,
    /// The clock of a task that nobody has seen.
    never: VectorClock,
    /// The last event of each task.
    last: Vec<Option<usize>>,
    /// Of each location that was accessed.
    touched: FxHashMap<Location, Touched>,
    /// The state of a replayed object before each event that has to do with it.
    states: FxHashMap<Location, Vec<(usize, ObjectState)>>,
    /// The states after the last event.
    end: Objects,
}

impl<'r> Causality<'r> {
    /// Computes the relation.
    #[must_use]
    pub fn new(record: &'r Record) -> Causality<'r> {
        let width = record.width();
        let mut all = Causality {
            record,
            events: Vec::with_capacity(record.steps.len()),
            births: vec![VectorClock::default(); width],
            never: VectorClock::default(),
            last: vec![None; width],
            touched: FxHashMap::default(),
            states: FxHashMap::default(),
            end: Objects::default(),
        };
        for at in 0..record.steps.len() {
            if !record.steps[at].glued {
                all.close(at);
            }
            all.step(at);
        }
        all.close(record.steps.len());
        all
    }

    /// Gives the events of the group that ends before `end` the clock of the last, and so to whoever comes after any of them.
    fn close(&mut self, end: usize) {
        let Some((last, head)) = end.checked_sub(1).map(|last| (last, self.events[last].head)) else { return };
        if head == last {
            return;
        }
        let clock = self.events[last].clock.clone();
        for at in head..=last {
            self.events[at].clock.clone_from(&clock);
            for access in &self.events[at].accesses {
                if let Some(touched) = self.touched.get_mut(&access.location) {
                    touched.access.join(&clock);
                    if access.mode == Mode::Update {
                        touched.update.join(&clock);
                    }
                }
            }
            for &(_, child) in &self.record.steps[at].forked {
                if let Some(birth) = self.births.get_mut(child.index()) {
                    birth.join(&clock);
                }
            }
        }
    }

    fn step(&mut self, at: usize) {
        let step = &self.record.steps[at];
        let next = step.next();
        let accesses = self.end.accesses(next, next.before, Some(step.arm));
        let mut clock = self.clock_before(at, next.task).clone();
        let head = if step.glued && at > 0 { self.events[at - 1].head } else { at };
        let number = clock.tick(next.task);
        if let Operation::Join(child) = next.operation {
            clock.join(self.clock_before(at, child));
        }
        if let [access] = accesses[..] {
            let touched = self.touched.entry(access.location).or_default();
            clock.join(touched.known_to(access.mode));
            touched.add(at, access.mode, &clock);
        } else {
            for access in &accesses {
                if let Some(touched) = self.touched.get(&access.location) {
                    clock.join(touched.known_to(access.mode));
                }
            }
            for access in &accesses {
                self.touched.entry(access.location).or_default().add(at, access.mode, &clock);
            }
        }
        for location in replayed(&next.operation) {
            let before = self.end.state(&next.operation, location).clone();
            self.states.entry(location).or_default().push((at, before));
        }
        self.end.execute(next, step.arm);
        for &(parent, child) in &step.forked {
            let birth = if parent == next.task { clock.clone() } else { self.births.get(parent.index()).cloned().unwrap_or_default() };
            if let Some(of) = self.births.get_mut(child.index()) {
                *of = birth;
            }
        }
        let previous = self.last[next.task.index()].replace(at);
        self.events.push(Event { task: next.task, number, accesses, clock, previous, head });
    }

    /// The run.
    #[must_use]
    pub fn record(&self) -> &'r Record {
        self.record
    }

    /// The events, one for each step.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        &self.events
    }

    /// Whether an event is all of its group.
    pub(crate) fn is_alone(&self, at: usize) -> bool {
        self.events[at].head == at && self.events.get(at + 1).is_none_or(|next| next.head != at)
    }

    /// The states of all objects after the last event.
    #[must_use]
    pub fn end(&self) -> &Objects {
        &self.end
    }

    /// Whether the event at `a` causally precedes the one at `b` (or is the same).
    #[must_use]
    pub fn precedes(&self, a: usize, b: usize) -> bool {
        self.events[b].clock.get(self.events[a].task) >= self.events[a].number
    }

    /// The clock of a task before the step `at`, or before its group, which is the task's own or the end of the run.
    pub(crate) fn clock_before(&self, at: usize, task: Task) -> &VectorClock {
        let previous = match self.events.get(at) {
            Some(event) if event.task == task => self.events[event.head].previous,
            _ => self.last.get(task.index()).copied().flatten(),
        };
        previous.map_or_else(|| self.births.get(task.index()).unwrap_or(&self.never), |event| &self.events[event].clock)
    }

    /// The accesses to a location before the step `at`.
    pub(crate) fn accesses_before(&self, at: usize, location: Location) -> &[(usize, Mode)] {
        let all = self.touched.get(&location).map_or(&[][..], |touched| &touched.accesses);
        &all[..all.partition_point(|(position, _)| *position < at)]
    }

    /// The states of the objects of an operation before the step `at`.
    pub(crate) fn objects_at(&self, at: usize, operation: &Operation) -> Objects {
        let mut objects = Objects::default();
        for location in replayed(operation) {
            let history = self.history(location);
            let state = match history.get(history.partition_point(|(position, _)| *position < at)) {
                Some((_, state)) => Some(state),
                None => self.end.get(location),
            };
            if let Some(state) = state {
                objects.set(location, state.clone());
            }
        }
        objects
    }

    /// The events that have to do with a replayed object, with its state before each.
    pub(crate) fn history(&self, location: Location) -> &[(usize, ObjectState)] {
        self.states.get(&location).map_or(&[], Vec::as_slice)
    }

    /// What an operation that is still to come before step `at` would access, in any of its arms, with the section that it begins.
    #[must_use]
    pub fn accesses_ahead(&self, at: usize, next: &Next) -> Accesses {
        if next.section { anything() } else { self.objects_at(at, &next.operation).accesses(next, next.before, None) }
    }
}
