//! Operations in words: "writes `total` = 7", "locks `forks[1]`", "waits for a permit of `slots`".

use xcute_trace::{Happening, Next, Operation as O, Task};

use crate::narrator::Narrator;
use crate::source::{At, Role};

impl Narrator<'_> {
    /// What a task did at a step, or would have done next: at its next step, or at the end.
    pub fn next_of(&mut self, task: Task, step: usize) -> Option<Happening> {
        let steps = &self.record.steps;
        match (step..steps.len()).find(|step| steps[*step].task() == task) {
            Some(step) => self.happening(step, false),
            None => self.waiting(self.record.pending.iter().position(|next| next.task == task)?, false),
        }
    }

    /// A step that was executed.
    pub(crate) fn happening(&mut self, step: usize, marked: bool) -> Option<Happening> {
        let at = At::Step(step);
        let next = self.next(at)?;
        let own = self.place(at);
        let place = if own.line != 0 { own } else { self.source.fallback(at).unwrap_or(own) };
        Some(Happening { task: self.task(next.task), what: does(self, at, next), at: place, marked })
    }

    /// What a thread could no longer do; `at` is a position among what is pending.
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
}

/// What an operation does, for the sentence "thread 1.2 …".
fn does(narrator: &mut Narrator<'_>, at: At, next: &Next) -> String {
    if let Some(phrase) = narrator.source.does(at) {
        return narrator.phrase(phrase, at);
    }
    let destroys = narrator.source.destroys(at);
    let (verb, kind, rest) = match next.operation {
        O::Read(_) => ("reads", "memory", ""),
        O::Write(_) if destroys => ("frees", "memory", ""),
        O::Write(_) => ("writes", "memory", ""),
        O::Load(_) => ("reads", "memory", " atomically"),
        O::Store(_) => ("writes", "memory", " atomically"),
        O::Update(_) => ("updates", "memory", " atomically"),
        O::CompareExchange { expected, .. } if next.before == expected => ("exchanges", "memory", ""),
        O::CompareExchange { .. } => ("does not exchange", "memory", ""),
        O::Lock(_) => ("locks", "mutex", ""),
        O::TryLock(_) => ("tries to lock", "mutex", ""),
        O::Unlock(_) if destroys => ("destroys", "mutex", ""),
        O::Unlock(_) => ("unlocks", "mutex", ""),
        O::SemaphoreWait(_) => ("takes a permit of", "semaphore", ""),
        O::SemaphoreTryWait(_) => ("tries to take a permit of", "semaphore", ""),
        O::SemaphorePost(_) => ("gives a permit to", "semaphore", ""),
        O::ReadLock(_) => ("locks", "readers-writer lock", " for reading"),
        O::TryReadLock(_) => ("tries to lock", "readers-writer lock", " for reading"),
        O::WriteLock(_) => ("locks", "readers-writer lock", " for writing"),
        O::TryWriteLock(_) => ("tries to lock", "readers-writer lock", " for writing"),
        O::ReadUnlock(_) | O::WriteUnlock(_) => ("unlocks", "readers-writer lock", ""),
        O::Wait { .. } => ("begins to wait for", "condition", ""),
        O::Reacquire { .. } => ("wakes up from", "condition", ""),
        O::Notify(_) => ("signals", "condition", ""),
        O::NotifyAll(_) => ("signals", "condition", " to all"),
        O::Wake { task, .. } => return format!("interrupts the wait of {}", narrator.task(task)),
        O::Arrive { .. } => ("arrives at", "barrier", ""),
        O::Pass { .. } => ("passes", "barrier", ""),
        O::Await { .. } | O::AwaitAny(_) => ("sees a change of", "memory", ""),
        O::Park { expected, .. } if next.before == expected => ("begins to wait for", "word", ""),
        O::Park { .. } => ("does not wait for", "word", ", which has changed"),
        O::Resume { .. } => ("wakes up from its wait for", "word", ""),
        O::Fence => return "passes a fence".into(),
        O::Begin => return "begins an atomic section".into(),
        O::Join(task) => return format!("joins {}", narrator.task(task)),
        O::Yield => return "yields".into(),
    };
    let values = values(narrator, at, next);
    format!("{verb} {}{values}{rest}", narrator.object(at, Role::Object, kind))
}

/// The values that a step read and wrote: " = 7", " from 6 to 7".
fn values(narrator: &mut Narrator<'_>, at: At, next: &Next) -> String {
    let after = if let At::Step(step) = at { narrator.source.after(step) } else { None };
    let mut equals = |word: u64| narrator.source.value(at, word).map_or_else(String::new, |value| format!(" = {value}"));
    match (next.operation, after) {
        (O::Read(_) | O::Load(_), _) => equals(next.before),
        (O::CompareExchange { expected, .. }, _) if next.before != expected => equals(next.before),
        (O::Update(_) | O::CompareExchange { .. }, Some(after)) => {
            let [from, to] = [next.before, after].map(|word| narrator.source.value(at, word));
            from.zip(to).map_or_else(String::new, |(from, to)| format!(" from {from} to {to}"))
        }
        (O::Write(_) | O::Store(_), Some(after)) => equals(after),
        _ => String::new(),
    }
}

/// What a blocked thread waits for, for the sentence "thread 1.2 waits for …".
fn awaited(narrator: &mut Narrator<'_>, at: At, next: &Next) -> String {
    if let Some(phrase) = narrator.source.awaits(at) {
        return narrator.phrase(phrase, at);
    }
    let mut object = |kind| narrator.object(at, Role::Object, kind);
    match next.operation {
        O::Join(task) => format!("the end of {}", narrator.task(task)),
        O::SemaphoreWait(_) => format!("a permit of {}", object("semaphore")),
        O::Reacquire { .. } => format!("a signal of {}", object("condition")),
        O::Pass { .. } => format!("others at {}", object("barrier")),
        O::Resume { .. } => format!("a notification of {}", object("word")),
        O::Read(_) | O::Load(_) | O::Await { .. } | O::AwaitAny(_) => format!("a change of {}", object("memory")),
        O::ReadLock(_) | O::WriteLock(_) => object("readers-writer lock"),
        _ => object("mutex"),
    }
}
