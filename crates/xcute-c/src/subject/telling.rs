//! What threads did, in words: "writes `total`", "locks `forks[1]`", and where.
//!
//! **Invariant.** Names of tasks are their fork paths, names of memory those of the source; what has none is told by the place that used it first.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use xcute_trace::{Frame, Happening, TaskId};

use super::names::{Kind, Names};
use super::steps::frames;
use crate::compile::ObjectName;
use crate::process::Recorded;
use crate::symbolize::Symbols;
use crate::wire::{OUTSIDE, OUTSIDE_NAMES, XcFork, XcNext, XcStep, operation as op};

/// The names of places and of memory.
#[derive(Debug)]
pub(super) struct Places {
    pub(super) symbols: Symbols,
    pub(super) names: Names,
}

/// The abstract object of code that is not instrumented at an address.
fn outside(address: u64) -> Option<&'static str> {
    OUTSIDE_NAMES.get(usize::try_from(address.checked_sub(OUTSIDE)? / 8).ok()?).copied()
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
        // What the C++ library has for itself means nothing to anybody.
        if let Some(name) = self.places.names.of(address, self.objects).filter(|name| !name.starts_with("std::")) {
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

    /// What an operation does, for the sentence "thread 1.2 …"; `after` is the value of the memory after it, where it may have written.
    fn what(&mut self, next: &XcNext, after: Option<u64>) -> String {
        if next.flags & op::ELSEWHERE != 0 {
            return self.outside(next);
        }
        let value = |own: &mut Self, value: u64| own.value(next, value).map_or_else(String::new, |value| format!(" = {value}"));
        let values = match (next.op, after) {
            (op::READ | op::LOAD, _) => value(self, next.before),
            (op::COMPARE_EXCHANGE, _) if next.before != next.other => value(self, next.before),
            (op::UPDATE | op::COMPARE_EXCHANGE, Some(after)) => {
                let [from, to] = [next.before, after].map(|value| self.value(next, value));
                from.zip(to).map_or_else(String::new, |(from, to)| format!(" from {from} to {to}"))
            }
            (op::WRITE | op::STORE, Some(after)) => value(self, after),
            _ => String::new(),
        };
        let (verb, kind, rest) = match next.op {
            op::READ => ("reads", "memory", ""),
            op::WRITE if next.flags & op::DESTROYS != 0 => ("frees", "memory", ""),
            op::WRITE => ("writes", "memory", ""),
            op::LOAD => ("reads", "memory", " atomically"),
            op::STORE => ("writes", "memory", " atomically"),
            op::UPDATE => ("updates", "memory", " atomically"),
            op::COMPARE_EXCHANGE if next.before == next.other || next.flags & op::UNSURE != 0 => ("exchanges", "memory", ""),
            op::COMPARE_EXCHANGE => ("does not exchange", "memory", ""),
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
            op::AWAIT if outside(next.object).is_some() => return "finds a descriptor ready".into(),
            op::AWAIT => ("sees a change of", "memory", ""),
            op::PARK if next.before == next.other => ("begins to wait for", "word", ""),
            op::PARK => ("does not wait for", "word", ", which has changed"),
            op::RESUME => ("wakes up from its wait for", "word", ""),
            op::FENCE => return "passes a fence".into(),
            op::BEGIN => return "begins an atomic section".into(),
            op::JOIN => return format!("joins {}", self.task(u32::try_from(next.other).unwrap_or(u32::MAX))),
            _ => return "yields".into(),
        };
        format!("{verb} {}{values}{rest}", self.object(next.object, kind))
    }

    /// What code that is not instrumented does.
    fn outside(&mut self, next: &XcNext) -> String {
        if let Some(state) = outside(next.object) {
            return if next.op == op::LOAD { format!("looks at {state}") } else { format!("uses {state}") };
        }
        format!("calls a function with {}", self.object(next.object, "memory"))
    }

    /// A value of the memory that an operation accesses; `None` if it is too large to be one.
    fn value(&mut self, next: &XcNext, value: u64) -> Option<String> {
        let bits = 8 * next.bytes;
        if !matches!(next.bytes, 1 | 2 | 4 | 8) {
            return None;
        }
        let value = if bits == 64 { value } else { value & ((1 << bits) - 1) };
        let signed = ((value << (64 - bits)).cast_signed()) >> (64 - bits);
        Some(match self.places.names.kind(next.object, self.objects) {
            Kind::Float if bits == 32 => f32::from_bits(value as u32).to_string(),
            Kind::Float if bits == 64 => f64::from_bits(value).to_string(),
            Kind::Pointer if value == 0 => "NULL".into(),
            Kind::Pointer => format!("{value:#x}"),
            Kind::Unsigned => value.to_string(),
            Kind::Unknown if bits == 64 && signed.unsigned_abs() > u64::from(u32::MAX) => format!("{value:#x}"),
            _ => signed.to_string(),
        })
    }

    /// What a blocked thread waits for, for the sentence "thread 1.2 waits for …".
    pub(super) fn awaited(&mut self, next: &XcNext) -> String {
        match next.op {
            op::AWAIT if outside(next.object).is_some() => "a descriptor".into(),
            op::AWAIT if next.flags & op::ASSUMES != 0 => format!("an assumption about {}", self.object(next.object, "memory")),
            op::JOIN => format!("the end of {}", self.task(u32::try_from(next.other).unwrap_or(u32::MAX))),
            op::SEM_WAIT => format!("a permit of {}", self.object(next.object, "semaphore")),
            op::REACQUIRE => format!("a signal of {}", self.object(next.object, "condition")),
            op::PASS => format!("others at {}", self.object(next.object, "barrier")),
            op::RESUME => format!("a notification of {}", self.object(next.object, "word")),
            op::READ | op::LOAD | op::AWAIT => format!("a change of {}", self.object(next.object, "memory")),
            op::READ_LOCK | op::WRITE_LOCK => self.object(next.object, "readers-writer lock"),
            _ => self.object(next.object, "mutex"),
        }
    }

    /// A step that was executed.
    pub(super) fn happening(&mut self, step: usize, marked: bool) -> Option<Happening> {
        let next = *self.executed(step)?;
        let row = self.recorded.steps[step];
        Some(Happening { task: self.task(next.task), what: self.what(&next, Some(row.after)), at: self.place_or_header(&row), marked })
    }

    /// The threads that began after so many steps, with the functions that they run, as far as these have names.
    pub(super) fn beginning(&mut self, after: usize) -> Vec<Happening> {
        let begun: Vec<XcFork> = self.recorded.forks.iter().filter(|fork| fork.step as usize == after).copied().collect();
        let tell = |fork: XcFork| {
            let at = self.places.symbols.function(u64::from(fork.start))?;
            Some(Happening { task: self.task(fork.child), what: format!("runs {}", at.function), at, marked: false })
        };
        begun.into_iter().filter_map(tell).collect()
    }

    /// Where a step stands; in a header of the system if all that is known is there.
    fn place_or_header(&mut self, row: &XcStep) -> Frame {
        let own = self.place(row);
        if own.line != 0 { own } else { self.places.symbols.header(&frames(row)).unwrap_or(own) }
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
            how: 0,
            after: 0,
        });
        self.place(&row)
    }
}
