//! What the tasks of a run did, in the words of its source: names and places for [`xcute_threads`].
//!
//! **Invariant.** The innermost frame of an operation is that of the program itself, if there is one: what happens inside of a collection is described by its
//! caller.

use xcute_threads::{At, Phrase, Role, Source};
use xcute_trace::{Frame, ObjectId, Operation, Task};

use super::director::Directed;
use super::operation::{accessed, is_interrupt, slot};
use super::tasks::Shareable;
use crate::program::body::{Method, MethodId};
use crate::program::{Program, is_made, names};
use crate::replay::{Steps, Stood};

/// The last run.
pub(super) struct LastRun<'a> {
    pub(super) program: &'a Program,
    pub(super) directed: &'a Directed,
    pub(super) steps: &'a Steps,
}

impl LastRun<'_> {
    fn operation(&self, at: At) -> Option<Operation> {
        match at {
            At::Step(step) => Some(self.directed.record.steps.get(step)?.next().operation),
            At::Pending(at) => Some(self.directed.record.pending.get(at)?.operation),
        }
    }

    fn frame(&self, method: MethodId, at: usize) -> Frame {
        let method = self.program.method(method);
        let pc = method.body.insns.get(at).map_or(0, |insn| insn.pc);
        let function = format!("{}.{}", names::readable(&method.class), method.name);
        Frame { function, file: method.file.clone(), line: method.body.line(pc), ..Frame::default() }
    }

    /// The name of a field.
    fn memory(&self, cell: ObjectId) -> Option<String> {
        if is_interrupt(cell) {
            return Some("the interrupt status".to_owned());
        }
        let field = self.program.fields.get(slot(cell)? as usize)?;
        let class = names::readable(&field.class);
        Some(format!("{}.{}", class.rsplit(['.', '$']).next().unwrap_or(&class), field.name))
    }

    /// Where a task that is pending stands, the innermost frame first.
    fn stood(&self, at: usize) -> &[Stood] {
        let task = self.directed.record.pending.get(at).map(|next| next.task);
        let number = self.directed.tasks.iter().position(|other| Some(*other) == task).and_then(|number| u32::try_from(number).ok());
        number.and_then(|number| self.steps.stands.get(&number)).map_or(&[], Vec::as_slice)
    }

    /// The method of the JDK in which a task that is pending waits. `None` where it waits for a notification, or for something else that the program names.
    fn waits_in(&self, at: usize) -> Option<&Method> {
        let copied = |stood: &&Stood| self.program.method(stood.method).class.starts_with(names::COPIES);
        let called = self.stood(at).iter().take_while(copied).last()?;
        let method = self.program.method(called.method);
        let waits = matches!(self.directed.record.pending[at].operation, Operation::Reacquire { .. });
        (waits && !method.class.ends_with("$Awaited")).then_some(method)
    }

    /// Whether all that wait, other than for the end of a thread, are in methods of the JDK.
    pub(super) fn waits_in_jdk(&self) -> bool {
        let pending = self.directed.record.pending.iter().enumerate();
        pending.filter(|(_, next)| !matches!(next.operation, Operation::Join(_))).all(|(at, _)| self.waits_in(at).is_some())
    }

    /// The place of a step. Inside of a class that is not the program's own it is another one for each place of the program that led there.
    pub(super) fn place(&self, step: usize, place: u32) -> u64 {
        let is_own = |method: MethodId| !self.program.method(method).class.starts_with(names::COPIES);
        if self.program.number_at(place).is_some_and(|(method, _)| is_own(method)) {
            return u64::from(place);
        }
        let caller = self.steps.stacks.get(step).and_then(|stack| stack.iter().find(|stood| is_own(stood.method)));
        caller.map_or(0, |stood| (u64::from(stood.method.0) << 16 ^ u64::from(stood.at) ^ 1 << 31) << 32) | u64::from(place)
    }

    /// The frames of an operation, the innermost at its own instruction.
    fn frames(&self, place: u32, outer: &[Stood]) -> Vec<Frame> {
        let mut frames: Vec<(MethodId, usize)> = outer.iter().map(|stood| (stood.method, stood.at as usize)).collect();
        if frames.is_empty() {
            frames.extend(self.program.number_at(place));
        }
        if let (Some((number, at)), Some(first)) = (self.program.number_at(place), frames.first_mut())
            && first.0 == number
        {
            first.1 = at;
        }
        let is_own = |method: &Method| self.program.is_own(&method.class) && !is_made(method);
        let own = frames.iter().filter(|(method, _)| is_own(self.program.method(*method)));
        let own: Vec<Frame> = own.map(|&(method, at)| self.frame(method, at)).collect();
        if own.is_empty() { frames.into_iter().map(|(method, at)| self.frame(method, at)).collect() } else { own }
    }
}

impl Source for LastRun<'_> {
    fn object(&mut self, at: At, _role: Role) -> Option<String> {
        let cells = match self.operation(at)? {
            Operation::AwaitAny(all) => {
                let mut names: Vec<String> = all.cells().iter().filter_map(|cell| self.memory(*cell)).collect();
                names.dedup();
                // Each has its own quotation marks.
                return (!names.is_empty()).then(|| names.join("` or `"));
            }
            Operation::Read(at) | Operation::Write(at) | Operation::Load(at) | Operation::Store(at) | Operation::Update(at) => at,
            _ => return None,
        };
        self.memory(cells.first)
    }

    fn whole<'n>(&self, name: &'n str) -> &'n str {
        // A class and its field.
        name
    }

    fn like(&mut self, at: At) -> Option<String> {
        let At::Step(step) = at else { return None };
        let instruction = self.program.instruction(self.directed.record.steps.get(step)?.place)?;
        match accessed(instruction)?.0 {
            Shareable::Elements(kind) => Some(format!("elements {kind}")),
            _ => None,
        }
    }

    fn stack(&mut self, at: At) -> Vec<Frame> {
        let nothing = Vec::new();
        match at {
            At::Step(step) => {
                let place = self.directed.record.steps.get(step).map_or(0, |step| step.place);
                self.frames(place, self.steps.stacks.get(step).unwrap_or(&nothing))
            }
            At::Pending(at) => self.frames(self.directed.standing.get(at).copied().unwrap_or(0), self.stood(at)),
        }
    }

    fn awaits(&mut self, at: At) -> Option<Phrase> {
        let At::Pending(at) = at else { return None };
        let method = self.waits_in(at)?;
        let class = names::readable(&method.class);
        if class.ends_with("ThreadPoolExecutor$Worker") {
            return Some(Phrase::Whole("something to do".to_owned()));
        }
        Some(Phrase::Whole(format!("the end of {}.{}", class.rsplit('.').next().unwrap_or(&class), method.name)))
    }

    fn hook(&self, at: At) -> Option<u32> {
        match at {
            At::Step(step) => self.directed.ordinals.get(step).copied(),
            At::Pending(at) => {
                let task = self.directed.record.pending.get(at)?.task;
                let number = self.directed.tasks.iter().position(|other| *other == task)?;
                Some(self.directed.made.get(number)? + 1)
            }
        }
    }

    fn began(&mut self, steps: usize) -> Vec<(Task, Frame)> {
        let begun = self.steps.began.iter().filter(|(after, _, method)| *after == steps && !is_made(self.program.method(*method)));
        begun.filter_map(|&(_, number, method)| Some((*self.directed.tasks.get(number as usize)?, self.frame(method, 0)))).collect()
    }
}
