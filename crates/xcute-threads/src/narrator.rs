//! Describes the operations of one run: tasks, objects and places by name.
//!
//! **Invariant.** Tasks are named by their fork paths, memory as in the source; an object without a name is identified by its first use.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use xcute_trace::{Frame, Happening, Next, ObjectId, Record, Task, TaskId};

use crate::operations::objects;
use crate::schedule::TaskName;
use crate::source::{At, Phrase, Role, Source};
use crate::words::{awaited, does};

/// Describes one run.
pub struct Narrator<'a> {
    pub(crate) record: &'a Record,
    pub(crate) source: &'a mut dyn Source,
    tasks: &'a [TaskId],
    /// By object: the step that used it first.
    first: Option<FxHashMap<ObjectId, (usize, Role)>>,
}

impl<'a> Narrator<'a> {
    /// Describes the run of a record; `tasks` are the fork paths of all tasks ([`xcute_trace::Subject::tasks`]).
    pub fn new(record: &'a Record, tasks: &'a [TaskId], source: &'a mut dyn Source) -> Narrator<'a> {
        Narrator { record, source, tasks, first: None }
    }

    /// What a task did at a step, or would have done next: at its next step, or at the end.
    pub fn next_of(&mut self, task: Task, step: usize) -> Option<Happening> {
        let steps = &self.record.steps;
        match (step..steps.len()).find(|step| steps[*step].task() == task) {
            Some(step) => self.happening(step, false),
            None => self.waiting(self.record.pending.iter().position(|next| next.task == task)?, false),
        }
    }

    /// The fork path of a task; empty if it is not known.
    pub(crate) fn task(&self, task: Task) -> String {
        self.name(task).map_or_else(String::new, |name| name.text().to_owned())
    }

    /// The name of a task in a case file.
    pub(crate) fn name(&self, task: Task) -> Option<TaskName> {
        self.tasks.get(task.index()).map(TaskName::of)
    }

    /// An operation of the record.
    pub(crate) fn next(&self, at: At) -> Option<&'a Next> {
        let record: &'a Record = self.record;
        match at {
            At::Step(step) => Some(record.steps.get(step)?.next()),
            At::Pending(at) => record.pending.get(at),
        }
    }

    /// Where an operation stands.
    pub(crate) fn place(&mut self, at: At) -> Frame {
        self.source.stack(at).into_iter().next().unwrap_or_default()
    }

    /// The object of an operation; `kind` is what it is, for those without a name.
    pub(crate) fn object(&mut self, at: At, role: Role, kind: &str) -> String {
        if let Some(name) = self.source.object(at, role) {
            return format!("`{name}`");
        }
        let operation = self.next(at).map(|next| next.operation);
        let found = operation.and_then(|operation| objects(&operation).into_iter().flatten().find(|(_, as_what)| *as_what == role));
        self.unnamed(found.map(|(object, _)| object), kind)
    }

    /// The object of some operation.
    pub(crate) fn any(&mut self, object: ObjectId, kind: &str) -> String {
        match self.first_uses().get(&object).copied() {
            Some((step, role)) => self.object(At::Step(step), role, kind),
            None => self.unnamed(None, kind),
        }
    }

    fn unnamed(&mut self, object: Option<ObjectId>, kind: &str) -> String {
        let first = object.and_then(|object| self.first_uses().get(&object).copied());
        let at = first.map(|(step, _)| self.place(At::Step(step)));
        match at.filter(|at| at.line != 0) {
            Some(at) => format!("the {kind} at {}:{}", at.file.rsplit('/').next().unwrap_or(&at.file), at.line),
            None if kind == "memory" => "some memory".into(),
            None => format!("a {kind}"),
        }
    }

    fn first_uses(&mut self) -> &FxHashMap<ObjectId, (usize, Role)> {
        let record = self.record;
        self.first.get_or_insert_with(|| {
            let mut first = FxHashMap::default();
            for (number, step) in record.steps.iter().enumerate() {
                for (object, role) in objects(&step.next().operation).into_iter().flatten() {
                    if let Entry::Vacant(place) = first.entry(object) {
                        place.insert((number, role));
                    }
                }
            }
            first
        })
    }

    /// A step that was executed.
    pub(crate) fn happening(&mut self, step: usize, marked: bool) -> Option<Happening> {
        let at = At::Step(step);
        let next = self.next(at)?;
        let own = self.place(at);
        let place = if own.line != 0 { own } else { self.source.fallback(at).unwrap_or(own) };
        Some(Happening { task: self.task(next.task), what: does(self, at, next), at: place, marked })
    }

    /// The threads that began after this many steps, with the functions that they run, as far as these have names.
    pub(crate) fn beginning(&mut self, steps: usize) -> Vec<Happening> {
        let begun = self.source.began(steps).into_iter();
        begun.map(|(task, at)| Happening { task: self.task(task), what: format!("runs {}", at.function), at, marked: false }).collect()
    }

    /// What a thread could not do any more; `at` is a position among what is pending.
    pub(crate) fn waiting(&mut self, at: usize, marked: bool) -> Option<Happening> {
        let task = self.record.pending.get(at)?.task;
        let place = self.place(At::Pending(at));
        Some(Happening { task: self.task(task), what: format!("waits for {}", self.awaited(at)), at: place, marked })
    }

    /// What a blocked thread waits for, for the sentence "thread 1.2 waits for …".
    pub(crate) fn awaited(&mut self, pending: usize) -> String {
        let at = At::Pending(pending);
        match self.next(at) {
            Some(next) => awaited(self, at, next),
            None => "something".into(),
        }
    }

    /// A phrase of the front end's own.
    pub(crate) fn phrase(&mut self, phrase: Phrase, at: At) -> String {
        match phrase {
            Phrase::Whole(words) => words,
            Phrase::About(verb) => format!("{verb} {}", self.object(at, Role::Object, "memory")),
        }
    }
}
