//! What the processes of a run did, in the words of its source: names and places for [`xcute_threads`].

use xcute_threads::{At, Phrase, Role, Source};
use xcute_trace::{Frame, Operation, Task, TaskId};

use super::director::Directed;
use super::operation::words;
use super::steps::Steps;
use crate::flat::{FunId, PlaceId};
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

    /// A function with its module and arity.
    fn function(&self, function: FunId) -> (String, u32) {
        let site = self.program.sites.get(self.program.code.function(function).pin);
        (site.function.clone(), site.line)
    }

    fn frame(&self, (function, place): (FunId, PlaceId)) -> Frame {
        let (code, place) = (&self.program.code, self.program.code.place(place));
        let (name, line) = self.function(function);
        let line = if place.line == 0 { line } else { place.line };
        Frame { function: name, file: code.files[place.file as usize].clone(), line, ..Frame::default() }
    }
}

impl Source for LastRun<'_> {
    fn object(&mut self, _at: At, _role: Role) -> Option<String> {
        None
    }

    fn stack(&mut self, at: At) -> Vec<Frame> {
        let standing = match at {
            At::Step(step) => self.steps.places.get(step).copied().flatten(),
            At::Pending(at) => {
                let task = self.directed.record.pending.get(at).map(|next| next.task);
                let number = task.and_then(|task| self.directed.number(task));
                number.and_then(|number| self.steps.standing.get(number).copied().flatten())
            }
        };
        standing.map(|standing| self.frame(standing)).into_iter().collect()
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
        Some(Phrase::Whole(match task {
            Some(task) if Some(task) == own => format!("{verb} itself"),
            Some(task) => format!("{verb} {}", path(self.ids, task)),
            None => verb.to_owned(),
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
            let (name, line) = self.function(function);
            let file = self.program.sites.get(self.program.code.function(function).pin).file.clone();
            Some((task, Frame { function: name, file, line, ..Frame::default() }))
        };
        forked.into_iter().filter_map(frame).collect()
    }
}

/// The fork path of a task, as people see it.
pub(super) fn path(ids: &[TaskId], task: Task) -> String {
    ids.get(task.index()).map_or_else(String::new, |id| id.0.iter().map(u16::to_string).collect::<Vec<_>>().join("."))
}
