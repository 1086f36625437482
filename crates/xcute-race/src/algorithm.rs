//! The trait of the algorithms that open schedule arms.
//!
//! An algorithm is asked twice: when a run comes to a new choice, and when a race below a choice was found. All of them are independent of
//! the order in which the opened arms are run.

pub use xcute_trace::DefaultChoice;

use crate::class::ClassKey;
use crate::record::Next;
use crate::tree::Node;
use crate::{Causality, Race, Task, Tasks};

/// A new choice.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// Who can run.
    pub enabled: &'a [Next],
    /// The tasks.
    pub tasks: &'a Tasks,
    /// The causal class of what ran before it, for those who [look at it](Algorithm::classes).
    pub class: ClassKey,
    /// Who ran last.
    pub last: Option<Task>,
    /// How often a task that could have gone on was left before.
    pub preemptions: u32,
}

/// What to do at a new choice, besides following the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enter {
    /// Ask for these tasks.
    Open(Vec<Task>),
    /// Open nothing here and below: an equal choice was seen.
    Cut,
}

/// A race below a choice.
#[derive(Clone, Copy, Debug)]
pub struct Flip<'a> {
    /// The choice before the first event of the race.
    pub node: &'a Node,
    /// Who could run there.
    pub enabled: &'a [Next],
    /// The race.
    pub race: &'a Race,
    /// The run it was seen in.
    pub causality: &'a Causality<'a>,
    /// The tasks.
    pub tasks: &'a Tasks,
}

/// Which schedule arms to open.
pub trait Algorithm: std::fmt::Debug + Send {
    /// The name, as it is given on the command line.
    fn name(&self) -> &'static str;

    /// Whether runs have sleep sets.
    fn sleeps(&self) -> bool {
        false
    }

    /// How runs go on after their plan.
    fn default_choice(&self) -> DefaultChoice {
        DefaultChoice::Lowest
    }

    /// What to open at a new choice; nothing where only races ask.
    fn enter(&mut self, _arrival: &Arrival<'_>) -> Enter {
        Enter::Open(Vec::new())
    }

    /// Whether it looks at the causal class of what ran before a choice.
    fn classes(&self) -> bool {
        false
    }

    /// Whether it wants to know the races below a choice.
    fn flips(&self) -> bool {
        true
    }

    /// Whether schedules were left out that it does not think superfluous.
    fn left_out(&self) -> bool {
        false
    }

    /// Whom to ask for at the choice before the first event of a race; `None` if nobody is needed.
    fn flip(&self, _flip: &Flip<'_>) -> Option<Task> {
        None
    }
}
