//! Describes the operations of one run: tasks, objects and places by name.
//!
//! **Invariant.** Tasks are named by their fork paths, memory as in the source; an object without a name is identified by its first use.

use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;
use xcute_trace::{Frame, Happening, Next, ObjectId, Record, Task, TaskId};

use crate::operations::objects;
use crate::schedule::TaskName;
use crate::source::{At, Phrase, Role, Source};

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

    /// Where an operation stands, if that is known.
    pub fn at(&mut self, at: At) -> Option<Frame> {
        self.source.stack(at).into_iter().next()
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

    /// The threads that began after this many steps, with the functions that they run, as far as these have names.
    pub(crate) fn beginning(&mut self, steps: usize) -> Vec<Happening> {
        let begun = self.source.began(steps).into_iter();
        begun.map(|(task, at)| Happening { task: self.task(task), what: format!("runs {}", at.function), at, marked: false }).collect()
    }

    /// A phrase of the front end's own.
    pub(crate) fn phrase(&mut self, phrase: Phrase, at: At) -> String {
        match phrase {
            Phrase::Whole(words) => words,
            Phrase::About(verb) => format!("{verb} {}", self.object(at, Role::Object, "memory")),
        }
    }
}
