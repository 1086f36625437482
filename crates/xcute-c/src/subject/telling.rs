//! What threads did, in words: "writes `total`", "locks `forks[1]`", and where.
//!
//! **Invariant.** Names of tasks are their fork paths, names of memory those of the source; what has none is told by the place that used it first.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use xcute_trace::{Frame, Happening, TaskId};

use super::names::Names;
use super::steps::frames;
use crate::compile::ObjectName;
use crate::process::Recorded;
use crate::symbolize::Symbols;
use crate::wire::{XcNext, XcStep, operation as op};

/// The names of places and of memory.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) symbols: Symbols,
    pub(super) names: Names,
}

/// Tells about one run.
pub(super) struct Teller<'a> {
    pub(super) recorded: Recorded<'a>,
    tasks: Vec<TaskId>,
    places: &'a mut Places,
    objects: &'a [ObjectName],
    /// By address: the step that used it first.
    first: Option<FxHashMap<u64, usize>>,
}

impl<'a> Teller<'a> {
    pub(super) fn new(recorded: Recorded<'a>, tasks: Vec<TaskId>, places: &'a mut Places, objects: &'a [ObjectName]) -> Teller<'a> {
        Teller { recorded, tasks, places, objects, first: None }
    }

    /// The fork path of a task.
    pub(super) fn task(&self, task: u32) -> String {
        let path = self.tasks.get(task as usize).map_or(&[][..], |id| &id.0);
        path.iter().map(u16::to_string).collect::<Vec<_>>().join(".")
    }

    /// What was executed at a step.
    pub(super) fn executed(&self, step: usize) -> Option<&'a XcNext> {
        let row = self.recorded.steps.get(step)?;
        self.recorded.nexts.get(row.first.checked_add(row.chosen)? as usize)
    }

    /// The stack of a step.
    pub(super) fn stack(&mut self, row: &XcStep) -> Vec<Frame> {
        self.places.symbols.stack(0, &frames(row))
    }

    /// Where a step stands.
    pub(super) fn place(&mut self, row: &XcStep) -> Frame {
        let unknown = Frame { function: String::new(), file: String::new(), line: 0, ..Frame::default() };
        self.stack(row).into_iter().next().unwrap_or(unknown)
    }

    /// What an object is called; `kind` is what it is, for those without a name.
    pub(super) fn object(&mut self, address: u64, kind: &str) -> String {
        if let Some(name) = self.places.names.of(address, self.objects) {
            return format!("`{name}`");
        }
        let first = self.first_uses().get(&address).copied();
        let at = first.and_then(|step| self.recorded.steps.get(step).copied()).map(|row| self.place(&row));
        match at.filter(|at| at.line != 0) {
            Some(at) => format!("the {kind} at {}:{}", at.file.rsplit('/').next().unwrap_or(&at.file), at.line),
            None if kind == "memory" => "some memory".into(),
            None => format!("a {kind}"),
        }
    }

    fn first_uses(&mut self) -> &FxHashMap<u64, usize> {
        if self.first.is_none() {
            let mut first = FxHashMap::default();
            for step in 0..self.recorded.steps.len() {
                for next in self.executed(step).into_iter().flat_map(|next| [next.object, next.other]) {
                    if let Entry::Vacant(place) = first.entry(next) {
                        place.insert(step);
                    }
                }
            }
            self.first = Some(first);
        }
        self.first.get_or_insert_default()
    }

    /// What an operation does, for the sentence "thread 1.2 …".
    pub(super) fn what(&mut self, next: &XcNext) -> String {
        let (verb, kind, rest) = match next.op {
            op::READ => ("reads", "memory", ""),
            op::WRITE if next.flags & op::DESTROYS != 0 => ("frees", "memory", ""),
            op::WRITE => ("writes", "memory", ""),
            op::LOAD => ("reads", "memory", " atomically"),
            op::STORE => ("writes", "memory", " atomically"),
            op::UPDATE => ("updates", "memory", " atomically"),
            op::COMPARE_EXCHANGE => ("compares and exchanges", "memory", ""),
            op::LOCK => ("locks", "mutex", ""),
            op::TRY_LOCK => ("tries to lock", "mutex", ""),
            op::UNLOCK if next.flags & op::DESTROYS != 0 => ("destroys", "mutex", ""),
            op::UNLOCK => ("unlocks", "mutex", ""),
            op::SEM_WAIT => ("takes a permit of", "semaphore", ""),
            op::SEM_TRY_WAIT => ("tries to take a permit of", "semaphore", ""),
            op::SEM_POST => ("gives a permit to", "semaphore", ""),
            op::READ_LOCK => ("locks", "readers-writer lock", " for reading"),
            op::TRY_READ_LOCK => ("tries to lock", "readers-writer lock", " for reading"),
            op::WRITE_LOCK => ("locks", "readers-writer lock", " for writing"),
            op::TRY_WRITE_LOCK => ("tries to lock", "readers-writer lock", " for writing"),
            op::READ_UNLOCK | op::WRITE_UNLOCK => ("unlocks", "readers-writer lock", ""),
            op::WAIT => ("begins to wait for", "condition", ""),
            op::REACQUIRE => ("wakes up from", "condition", ""),
            op::NOTIFY => ("signals", "condition", ""),
            op::NOTIFY_ALL => ("signals", "condition", " to all"),
            op::ARRIVE => ("arrives at", "barrier", ""),
            op::PASS => ("passes", "barrier", ""),
            op::AWAIT => ("sees a change of", "memory", ""),
            op::JOIN => return format!("joins {}", self.task(u32::try_from(next.other).unwrap_or(u32::MAX))),
            _ => return "yields".into(),
        };
        format!("{verb} {}{rest}", self.object(next.object, kind))
    }

    /// What a blocked thread waits for, for the sentence "thread 1.2 waits for …".
    pub(super) fn awaited(&mut self, next: &XcNext) -> String {
        match next.op {
            op::JOIN => format!("the end of {}", self.task(u32::try_from(next.other).unwrap_or(u32::MAX))),
            op::SEM_WAIT => format!("a permit of {}", self.object(next.object, "semaphore")),
            op::REACQUIRE => format!("a signal of {}", self.object(next.object, "condition")),
            op::PASS => format!("others at {}", self.object(next.object, "barrier")),
            op::READ | op::LOAD | op::AWAIT => format!("a change of {}", self.object(next.object, "memory")),
            op::READ_LOCK | op::WRITE_LOCK => self.object(next.object, "readers-writer lock"),
            _ => self.object(next.object, "mutex"),
        }
    }

    /// A step that was executed.
    pub(super) fn happening(&mut self, step: usize, marked: bool) -> Option<Happening> {
        let next = *self.executed(step)?;
        let row = self.recorded.steps[step];
        Some(Happening { task: self.task(next.task), what: self.what(&next), at: self.place(&row), marked })
    }

    /// What a thread could not do any more; `at` is a position among what is pending.
    pub(super) fn waiting(&mut self, at: usize, marked: bool) -> Option<Happening> {
        let next = *self.recorded.pending.get(at)?;
        let place = self.standing(at);
        Some(Happening { task: self.task(next.task), what: format!("waits for {}", self.awaited(&next)), at: place, marked })
    }

    /// Where a thread stood in the end.
    pub(super) fn standing(&mut self, at: usize) -> Frame {
        let row = self.recorded.standing.get(at).copied().unwrap_or(XcStep {
            first: 0,
            count: 0,
            chosen: 0,
            arm: 0,
            hook: 0,
            frames: [0; 4],
            pad: 0,
        });
        self.place(&row)
    }
}
