//! What the processes of a run did, in the words of its source: names and places for [`xcute_threads`].

use xcute_threads::{At, Phrase, Role, Source};
use xcute_trace::{Frame, Operation, Task, TaskId};

use super::director::Directed;
use super::operation::words;
use super::steps::{Calling, Standing, Steps};
use crate::calls::MODELS;
use crate::flat::FunId;
use crate::program::Program;

/// The last run.
pub(super) struct LastRun<'a> {
    pub(super) program: &'a Program,
    pub(super) directed: &'a Directed,
    pub(super) steps: &'a Steps,
    pub(super) ids: &'a [TaskId],
}

impl LastRun<'_> {
    fn operation(&self, at: At) -> Option<Operation> {
        match at {
            At::Step(step) => Some(self.directed.record.steps.get(step)?.next().operation),
            At::Pending(at) => Some(self.directed.record.pending.get(at)?.operation),
        }
    }

    /// A function with its module and arity, at its beginning. A model has the name of what it stands for, and no place.
    fn function(&self, function: FunId) -> Frame {
        let site = self.program.sites.get(self.program.code.function(function).pin);
        match site.function.strip_prefix(MODELS).and_then(|name| name.strip_prefix(':')) {
            Some(name) if name.contains(':') => Frame { function: name.to_owned(), ..Frame::default() },
            Some(_) => Frame { function: "the library".to_owned(), ..Frame::default() },
            None => Frame { function: site.function.clone(), file: site.file.clone(), line: site.line, ..Frame::default() },
        }
    }

    /// Where a process stands, in the program's own modules if it came from there.
    fn frame(&self, standing: Standing) -> Frame {
        let code = &self.program.code;
        let (function, place) = match standing {
            Standing::At(function, place) => (function, Some(code.place(place)).map(|place| (place.file, place.line))),
            Standing::Calls(Calling { from, expr, .. }) => (from, code.place_of(expr)),
        };
        let frame = self.function(function);
        match place {
            Some((file, line)) if line != 0 && !frame.file.is_empty() => Frame { file: code.files[file as usize].clone(), line, ..frame },
            _ => frame,
        }
    }

    /// Where the process of an operation stands.
    fn standing(&self, at: At) -> Option<Standing> {
        match at {
            At::Step(step) => self.steps.places.get(step).copied().flatten(),
            At::Pending(at) => {
                let task = self.directed.record.pending.get(at).map(|next| next.task)?;
                self.steps.standing.get(self.directed.number(task)?).copied().flatten()
            }
        }
    }
}

impl Source for LastRun<'_> {
    fn object(&mut self, _at: At, _role: Role) -> Option<String> {
        None
    }

    fn stack(&mut self, at: At) -> Vec<Frame> {
        self.standing(at).map(|standing| self.frame(standing)).into_iter().collect()
    }

    fn hook(&self, at: At) -> Option<u32> {
        let steps = &self.directed.record.steps;
        let (task, before) = match at {
            At::Step(step) => (steps.get(step)?.task(), step + 1),
            At::Pending(at) => (self.directed.record.pending.get(at)?.task, steps.len()),
        };
        let done = steps[..before].iter().filter(|step| step.task() == task).count();
        u32::try_from(done + usize::from(matches!(at, At::Pending(_)))).ok()
    }

    fn does(&mut self, at: At) -> Option<Phrase> {
        let (verb, task) = words(&self.operation(at)?);
        let own = match at {
            At::Step(step) => Some(self.directed.record.steps.get(step)?.task()),
            At::Pending(_) => None,
        };
        let inside = match self.standing(at) {
            Some(Standing::Calls(calling)) => format!(" in {}", self.function(calling.callee).function),
            _ => String::new(),
        };
        Some(Phrase::Whole(match task {
            Some(task) if Some(task) == own => format!("{verb} itself{inside}"),
            Some(task) => format!("{verb} {}{inside}", path(self.ids, task)),
            None => format!("{verb}{inside}"),
        }))
    }

    fn awaits(&mut self, _at: At) -> Option<Phrase> {
        Some(Phrase::Whole("a message".to_owned()))
    }

    fn began(&mut self, steps: usize) -> Vec<(Task, Frame)> {
        let forked: Vec<Task> = match steps.checked_sub(1) {
            Some(step) => self.directed.record.steps.get(step).into_iter().flat_map(|step| &step.forked).map(|(_, child)| *child).collect(),
            None => {
                let later = |task: &Task| self.directed.record.steps.iter().any(|step| step.forked.iter().any(|(_, child)| child == task));
                self.directed.tasks.iter().copied().filter(|task| !later(task)).collect()
            }
        };
        let frame = |task: Task| {
            let function = (*self.steps.runs.get(self.directed.number(task)?)?)?;
            Some((task, self.function(function)))
        };
        forked.into_iter().filter_map(frame).collect()
    }
}

/// The fork path of a task, as people see it.
pub(super) fn path(ids: &[TaskId], task: Task) -> String {
    ids.get(task.index()).map_or_else(String::new, |id| id.0.iter().map(u16::to_string).collect::<Vec<_>>().join("."))
}
