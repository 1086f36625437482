//! What a front end adds to the record of a run: names, places and values.
//!
//! **Invariant.** All that is asked is about the run that the record describes: a front end keeps what it knows of it until its next run.

use xcute_trace::{Frame, Task};

/// An operation of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum At {
    /// It was executed: a position in the steps of the record.
    Step(usize),
    /// A task could no longer do it: a position in what is pending.
    Pending(usize),
}

/// Which object of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The one that it is about: the memory, the lock, the condition.
    Object,
    /// The mutex of a wait for a condition.
    Mutex,
}

/// Words for an operation that the record does not describe well: "uses the environment", "calls a function with `x`".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phrase {
    /// All of it.
    Whole(String),
    /// A verb; the name of the object follows.
    About(&'static str),
}

/// What a front end knows of the operations of a run.
pub trait Source {
    /// The name of an object in the source, if it has one: `forks[2]`.
    fn object(&mut self, at: At, role: Role) -> Option<String>;

    /// The calls that led to an operation, the innermost first.
    fn stack(&mut self, at: At) -> Vec<Frame>;

    /// Where an operation stands in its task: a number that the replay of the original program counts too. `None` if it is not known.
    fn hook(&self, at: At) -> Option<u32>;

    /// A place for an operation whose stack says nothing.
    fn fallback(&mut self, _at: At) -> Option<Frame> {
        None
    }

    /// The variable, as a whole, that a name belongs to: `list` of `list[1].next`.
    fn whole<'n>(&self, name: &'n str) -> &'n str {
        name.split(['[', '.', '+']).next().unwrap_or_default()
    }

    /// What memory without a name is like, in words that are the same in all runs. `None` where it is what its first use says.
    fn like(&mut self, _at: At) -> Option<String> {
        None
    }

    /// A value of the memory that an operation accesses, as the source would write it.
    fn value(&mut self, _at: At, _word: u64) -> Option<String> {
        None
    }

    /// The memory of a step after it, if that is known.
    fn after(&self, _step: usize) -> Option<u64> {
        None
    }

    /// Whether a write or an unlock ends the life of its object.
    fn destroys(&self, _at: At) -> bool {
        false
    }

    /// Other words for what an operation does.
    fn does(&mut self, _at: At) -> Option<Phrase> {
        None
    }

    /// Other words for what a task waits for.
    fn awaits(&mut self, _at: At) -> Option<Phrase> {
        None
    }

    /// The tasks that began after this many steps, with the functions that they run.
    fn began(&mut self, _steps: usize) -> Vec<(Task, Frame)> {
        Vec::new()
    }
}
